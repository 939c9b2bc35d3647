import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { withLazyImports } from "./lazy-imports.js";
import { withLazySchemas } from "./lazy-schemas.js";
import { filesBelow, root } from "./workspace.mjs";

/**
 * The modules of core that a host has evaluated when it has its first asset, as names below `src`: each is loaded when first
 * used, and asked for what it has loaded.
 */
export async function startedModules(directory: string): Promise<ReadonlySet<string>> {
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
        const { code } = await transform(withLazySchemas(text), {
          loader: "ts",
          format: "cjs",
          target: "node20",
          banner: '"use strict";',
        });
        writeFileSync(target, withLazyImports(withPaths(code, target, to)));
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
    const loaded = JSON.parse(stdout) as string[];
    const own = loaded.filter((file) => file.startsWith(to + sep));
    return new Set(own.map((file) => relative(to, file).replace(/js$/, "ts").replaceAll(sep, "/")));
  } finally {
    rmSync(to, { recursive: true, force: true });
  }
}

/** The code with relative paths in place of `#` names. */
function withPaths(code: string, file: string, to: string): string {
  return code.replaceAll(/require\("#([^"]+)"\)/g, (_, name: string) => {
    const path = relative(dirname(file), resolve(to, name)).replaceAll(sep, "/");
    return `require("${path.startsWith(".") ? path : `./${path}`}")`;
  });
}
