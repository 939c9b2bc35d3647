import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { transform } from "esbuild";
import { refuseCircles, withConstants } from "./constant-imports.js";

const require = createRequire(import.meta.url);

/**
 * Converts a build of ES modules to CommonJS, and adds an ES module per entry that re-exports it. A process thus gets
 * one copy by import and require(), even where require() only supports CommonJS, as in Jest.
 */
export async function oneCopy(directory: string, entries: readonly string[]): Promise<void> {
  const modules = readdirSync(directory).filter((file) => file.endsWith(".js"));
  const imports = new Map<string, readonly string[]>();
  for (const file of modules) {
    const { text: bundled, neighbours } = withConstants(readFileSync(join(directory, file), "utf8"));
    imports.set(`./${file}`, neighbours);
    const { code } = await transform(bundled, {
      banner: '"use strict";',
      format: "cjs",
      platform: "node",
      target: "node20",
      minifyWhitespace: true,
      supported: { "dynamic-import": false },
    });
    const text = code.replaceAll(/require\("\.\/([\w-]+)\.js"\)/g, 'require("./$1.cjs")');
    writeFileSync(join(directory, file.replace(/js$/, "cjs")), text);
    rmSync(join(directory, file));
  }
  refuseCircles(imports);
  for (const entry of entries) {
    const names = Object.keys(require(resolve(directory, `${entry}.cjs`)) as object).sort();
    const text = `import all from "./${entry}.cjs";\nexport const {${names.join(",")}} = all;\n`;
    writeFileSync(join(directory, `${entry}.js`), text);
  }
}
