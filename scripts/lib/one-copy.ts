import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { transform } from "esbuild";

const require = createRequire(import.meta.url);

/**
 * Turns a build of ES modules into CommonJS, with an ES module for each entry that only names what that exports. So import and
 * require() give a process the same copy, also where require() knows CommonJS alone, as in Jest.
 */
export async function oneCopy(directory: string, entries: readonly string[]): Promise<void> {
  const modules = readdirSync(directory).filter((file) => file.endsWith(".js"));
  for (const file of modules) {
    const { code } = await transform(readFileSync(join(directory, file), "utf8"), {
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
  for (const entry of entries) {
    const names = Object.keys(require(resolve(directory, `${entry}.cjs`)) as object).sort();
    const text = `import all from "./${entry}.cjs";\nexport const {${names.join(",")}} = all;\n`;
    writeFileSync(join(directory, `${entry}.js`), text);
  }
}
