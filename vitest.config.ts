import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const packages = fileURLToPath(new URL("./packages", import.meta.url));

const sources = {
  resolve: {
    // Tests run on the sources, so they need no build.
    alias: [
      {
        find: /^@reeve\/testkit\/(hostile-policies|mail|mcp|postgres)$/,
        replacement: `${packages}/testkit/src/$1/index.ts`,
      },
      { find: /^@reeve\/([a-z-]+)$/, replacement: `${packages}/$1/src/index.ts` },
    ],
  },
};
const patience = { testTimeout: 120_000, hookTimeout: 120_000 };

/** Rules that hold whatever keeps the data: the test files of core that take a world or an `emptyStore` of no stated kind. */
const rules = readdirSync(`${packages}/core/test`)
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `${packages}/core/test/${name}`)
  .filter((file) => readFileSync(file, "utf8").match(/from "\.\/support\/world\.js"|\bemptyStore\b/));

const rulesOn = (store: "sqlite" | "postgres"): TestProjectInlineConfiguration => ({
  ...sources,
  test: { name: store, include: rules, provide: { store }, ...patience },
});

export default defineConfig({
  ...sources,
  test: {
    // One for each core: half of what a worker does is to wait for a database or a server of its own.
    maxWorkers: Math.max(2, availableParallelism()),
    globalSetup: ["scripts/lib/vitest-postgres.ts"],
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
          ...patience,
        },
      },
      rulesOn("sqlite"),
      rulesOn("postgres"),
    ],
  },
});
