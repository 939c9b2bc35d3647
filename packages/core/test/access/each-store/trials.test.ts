import { table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { READ, toolBench, WRITE } from "../../helpers/agent-tools.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const get = async (path: string) => (await world.send("GET", `/api/v1${path}`, { token: world.a.owner.token })).json;

/** Names of switches by which a caller may want something not to be real, or not to be recorded. */
const TRIAL = /dry|preview|simul|synthetic|shadow|silent|quiet|trial|what.?if|execute|log|record|track|count|test/i;

/** The names of all switches that a schema of a request knows, at any depth. */
function switchesOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return [];
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if ((inner as { type?: unknown } | null)?.type === "boolean") found.add(name);
      walk(inner);
    }
  };
  walk(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }));
  return [...found];
}

describe("what a caller says of a request does not decide whether it is recorded", () => {
  it("each switch of a request that sounds so is among those that are tried here or kept on the record", () => {
    const found = table.flatMap(({ id, body, query }) =>
      [...switchesOf(body), ...switchesOf(query)].filter((name) => TRIAL.test(name)).map((name) => `${id} ${name}`),
    );
    expect([...new Set(found)].filter((one) => !/ skipTest$/.test(one)).sort()).toEqual([
      // Only says what it would do, by Reeve's own account: access of an asset is not used.
      "accessAssignments.repair dryRun",
      // That silence ends access is confirmed by it, and recorded.
      "accessCertifications.create confirmSilentRevoke",
      "accessDrift.repair dryRun",
      // Counted as any call.
      "agentTools.execute dryRun",
      // Listed as a use and as a test, and hands on nothing of what was read.
      "agentTools.runtimeTest execute",
      // Stores nothing, as import-dry-run.test.ts shows: there is no act to record.
      "aiAssets.import dryRun",
      // The run is stored with its numbers.
      "aiEvaluations.run dryRun",
    ]);
  });

  it.each([
    ["reads", READ],
    ["writes", WRITE],
    ["is not opened", { tool: "unknown", arguments: {} }],
  ])("a dry run of a tool that %s counts as a use", async (_what, call) => {
    const bench = await toolBench(world);
    const { token } = await bench.issue();
    const { status } = await bench.run(token, { ...call, dryRun: true });
    const uses = (await get(`/ai-assets/${bench.assetId}/access-usage`)).items;
    expect(uses).toMatchObject([
      { synthetic: false, source: "gateway", outcome: status === 200 ? "success" : "denied" },
    ]);
    const summary = await get(`/ai-assets/${bench.assetId}/access-usage/summary`);
    expect(summary.total).toBe(1);
    const { lastUsedAt } = await bench.read(bench.assignmentId);
    expect(lastUsedAt).toBe(status === 200 ? uses[0].at : null);
  });
});
