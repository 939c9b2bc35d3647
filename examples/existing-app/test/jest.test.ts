import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const JEST = fileURLToPath(new URL("../node_modules/jest/bin/jest.js", import.meta.url));

// A process with CommonJS and the built packages, like the tests of an existing application.
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
