import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConsolePages } from "@reeve/core";
import type { Metafile } from "esbuild";
import { buildApp } from "../build-app.js";
import { type BuiltPages, readPages } from "../src/built-pages.js";
import { pagesWith } from "../src/index.js";
import type { ConsoleOptions } from "../src/options.js";

interface Built {
  readonly folder: string;
  readonly pages: BuiltPages;
  readonly metafile: Metafile;
}

let built: Promise<Built> | undefined;

/** The pages as the sources make them now, built once for all tests of a worker. */
export function builtConsole(): Promise<Built> {
  built ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), "reeve-console-"));
    const metafile = await buildApp(folder);
    return { folder, metafile, pages: readPages(folder) };
  })();
  return built;
}

/** The option `console` of a control plane, with pages of the present sources. */
export async function consoleOption(options: ConsoleOptions = {}): Promise<ConsolePages> {
  return pagesWith((await builtConsole()).pages, options);
}
