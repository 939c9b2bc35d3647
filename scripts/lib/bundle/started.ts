import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { filesBelow, root } from "../workspace.mjs";
import { latePartsOf } from "./late-parts.js";
import { withLazyImports } from "./lazy-imports.js";
import { withLazySchemas } from "./lazy-schemas.js";

/** What a host has evaluated when it has its first asset. */
export interface Started {
  /** Modules, as names below `src`. */
  readonly modules: ReadonlySet<string>;
  /** Functions of theirs and declarations of schemas, as `<module>#<name>`. */
  readonly functions: ReadonlySet<string>;
}

/** What stands between the names of a module and of a function in the name of its file. */
const OF = ".late.";

/**
 * What of core is evaluated until then: each module is loaded when first used, each function is a module of its own, and Node is
 * asked what it has loaded.
 */
export async function startedParts(directory: string): Promise<Started> {
  const from = join(directory, "src");
  // Below the package, so that its dependencies are found.
  const to = mkdtempSync(join(directory, "node_modules", ".started-"));
  try {
    await Promise.all(
      filesBelow(from, (file) => /(?<![.]test)[.]ts$|[.]json$/.test(file)).map(async (file) => {
        const text = readFileSync(file, "utf8");
        const target = join(to, relative(from, file)).replace(/ts$/, "js");
        mkdirSync(dirname(target), { recursive: true });
        if (file.endsWith(".json")) return writeFileSync(target, text);
        const { code } = await transform(withLazySchemas(text), { loader: "ts", format: "esm", target: "node20" });
        const parts = latePartsOf(code);
        const fileOf = (name: string) => target.replace(/js$/, `${OF.slice(1)}${name}.js`);
        const neighbour = (path: string) => `./${basename(path)}`;
        await writeCommon(
          target,
          parts.main(new Set(parts.names), (name) => neighbour(fileOf(name))),
          to,
        );
        for (const name of parts.names)
          await writeCommon(fileOf(name), parts.late(new Set([name]), neighbour(target)), to);
      }),
    );
    writeFileSync(join(to, "package.json"), '{"type":"commonjs"}');
    const program = `
      const { openFirstAsset } = await import(${JSON.stringify(join(root, "scripts/lib/first-asset.mjs"))});
      const { createRequire } = await import("node:module");
      const require = createRequire(${JSON.stringify(join(to, "index.js"))});
      const core = { ...require("./index.js") };
      const opened = await openFirstAsset(core);
      await opened.register();
      await opened.close();
      console.log(JSON.stringify(Object.keys(require.cache)));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
    const loaded = (JSON.parse(stdout) as string[]).filter((file) => file.startsWith(to + sep));
    const names = loaded.map((file) => relative(to, file).replaceAll(sep, "/").replace(/js$/, "ts"));
    return {
      modules: new Set(names.filter((name) => !name.includes(OF))),
      functions: new Set(
        names.filter((name) => name.includes(OF)).map((name) => name.replace(/[.]ts$/, "").replace(OF, ".ts#")),
      ),
    };
  } finally {
    rmSync(to, { recursive: true, force: true });
  }
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
