import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** What the build of the pages wrote. */
export interface BuiltPages {
  /** The page, with `{base}` in place of the base of its links. */
  readonly html: string;
  readonly assets: ReadonlyMap<string, { readonly contentType: string; readonly body: Uint8Array }>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
};

/** Reads the pages that `buildApp` wrote into a folder. */
export function readPages(folder: string): BuiltPages {
  const assets = join(folder, "assets");
  return {
    html: readFileSync(join(folder, "index.html"), "utf8"),
    assets: new Map(
      readdirSync(assets).map((name) => {
        const contentType = TYPES[extname(name)];
        if (contentType === undefined) throw new Error(`no content type is known for ${name}`);
        return [name, { contentType, body: readFileSync(join(assets, name)) }];
      }),
    ),
  };
}
