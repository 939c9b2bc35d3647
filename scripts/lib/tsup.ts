import { defineConfig, type Options } from "tsup";

const shared: Options = {
  target: "node20",
  tsconfig: "../../tsconfig.build.json",
  removeNodeProtocol: false,
};

/** The build of a published package: ESM, CommonJS and the types of both. */
export function library(overrides: Options = {}) {
  return defineConfig({ ...shared, entry: ["src/index.ts"], format: ["esm", "cjs"], dts: true, ...overrides });
}

/** The build of a program, which is never imported: ESM only, no types. */
export function application(overrides: Options = {}) {
  return defineConfig({ ...shared, entry: ["src/main.ts"], format: ["esm"], ...overrides });
}
