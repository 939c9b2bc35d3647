import { relative, resolve } from "node:path";
import { defineConfig, type Options } from "tsup";
import { DECLARATIONS, root } from "./workspace.mjs";

const shared: Options = {
  target: "node20",
  tsconfig: "../../tsconfig.build.json",
  removeNodeProtocol: false,
};

/** Set when the declarations of a package are bundled; its code is built otherwise. */
export const isOfTypes = process.env.REEVE_BUILD_PART === "types";

/** The build of a published package: ESM, CommonJS and the types of both, in several runs if their options differ. */
export function library(...runs: Options[]) {
  const defaults: Options = { ...shared, entry: { index: "src/index.ts" }, format: ["esm", "cjs"], dts: true };
  return defineConfig((runs.length > 0 ? runs : [{}]).flatMap((run) => ofPart({ ...defaults, ...run })));
}

/** The parts are built beside one another, so neither may clean the other away. */
function ofPart(run: Options): Options[] {
  const dts = typeof run.dts === "object" ? run.dts : {};
  if (!isOfTypes) return dts.only ? [] : [{ ...run, dts: false, clean: false }];
  if (!run.dts) return [];
  const entry = Object.fromEntries(Object.entries(run.entry ?? {}).map(([name, file]) => [name, declared(file)]));
  return [{ ...run, entry, dts: { ...dts, only: true, compilerOptions: { paths: pathsOf(run) } }, clean: false }];
}

/** Where the types find what is bundled: own sources by their `#` names, and the packages that are not published. */
function pathsOf(run: Options): Record<string, string[]> {
  return { "#*.js": [declared("src/*.ts")], ...bundledOf(run) };
}

/** Packages of the workspace that are not published and so are bundled. For the types they must look like own sources. */
function bundledOf({ noExternal = [] }: Options): Record<string, string[]> {
  const names = noExternal.filter((name) => typeof name === "string" && name.startsWith("@reeve/")) as string[];
  return Object.fromEntries(names.map((name) => [name, [declared(`${name.replace("@reeve", "..")}/src/index.ts`)]]));
}

/** The declarations of a source file, as TypeScript wrote them before. */
function declared(file: string): string {
  return resolve(root, DECLARATIONS, relative(root, resolve(file)).replace(/[.]ts$/, ".d.ts"));
}

/** The build of a program, which is never imported: ESM only, no types. */
export function application(overrides: Options = {}) {
  return defineConfig({ ...shared, entry: ["src/main.ts"], format: ["esm"], ...overrides });
}
