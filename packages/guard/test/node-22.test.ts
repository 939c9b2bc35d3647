import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { program } from "@reeve/testkit/programs";
import { describe, expect, inject, it } from "vitest";
import { guideFile } from "./story/guide.js";
import { CUT_OFF } from "./story/mid-call.js";
import { OVER_A_RESTART } from "./story/restart.js";
import { TWENTY } from "./story/twenty-calls.js";
import { WAYS } from "./story/world.js";

/** Frameworks that ask for Node 22, or whose dependencies do, with their blocks of docs/guides/guards.md. They run on Node 24. */
const node = program("node", "npm:node@24.21.0", "/opt/reeve-runtimes/node_modules/node/bin");
const folder = "/opt/reeve-frameworks";
const frameworks = [
  ["@openai/agents", "0.20.0", "guard-openai"],
  ["ai", "7.0.173", undefined],
  ["@mastra/core", "1.71.0", "guard-mastra"],
] as const;

describe.each(frameworks)("on Node 24, %s %s", (name, version, block) => {
  const { path, note } = program(`${name}/package.json`, `npm:${name}@${version}`, join(folder, "node_modules"));
  const missing = node.path === undefined ? node.note : note;

  it.skipIf(missing !== "")(
    `gives the twenty answers, stops in mid-call and outlives a restart${missing}`,
    async () => {
      expect(path).toBeDefined();
      const guide = block ? guideFile(block, inject("temporaryFolder"), folder, inject("programs")) : "";
      const script = inject("programs")["packages/guard/test/node-22-process.ts"];
      const { stdout } = await promisify(execFile)(node.path as string, [script, folder, name, guide], {
        env: { ...process.env, MASTRA_TELEMETRY_DISABLED: "1", NODE_NO_WARNINGS: "1" },
        maxBuffer: 10_000_000,
      });
      const came = JSON.parse(stdout.slice(stdout.indexOf('{"version"')));
      expect(came.version).toBe(version);
      expect(came.answers).toEqual(WAYS.flatMap((way) => TWENTY.map(([what, expected]) => [way, what, expected])));
      expect(came.midCall).toEqual(WAYS.flatMap(() => [CUT_OFF, CUT_OFF]));
      expect(came.restart.map(([, told]: [string, unknown]) => told)).toEqual(WAYS.map(() => OVER_A_RESTART));
      const told = name === "@openai/agents" ? [expect.stringContaining("Agents wire nothing.")] : [];
      expect(came.besides).toEqual(told);
      expect(came.paid).toEqual(block ? [20] : "");
    },
  );
});
