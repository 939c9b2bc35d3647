import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { program } from "@reeve/testkit/programs";
import { describe, expect, inject, it } from "vitest";

const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const config = fileURLToPath(new URL("./fixtures/runtimes.config.ts", import.meta.url));
const folder = (name: string) => `/opt/reeve-runtimes/node_modules/${name}/bin`;

const runtimes = [
  ["node:sqlite in Node 24", program("node", "npm:node@24.21.0", folder("node")), []],
  ["bun:sqlite in Bun 1.4", program("bun.exe", "npm:bun@1.4.5", folder("bun")), ["--bun"]],
] as const;

describe.each(runtimes)("on %s", (driver, { path = "", note }, before) => {
  it.skipIf(path === "")(`the store passes the contract suite${note}`, async () => {
    const child = spawn(path, [...before, vitest, "run", "--config", config, "--reporter=json"], {
      env: {
        ...process.env,
        REEVE_TEST_DRIVER: driver.split(" ", 1)[0],
        REEVE_TEST_FOLDER: inject("temporaryFolder"),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [report, complaint] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      report += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-4_000);
    });
    await once(child, "close");
    const reported = /^\{.*"numPassedTests".*\}$/m.exec(report)?.[0];
    expect(reported, complaint).toBeDefined();
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(reported as string) as {
      numPassedTests: number;
      numFailedTests: number;
      testResults: { message: string; assertionResults: { status: string; fullName: string }[] }[];
    };
    const failed = testResults.flatMap(({ assertionResults }) =>
      assertionResults.flatMap(({ status, fullName }) => (status === "failed" ? fullName : [])),
    );
    expect([numFailedTests, failed, testResults.map(({ message }) => message)]).toEqual([0, [], [""]]);
    expect(numPassedTests).toBeGreaterThan(500);
  });
});
