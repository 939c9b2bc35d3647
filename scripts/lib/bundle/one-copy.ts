import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { transform } from "esbuild";
import { refuseCircles, withConstants } from "./constant-imports.js";
import { LAZY } from "./lazy-bundle.js";
import { withLazyImports } from "./lazy-imports.js";

const require = createRequire(import.meta.url);

/**
 * Converts a build of ES modules to CommonJS, and adds an ES module per entry that re-exports it. A process thus gets
 * one copy by import and require(), even where require() only supports CommonJS, as in Jest.
 */
export async function oneCopy(directory: string, entries: readonly string[]): Promise<void> {
  const modules = readdirSync(directory).filter((file) => file.endsWith(".js"));
  const imports = new Map<string, readonly string[]>();
  for (const file of modules) {
    const { text: bundled, neighbours } = withConstants(
      readFileSync(join(directory, file), "utf8"),
      (neighbour) => !neighbour.startsWith(`./${LAZY}`),
    );
    imports.set(`./${file}`, neighbours);
    const from = readFileSync(join(directory, `${file}.map`));
    const { code, map } = await transform(withInlineMap(bundled, from), {
      banner: '"use strict";',
      format: "cjs",
      platform: "node",
      target: "node20",
      sourcemap: "external",
      sourcesContent: false,
      supported: { "dynamic-import": false },
    });
    const text = withLazyImports(code).replaceAll(/require\("\.\/([\w-]+)\.js"\)/g, 'require("./$1.cjs")');
    const written = file.replace(/js$/, "cjs");
    const isMapped = hasMappings(from);
    writeFileSync(join(directory, written), isMapped ? `${text}//# sourceMappingURL=${written}.map\n` : text);
    if (isMapped) writeFileSync(join(directory, `${written}.map`), map);
    for (const old of [file, `${file}.map`]) rmSync(join(directory, old));
  }
  refuseCircles(imports);
  refuseEarly(resolve(directory), entries);
  for (const entry of entries) {
    const names = Object.keys(require(resolve(directory, `${entry}.cjs`)) as object).sort();
    const text = `import all from "./${entry}.cjs";\nexport const {${names.join(",")}} = all;\n`;
    writeFileSync(join(directory, `${entry}.js`), text);
  }
}

/** Whether a source map leads anywhere. That of a chunk of bundled packages alone does not. */
function hasMappings(map: Buffer): boolean {
  return /[^;]/.test((JSON.parse(map.toString()) as { readonly mappings: string }).mappings);
}

/** A text with its source map, in the form that esbuild reads. The steps between keep each line where it was. */
function withInlineMap(text: string, map: Buffer): string {
  return `${text.replace(/\n\/\/# sourceMappingURL=.*/, "")}\n//# sourceMappingURL=data:application/json;base64,${map.toString("base64")}`;
}

/** Throws when the first entry loads at once what is to be loaded late, or when a late module cannot be loaded first. */
function refuseEarly(directory: string, [first]: readonly string[]): void {
  const late = readdirSync(directory).filter((file) => file.startsWith(LAZY) && file.endsWith(".cjs"));
  const loaded = () => late.filter((file) => require.cache[join(directory, file)] !== undefined);
  require(join(directory, `${first}.cjs`));
  if (loaded().length > 0) throw new Error(`loaded at once: ${loaded().join(", ")}`);
  for (const file of late) {
    require(join(directory, file));
    for (const each of loaded()) delete require.cache[join(directory, each)];
  }
}
