import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const packages = fileURLToPath(new URL("./packages", import.meta.url));

export default defineConfig({
  resolve: {
    // Tests run on the sources, so they need no build.
    alias: [
      { find: /^@reeve\/testkit\/postgres$/, replacement: `${packages}/testkit/src/postgres/index.ts` },
      { find: /^@reeve\/([a-z-]+)$/, replacement: `${packages}/$1/src/index.ts` },
    ],
  },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "examples/*/test/**/*.test.ts",
      "bench/**/*.test.ts",
      "scripts/**/*.test.ts",
    ],
    globalSetup: ["scripts/lib/vitest-postgres.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
