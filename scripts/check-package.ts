// Packs core and prints its size. Fails beyond the size limits, and when its interface description is not the documented one. The bench measures how long it takes to import.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { LICENCES } from "./lib/bundle/lazy-bundle.js";
import { linkDependencies, packInto } from "./lib/packed.js";
import { root, say, workspacePackages } from "./lib/workspace.mjs";

const KB = 1_024;
/** The package grows with the operations, each of which has its code, its source map and its types with a sentence of each field. */
const PER_OPERATION = { packed: 4.7 * KB, unpacked: 19 * KB, declarations: 1.7 * KB };
/** What does not grow with them: interface descriptions, compressed, and the part of zod that core uses. */
const FIXED = { packed: 300 * KB, unpacked: 650 * KB };
/** The interface of connectors, which is no operation. */
const CONNECTORS = 8 * KB;
const limitsFor = (operations: number) => ({
  packed: Math.round(PER_OPERATION.packed * operations) + FIXED.packed,
  unpacked: Math.round(PER_OPERATION.unpacked * operations) + FIXED.unpacked,
  declarations: Math.round(PER_OPERATION.declarations * operations) + CONNECTORS,
});

async function check(consumer: string): Promise<string[]> {
  const sources = workspacePackages().filter(({ name }) => name === "@reeve/core");
  const [source, core] = [sources[0], packInto(consumer, sources)[0]];
  if (!source || !core) throw new Error("core was not packed");
  linkDependencies(core, source, new Set(), consumer);
  const size = (files: string[]) => files.reduce((sum, file) => sum + statSync(join(core.directory, file)).size, 0);
  const sizes = {
    packed: statSync(core.tarball).size,
    unpacked: size(core.files),
    // One format only, because a program reads either these or the same text as .d.cts.
    declarations: size(core.files.filter((file) => file.endsWith(".d.ts"))),
  };
  for (const [what, bytes] of Object.entries(sizes)) say(`${what} ${Math.ceil(bytes / KB)} KB`);
  const { operations } = await import(pathToFileURL(join(core.directory, "dist/reference.js")).href);
  const limits = limitsFor(operations.length);
  const text = (file: string) => readFileSync(join(core.directory, file), "utf8");
  const maps = core.files.filter((file) => file.endsWith(".map"));
  return [
    ...Object.entries(limits)
      .filter(([what, limit]) => sizes[what as keyof typeof sizes] > limit)
      .map(([what, limit]) => `@reeve/core: ${what} is more than ${Math.floor(limit / KB)} KB`),
    ...maps
      .filter((file) => /"sourcesContent":\s*\[\s*"/.test(text(file)))
      .map((file) => `@reeve/core: ${file} holds sources`),
    ...(core.files.includes(`dist/${LICENCES}`) ? [] : [`@reeve/core: has no ${LICENCES}`]),
    ...(maps.length > 0 ? [] : ["@reeve/core: has no source maps"]),
    ...((await isDescribed(core.directory))
      ? []
      : ["@reeve/core: docs/reference/openapi.json differs from what it gives"]),
  ];
}

/** Whether the interface description that the build made is that of the sources. */
async function isDescribed(directory: string): Promise<boolean> {
  const core = (await import(pathToFileURL(join(directory, "dist/index.js")).href)) as typeof import("@reeve/core");
  const documented = JSON.parse(readFileSync(join(root, "docs/reference/openapi.json"), "utf8"));
  const controlPlane = core.createControlPlane({
    store: core.createMemoryStore(),
    masterKey: randomBytes(32),
    baseUrl: documented.servers[0].url,
    rootRoutes: true,
    doors: true,
    reference: true,
  });
  const answer = await controlPlane.fetch(new Request(`${documented.servers[0].url}/openapi.json`));
  await controlPlane.close();
  return isDeepStrictEqual(await answer?.json(), documented);
}

const consumer = mkdtempSync(join(tmpdir(), "reeve-package-"));
try {
  const problems = await check(consumer);
  for (const problem of problems) say(problem);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  rmSync(consumer, { recursive: true, force: true });
}
