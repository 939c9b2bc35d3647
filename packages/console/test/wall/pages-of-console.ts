import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const areas = fileURLToPath(new URL("../../app/areas", import.meta.url));

/** The addresses that the areas of the console declare, as `estate/assets/$id`. */
export function declaredPages(): readonly string[] {
  return readdirSync(areas, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("routes.tsx"))
    .flatMap((file) => readFileSync(join(areas, file), "utf8").split("createRoute(").slice(1))
    .map((declared) => /(?:path: |below\()"([^"]*)"/.exec(declared)?.[1] ?? "")
    .sort();
}
