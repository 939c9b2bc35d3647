import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { LAZY } from "./lazy-bundle.js";

const require = createRequire(import.meta.url);

/** The module of core that holds the interface descriptions of the usual mounts, empty in the sources. */
export const DESCRIPTIONS = "families/platform/reference/made-descriptions.ts";

/** The address of the description, at which it is cut. */
const ADDRESS = "https://reeve.invalid";

/** The mounts of a host that sets none, and those of the standalone server. Each takes a hundred kilobytes of the package. */
const USUAL = [
  { rootRoutes: false, doors: false },
  { rootRoutes: true, doors: true },
];

/** Has the built core make its interface descriptions, and puts them into the chunk that is for them. */
export async function makeDescriptions(directory: string): Promise<void> {
  const file = readdirSync(directory).find(
    (name) => name.startsWith(`${LAZY}made-descriptions-`) && name.endsWith(".cjs"),
  );
  if (file === undefined) throw new Error("the build has no chunk for interface descriptions");
  const path = resolve(directory, file);
  const { descriptionName } = require(
    path,
  ) as typeof import("../../../packages/core/src/families/platform/reference/made-descriptions.js");
  const core = require(resolve(directory, "index.cjs")) as typeof import("../../../packages/core/src/index.js");
  const made: Record<string, readonly string[]> = {};
  for (const mounts of USUAL) {
    const controlPlane = core.createControlPlane({
      store: core.createMemoryStore(),
      masterKey: Buffer.from("q83vEjRWeJq83vASNFZ4mrze8BI0VniavN7wEjRWeJo=", "base64"),
      baseUrl: ADDRESS,
      ...mounts,
    });
    const parts = JSON.stringify(controlPlane.openapi()).split(JSON.stringify(ADDRESS));
    made[descriptionName(mounts)] = parts.map((part) => gzipSync(part, { level: 9 }).toString("base64"));
    await controlPlane.close();
  }
  const text = readFileSync(path, "utf8");
  const filled = text.replace("MADE = {}", () => `MADE = ${JSON.stringify(made)}`);
  if (filled === text) throw new Error(`${join(directory, file)} has no place for interface descriptions`);
  writeFileSync(path, filled);
}
