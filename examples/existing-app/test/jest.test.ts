import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const JEST = createRequire(import.meta.url).resolve("jest/bin/jest.js");

// A process of its own, as CommonJS and on the built packages: tests as an existing application has them.
it("runs the shop's own Jest tests", async () => {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const run = await new Promise<{ error: Error | null; told: string }>((resolve) => {
    execFile(process.execPath, [JEST, "--ci", "--json"], { cwd }, (error, told, log) =>
      resolve({ error, told: error ? `${told}\n${log}` : told }),
    );
  });
  expect(run.error, run.told).toBeNull();
  expect(JSON.parse(run.told)).toMatchObject({ numPassedTests: 5, numTotalTests: 5 });
});
