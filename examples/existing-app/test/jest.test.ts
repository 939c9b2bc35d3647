import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const JEST = fileURLToPath(new URL("../node_modules/jest/bin/jest.js", import.meta.url));

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
