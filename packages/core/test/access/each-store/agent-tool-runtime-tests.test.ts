import { ConnectorError } from "@reeve/core/connectors";
import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { READ, type ToolBench, toolBench, WRITE } from "../../helpers/agent-tools.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const REASON = { reason: "The agent does not need it." };
const get = async (path: string) => {
  const answer = await world.send("GET", `/api/v1${path}`, { token: world.a.owner.token });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
const usesOf = async ({ assetId }: ToolBench) => (await get(`/ai-assets/${assetId}/access-usage`)).items;

describe("a runtime test", () => {
  const test = async (bench: ToolBench, body: object, token = world.a.owner.token) => {
    const path = `/api/v1/ai-assets/${bench.assetId}/runtime-test`;
    return world.send("POST", path, { token, body });
  };

  it("goes the way of a real call, and counts nowhere as use", async () => {
    const bench = await toolBench(world);
    const { json } = await test(bench, READ);
    expect(json).toMatchObject({ verdict: "pass", usageId: expect.any(String) });
    expect(json.steps.map(({ name }: { name: string }) => name)).toEqual([
      ...["asset", "identity", "assignment", "policy", "token", "tool", "constraints", "connector", "target"],
    ]);
    expect(bench.account.ran).toEqual([]);
    expect((await test(bench, { ...READ, execute: true })).json.verdict).toBe("pass");
    expect(bench.account.ran).toHaveLength(1);
    expect((await bench.read(bench.assignmentId)).lastUsedAt).toBeNull();
    expect(await get(`/access-assignments/${bench.assignmentId}/usage`)).toMatchObject({ total: 0 });
    expect(await usesOf(bench)).toMatchObject([{ synthetic: true, source: "runtime_test" }, { synthetic: true }]);
  });

  it("says where a call would stop, and never writes", async () => {
    const bench = await toolBench(world);
    const stopOf = async (body: object) => {
      const { verdict, steps } = (await test(bench, body)).json;
      const { name, code } = steps.find(({ status }: { status: string }) => status === "fail") ?? {};
      return [verdict, name, code];
    };
    expect(await stopOf({ ...WRITE, execute: true })).toEqual(["blocked", "target", "tool_writes"]);
    expect(await stopOf({ tool: "unknown" })).toEqual(["blocked", "tool", "tool_not_allowed"]);
    const climbing = { tool: "read_note", arguments: { repository: "r/r", path: "../x" } };
    expect(await stopOf(climbing)).toEqual(["blocked", "constraints", "constraint_violation"]);
    bench.account.script = () => {
      throw new ConnectorError("transient", "Down.");
    };
    expect(await stopOf(READ)).toEqual(["fail", "target", "transient"]);
    bench.account.script = undefined;
    await bench.act(bench.assignmentId, "revoke", REASON);
    expect(await stopOf(READ)).toEqual(["blocked", "assignment", "assignment_inactive"]);
    expect((await test(bench, READ, world.b.owner.token)).status).toBe(404);
    expect((await test(bench, READ, world.a.actors.auditor.token)).status).toBe(403);
    expect(bench.account.ran).toEqual([]);
  });
});
