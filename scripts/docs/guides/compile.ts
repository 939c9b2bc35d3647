import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../lib/workspace.mjs";
import type { Block } from "./blocks.js";
import { type Program, programOf } from "./program.js";

const TSC = join(root, "node_modules/typescript-7/bin/tsc");

/** What JavaScript does not have to say: types of parameters and variables, and that a value may be absent. */
const ONLY_TYPESCRIPT =
  /TS(2532|7005|7006|7022|7031|7034|18046|18047|18048):|on type '(unknown|\w+ \| undefined)'|Type '(\(.*\) => )?[\w<| ]*(undefined|null)>?' is not assignable/;

/** What the guides import and the root has not installed. */
export const BORROWED = {
  "@node-saml/node-saml": ["packages/testkit/node_modules/@node-saml/node-saml"],
  canonicalize: ["packages/core/node_modules/canonicalize"],
};

/** Compiles the TypeScript and JavaScript of pages against the sources. Returns the errors, each with its page and line. */
export async function compileErrors(blocksByPage: ReadonlyMap<string, readonly Block[]>, folder: string) {
  mkdirSync(folder, { recursive: true });
  const programs = new Map<string, Program & { readonly blocks: readonly Block[] }>();
  for (const [page, all] of blocksByPage) {
    const blocks = all.filter(isOneFile);
    if (blocks.length === 0) continue;
    const program = programOf(page, blocks);
    const name = `${page.replaceAll(/\W/g, "-")}.ts`;
    writeFileSync(join(folder, name), program.text);
    programs.set(name, { ...program, blocks });
  }
  const output = await compile(folder);
  return output.split("\n").flatMap((line) => {
    const [, file = "", at, error] = /^([^(\s]+)\((\d+),\d+\): (error .*)$/.exec(line) ?? [];
    if (error === undefined) return [];
    const program = programs.get(file);
    if (!program) return [line];
    const place = program.placeOf(Number(at));
    const block = program.blocks.findLast(({ line: fence }) => fence < Number(place.split(":")[1]));
    return block?.language === "js" && ONLY_TYPESCRIPT.test(error) ? [] : [`${place}: ${error}`];
  });
}

/** The guides to frameworks and to guards show projects of their own, which their own tests run. */
const isOneFile = ({ language, name }: Block) =>
  (language === "js" || language === "ts") && !/^(nest-|next-|react-router-|guard-|hono|bun|deno)/.test(name);

/** What the compiler says of the programs in a folder. */
async function compile(folder: string): Promise<string> {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
  const paths = Object.entries<string[]>({ ...compilerOptions.paths, ...BORROWED });
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noUnusedLocals: false,
      noUnusedParameters: false,
      verbatimModuleSyntax: false,
      allowImportingTsExtensions: true,
      typeRoots: [join(root, "node_modules/@types")],
      paths: Object.fromEntries(paths.map(([name, places]) => [name, places.map((place) => join(root, place))])),
    },
    include: ["*.ts", join(root, "scripts/lib/vitest-*.ts")],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  return new Promise((resolve) => {
    const options = [TSC, "--noEmit", "--checkers", "1", "-p", folder, "--pretty", "false"];
    execFile(process.execPath, options, { cwd: folder }, (_error, output) => resolve(output));
  });
}
