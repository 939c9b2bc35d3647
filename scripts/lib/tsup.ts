import { defineConfig, type Options } from "tsup";

const shared: Options = {
  target: "node20",
  tsconfig: "../../tsconfig.build.json",
  removeNodeProtocol: false,
};

/** The part to build, `code` or `types`; both unless set. */
const part = process.env.REEVE_BUILD_PART;

/** The build of a published package: ESM, CommonJS and the types of both, in several runs if their options differ. */
export function library(...runs: Options[]) {
  const defaults: Options = { ...shared, entry: ["src/index.ts"], format: ["esm", "cjs"], dts: true };
  return defineConfig((runs.length > 0 ? runs : [{}]).flatMap((run) => ofPart({ ...defaults, ...run })));
}

/** The parts are built beside one another, so neither may clean the other away. */
function ofPart(run: Options): Options[] {
  const dts = typeof run.dts === "object" ? run.dts : {};
  if (part === "code") return dts.only ? [] : [{ ...run, dts: false, clean: false }];
  if (part === "types") return run.dts ? [{ ...run, dts: { ...dts, only: true }, clean: false }] : [];
  return [run];
}

/** The build of a program, which is never imported: ESM only, no types. */
export function application(overrides: Options = {}) {
  return defineConfig({ ...shared, entry: ["src/main.ts"], format: ["esm"], ...overrides });
}
