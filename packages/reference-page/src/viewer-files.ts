import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** The files of Swagger UI that the page loads, and their content types. */
export const VIEWER_FILES = {
  "swagger-ui.css": "text/css",
  "swagger-ui-bundle.js": "text/javascript",
  "favicon-32x32.png": "image/png",
} as const;

/** The path of a file of Swagger UI: in this package after a build, else in the npm package. */
export function locateViewerFile(name: string): string {
  const built = fileURLToPath(new URL(`./swagger-ui/${name}`, import.meta.url));
  return existsSync(built) ? built : createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
}
