import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const JEST = fileURLToPath(new URL("../node_modules/jest/bin/jest.js", import.meta.url));

// A process with CommonJS and the built packages, like the tests of an existing application.
it("runs the shop's own Jest tests", async () => {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const run = await new Promise<{ error: Error | null; reported: string }>((resolve) => {
    execFile(process.execPath, [JEST, "--ci", "--json"], { cwd }, (error, reported, log) =>
      resolve({ error, reported: error ? `${reported}\n${log}` : reported }),
    );
  });
  expect(run.error, run.reported).toBeNull();
  expect(JSON.parse(run.reported)).toMatchObject({ numPassedTests: 5, numTotalTests: 5 });
});
