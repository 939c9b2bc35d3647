import { readFileSync } from "node:fs";
import { transform } from "esbuild";
import { type LateParts, latePartsOf } from "./late-parts.js";
import { withLazySchemas } from "./lazy-schemas.js";

/** A source without types, whose schemas are declared late. */
export interface OwnModule {
  readonly code: string;
  readonly map: string;
  readonly parts: LateParts;
}

const made = new Map<string, Promise<OwnModule>>();

/** The module of a source, which is made once in a build. */
export function ownModule(path: string): Promise<OwnModule> {
  const module = made.get(path) ?? makeModule(path);
  made.set(path, module);
  return module;
}

async function makeModule(path: string): Promise<OwnModule> {
  const options = { loader: "ts", format: "esm", target: "node20", sourcemap: true, sourcefile: path } as const;
  const { code, map } = await transform(withLazySchemas(readFileSync(path, "utf8")), options);
  return { code, map, parts: latePartsOf(code) };
}
