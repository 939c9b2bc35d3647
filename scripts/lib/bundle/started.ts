import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { filesBelow, root } from "../workspace.mjs";
import { withLazyImports } from "./lazy-imports.js";
import { ownModule } from "./own-module.js";

/** What a host has evaluated when it has its first asset. */
export interface Started {
  /** Modules, as names below `src`. */
  readonly modules: ReadonlySet<string>;
  /** Functions of theirs and declarations of schemas, as `<module>#<name>`. */
  readonly functions: ReadonlySet<string>;
}

/** The global set in which functions note that they were called or read. */
const NOTES = "reeveStartedFunctions";

/**
 * What of core is evaluated until then: each module is loaded when first used, its functions are in a module beside it and note their
 * use, and Node is asked which modules it has loaded.
 */
export async function startedParts(directory: string): Promise<Started> {
  const from = join(directory, "src");
  // Below the package, so that its dependencies are found.
  const to = mkdtempSync(join(directory, "node_modules", ".started-"));
  try {
    const files = filesBelow(from, (file) => /(?<![.]test)[.]ts$|[.]json$/.test(file));
    await Promise.all(files.map((file) => writeNoting(file, relative(from, file).replaceAll(sep, "/"), to)));
    writeFileSync(join(to, "package.json"), '{"type":"commonjs"}');
    const program = `
      globalThis.${NOTES} = new Set();
      const { openFirstAsset } = await import(${JSON.stringify(join(root, "scripts/lib/first-asset.mjs"))});
      const { createRequire } = await import("node:module");
      const require = createRequire(${JSON.stringify(join(to, "index.js"))});
      const core = { ...require("./index.js") };
      const opened = await openFirstAsset(core);
      await opened.register();
      await opened.close();
      console.log(JSON.stringify({ files: Object.keys(require.cache), functions: [...${NOTES}] }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
    const { files: loaded, functions } = JSON.parse(stdout) as { files: string[]; functions: string[] };
    const own = loaded.filter((file) => file.startsWith(to + sep));
    const names = own.map((file) => relative(to, file).replaceAll(sep, "/").replace(/js$/, "ts"));
    return { modules: new Set(names), functions: new Set(functions) };
  } finally {
    rmSync(to, { recursive: true, force: true });
  }
}

/** Writes a source as two modules of CommonJS: itself, and its functions, which note their use. */
async function writeNoting(file: string, name: string, to: string): Promise<void> {
  const target = join(to, name).replace(/ts$/, "js");
  mkdirSync(dirname(target), { recursive: true });
  if (file.endsWith(".json")) return writeFileSync(target, readFileSync(file));
  const { parts } = await ownModule(file);
  const late = target.replace(/js$/, "late.js");
  const all = new Set(parts.names);
  const neighbour = (path: string) => `./${basename(path)}`;
  const noted = (part: string) => `${NOTES}.add(${JSON.stringify(`${name}#${part}`)});`;
  await writeCommon(
    target,
    parts.main(all, () => neighbour(late)),
    to,
  );
  if (all.size === 0) return;
  await writeCommon(late, parts.late(all, neighbour(target), noted), to);
  // One that is read and not called, as a handler in a table, has to be there as well.
  const get = `get: (all, part) => (${NOTES}.add(${JSON.stringify(`${name}#`)} + String(part)), all[part])`;
  appendFileSync(late, `\nmodule.exports = new Proxy(module.exports, { ${get} });\n`);
}

/** Writes an ES module as one of CommonJS whose imports are loaded when first used. */
async function writeCommon(target: string, module: string, to: string): Promise<void> {
  const { code } = await transform(module, { format: "cjs", target: "node20", banner: '"use strict";' });
  writeFileSync(target, withLazyImports(withPaths(code, target, to)));
}

/** The code with relative paths in place of `#` names. */
function withPaths(code: string, file: string, to: string): string {
  return code.replaceAll(/require\("#([^"]+)"\)/g, (_, name: string) => {
    const path = relative(dirname(file), resolve(to, name)).replaceAll(sep, "/");
    return `require("${path.startsWith(".") ? path : `./${path}`}")`;
  });
}
