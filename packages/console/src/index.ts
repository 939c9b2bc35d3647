import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ConsolePages } from "@reeve/core";
import { type BuiltPages, readPages } from "./built-pages.js";
import { type ConsoleOptions, checkOptions } from "./options.js";

export type { ConsoleLink, ConsoleLogo, ConsoleOptions } from "./options.js";

/**
 * The pages of the console, for the option `console` of `createControlPlane`: they are served below `/console`. Their files
 * are read once, here. The pages load nothing from elsewhere.
 */
export function consolePages(options: ConsoleOptions = {}): ConsolePages {
  return pagesWith(readPages(ownFolder()), options);
}

/** These built pages as a host wants them. */
export function pagesWith({ html, assets }: BuiltPages, options: ConsoleOptions): ConsolePages {
  checkOptions(options);
  const { name = "Reeve", logo, accent = null, links = [], areas = null, refuseHidden = false } = options;
  const files = new Map(assets);
  const logoName = logo && `logo-${createHash("sha256").update(logo.body).digest("hex").slice(0, 16)}`;
  if (logo && logoName) files.set(logoName, logo);
  return {
    settings: { name, logo: logoName ?? null, accent, links, areas, refuseHidden },
    page: (base) => html.replace("{base}", base),
    asset: (asset) => files.get(asset),
  };
}

/** Next to this file after a build, and in `dist` seen from the sources. */
function ownFolder(): string {
  const [built, sources] = ["./app/", "../dist/app/"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const found = [built, sources].find((folder) => folder !== undefined && existsSync(`${folder}/index.html`));
  if (found === undefined) throw new Error("The pages of the console are not built: run `npm run build`.");
  return found;
}
