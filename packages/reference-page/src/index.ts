import { readFileSync } from "node:fs";
import type { ReferenceAssets } from "@reeve/core";
import { INDEX_HTML, START_SCRIPT } from "./page.js";
import { locateViewerFile, VIEWER_FILES } from "./viewer-files.js";

const CLIENT_CALLS = "client-calls.mjs";

/**
 * The files of the reference page, for the option `reference` of `createControlPlane`: Swagger UI over `/openapi.json`.
 * They are read once, here. The page loads nothing from elsewhere.
 */
export function referencePage(): ReferenceAssets {
  const text = (contentType: string, body: string) => ({ contentType, body: new TextEncoder().encode(body) });
  const files = new Map<string, { contentType: string; body: Uint8Array }>([
    ["index.html", text("text/html", INDEX_HTML)],
    ["start.js", text("text/javascript", START_SCRIPT)],
  ]);
  // Next to this file, in the sources and after a build.
  const calls = readFileSync(new URL(`./${CLIENT_CALLS}`, import.meta.url));
  files.set(CLIENT_CALLS, { contentType: "text/javascript", body: calls });
  for (const [name, contentType] of Object.entries(VIEWER_FILES)) {
    files.set(name, { contentType, body: readFileSync(locateViewerFile(name)) });
  }
  return { get: (name) => files.get(name) };
}
