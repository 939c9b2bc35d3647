import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import type { TestProject } from "vitest/node";
import { buildApp } from "../../packages/console/build-app.js";
import { root } from "./workspace.mjs";

declare module "vitest" {
  export interface ProvidedContext {
    /** Programs that tests start as processes, and modules that these load, by the path of their source. */
    programs: Record<Program, string>;
  }
}

type Program = (typeof PROGRAMS)[number];

const PROGRAMS = [
  "packages/core/src/index.ts",
  "packages/core/src/connectors/index.ts",
  "packages/core/src/testing/index.ts",
  "packages/core/test/helpers/issuer-process.ts",
  "packages/core/test/helpers/plane-process.ts",
  "packages/core/test/helpers/rotation-process.ts",
  "packages/core/test/helpers/server-process.ts",
  "packages/guard/src/index.ts",
  "packages/guard/src/ai-sdk/index.ts",
  "packages/guard/src/langchain/index.ts",
  "packages/guard/src/mastra/index.ts",
  "packages/guard/src/mcp/index.ts",
  "packages/guard/src/openai-agents/index.ts",
  "packages/guard/test/node-22-process.ts",
  "packages/store-postgres/test/upgrade-process.ts",
  "packages/store-sqlite/test/upgrade-process.ts",
  "packages/store-sqlite/test/writer-process.ts",
  "packages/server/src/reeve.ts",
  "packages/server/test/command-process.ts",
  "packages/testkit/src/connectors/index.ts",
] as const;

/** Bundles every program once per run, because loading sources would take seconds at each start. */
export default async function setup(project: TestProject) {
  await buildPages();
  const folder = join(project.getProvidedContext().temporaryFolder, "programs");
  await build({
    absWorkingDir: root,
    entryPoints: [...PROGRAMS],
    outbase: root,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // What a program imports only when it needs it stays so.
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // As Node resolves: what packages have for bundlers may be no module that it loads.
    conditions: [],
    tsconfig: join(root, "tsconfig.json"),
    plugins: [installedPackages, ownUrls],
    logLevel: "silent",
  });
  const bundleOf = (program: Program) => [program, join(folder, program.replace(/ts$/, "mjs"))];
  project.provide("programs", Object.fromEntries(PROGRAMS.map(bundleOf)) as Record<Program, string>);
}

/** The server gives its console at a start, so that its tests need the pages even where no build was made. */
async function buildPages(): Promise<void> {
  const pages = join(root, "packages/console/dist/app");
  if (!existsSync(join(pages, "index.html"))) await buildApp(pages);
}

/** Imports installed packages from where they are. Only sources of the workspace are bundled. */
const installedPackages: Plugin = {
  name: "installed packages",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...how }) => {
      if (pluginData === installedPackages || how.kind === "entry-point") return undefined;
      const found = await resolve(path, { ...how, pluginData: installedPackages });
      if (found.external || found.errors.length > 0 || !found.path.includes("/node_modules/")) return found;
      return { path: pathToFileURL(found.path).href, external: true };
    });
  },
};

/** Keeps `import.meta.url` of each source, so that files beside it are found. */
const ownUrls: Plugin = {
  name: "own URLs",
  setup({ onLoad }) {
    onLoad({ filter: /[.]ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: text.replaceAll("import.meta.url", url), loader: "ts" };
    });
  },
};
