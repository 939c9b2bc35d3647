import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { FILES, isQuick } from "./scripts/lib/test-plan.js";

const packages = fileURLToPath(new URL("./packages", import.meta.url));

const sources = {
  resolve: {
    // Tests run on the sources, so they need no build.
    alias: [
      {
        find: /^@reeve\/(connectors|core|guard|store-postgres|testkit)\/([a-z-]+)$/,
        replacement: `${packages}/$1/src/$2/index.ts`,
      },
      { find: /^@reeve\/([a-z-]+)$/, replacement: `${packages}/$1/src/index.ts` },
    ],
  },
};
/** How long tests may take. A Citus cluster answers a write after a dozen round trips. */
const LONGEST_MS = process.env.TEST_CITUS_URL ? 1_200_000 : 120_000;
/** A worker imports each module once for all its files; what a module keeps for a file ends with it. */
const shared = {
  isolate: false,
  provide: { isQuick },
  // Node itself loads sources, in a quarter of the time that the modules of Vite take. Most of what a test makes is dead
  // soon after it, and a larger room for young objects collects it less often.
  execArgv: ["--import", "tsx", "--max-semi-space-size=64"],
  server: { deps: { external: [/\/packages\/[^/]+\/src\/(?!.*\.test\.ts)/] } },
  setupFiles: [
    fileURLToPath(new URL("./scripts/lib/vitest-wait-for.ts", import.meta.url)),
    `${packages}/core/test/helpers/end-of-file.ts`,
  ],
  testTimeout: LONGEST_MS,
  hookTimeout: LONGEST_MS,
  expect: { poll: { timeout: 60_000 } },
};

/** What measures its whole process, and so must be alone in it. */
const inOwnProcess = ["packages/*/test/**/own-process/**/*.test.ts"];

const storeProject = (store: "sqlite" | "postgres"): TestProjectInlineConfiguration => ({
  ...sources,
  test: { ...shared, name: store, ...FILES[store], provide: { ...shared.provide, store } },
});

export default defineConfig({
  ...sources,
  test: {
    // One more than cores: a worker waits for its database, its servers and its processes much of the time.
    maxWorkers: Math.max(2, availableParallelism()) + 1,
    globalSetup: ["folder", "postgres", "programs"].map((name) => `scripts/lib/vitest-${name}.ts`),
    projects: [
      {
        ...sources,
        test: {
          name: "main",
          include: [
            "packages/*/src/**/*.test.ts",
            "packages/*/test/**/*.test.ts",
            "examples/*/test/**/*.test.ts",
            "bench/**/*.test.ts",
            "scripts/**/*.test.ts",
          ],
          exclude: ["**/node_modules/**", ...inOwnProcess, ...FILES.notMain],
          ...shared,
        },
      },
      { ...sources, test: { name: "memory", ...FILES.memory, ...shared } },
      { ...sources, test: { ...shared, name: "own-process", include: inOwnProcess, isolate: true } },
      storeProject("sqlite"),
      storeProject("postgres"),
    ],
  },
});
