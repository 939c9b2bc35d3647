import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import type { BatchOutcome, Imported, ImportItem } from "../../../src/index.js";
import { eventTypes } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const HOUR = 3_600_000;

let world: World;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const send = async (method: string, path: string, body?: object, headers = {}) => {
  const { token } = world.a.owner;
  const answer = await world.send(method, `/api/v1/${path}`, { token, headers, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const read = (id: string) => send("GET", `ai-assets/${id}`);
const now = () => new Date(world.clock.now()).toISOString();
const later = (ms: number) => {
  world.clock.advance(ms);
  return now();
};

describe("E14 an import", () => {
  const item = (more: object = {}): ImportItem => ({
    name: "a ledger",
    assetType: "application",
    provider: "cmdb",
    externalRef: { id: "ledger-1" },
    ...more,
  });
  const run = async (more: object = {}): Promise<Imported & { readonly id: string }> => {
    const owner = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
    const outcomes: BatchOutcome<Imported>[] = [];
    await world.controlPlane.importAssets(owner, [item(more)], { onOutcome: (one) => void outcomes.push(one) });
    const [done] = outcomes;
    if (!done?.value) throw new Error(JSON.stringify(outcomes));
    return { ...done.value, id: String(done.value.id) };
  };

  it("sees an unchanged asset again, which is no change and no event", async () => {
    const { id } = await run();
    const before = await read(id);
    const events = await eventTypes(world.a);
    const seen = later(1_000);
    expect(await run()).toMatchObject({ outcome: "unchanged", id });
    const after = await read(id);
    expect(after).toMatchObject({ lastSeenAt: seen, firstSeenAt: before.firstSeenAt, updatedAt: before.updatedAt });
    expect(after.editVersion).toBe(before.editVersion);
    expect(await eventTypes(world.a)).toEqual(events);
    await send("PUT", `ai-assets/${id}`, { purpose: "as it was read" }, { "if-match": `"${before.version}"` });
  });

  it("keeps new evidence beside old, the later of two alike, and the newest fifty", async () => {
    const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, "0")}:00.000Z`;
    const { id } = await run({ evidence: [{ source: "scanner", detail: "one", at: at(1) }] });
    await run({ evidence: [{ source: "proxy", detail: "two", at: at(2) }] });
    const sources = async () =>
      (await read(id)).evidence.map(({ source, at }: { source: string; at: string }) => [source, at]);
    expect(await sources()).toEqual([
      ["scanner", at(1)],
      ["proxy", at(2)],
    ]);
    await run({ evidence: [{ source: "scanner", detail: "one", at: at(3) }] });
    expect(await sources()).toEqual([
      ["proxy", at(2)],
      ["scanner", at(3)],
    ]);
    const many = Array.from({ length: 50 }, (_, index) => ({ source: `s${index}`, at: at(index + 5) }));
    await run({ evidence: many });
    expect(await sources()).toHaveLength(50);
    expect(await run({ evidence: many })).toMatchObject({ outcome: "unchanged" });
  });
});

describe("E14 use", () => {
  const observations = async (id: string) => {
    const { version, lastSeenAt, updatedAt } = await read(id);
    return { version, lastSeenAt, updatedAt };
  };

  it("by a decision is noted once an hour for each asset that takes part, unless it is denied", async () => {
    const [tool, other] = [
      await world.a.newAsset({ assetType: "tool" }),
      await world.a.newAsset({ assetType: "agent" }),
    ];
    const relations = [{ type: "uses", targetId: tool }];
    const agent = await world.a.newAsset({ assetType: "agent", relations });
    const before = await observations(agent);
    const decide = () =>
      send("POST", "ai/policies/evaluate", {
        subject: { type: "agent", id: agent },
        action: { name: "call" },
        resource: { type: "tool", id: tool },
      });
    expect((await decide()).status).toBe("deny");
    expect(await observations(agent)).toEqual(before);
    const tests = [{ name: "x", rule: "none", input: { action: { name: "x" } }, expect: "none" }];
    const rules = [{ key: "all", message: "x", effect: "allow", if: "true" }];
    await world.a.newPolicy("runtime", { rules, tests, status: "active" });
    const first = later(HOUR);
    expect((await decide()).status).toBe("allow");
    expect(await observations(agent)).toEqual({ ...before, version: before.version + 1, lastSeenAt: first });
    expect((await read(tool)).lastSeenAt).toBe(first);
    later(HOUR - 1);
    await decide();
    expect(await observations(agent)).toEqual({ ...before, version: before.version + 1, lastSeenAt: first });
    const second = later(1);
    await decide();
    expect((await read(agent)).lastSeenAt).toBe(second);
    expect((await read(other)).lastSeenAt).toBeNull();
  });

  it("by a session is noted at its start, and by what it reports once an hour", async () => {
    const agentId = await world.a.newAsset({ assetType: "agent" });
    const session = await send("POST", "ai/sessions", { agentId });
    const started = await observations(agentId);
    expect(started.lastSeenAt).toBe(now());
    later(HOUR / 2);
    await send("POST", `ai/sessions/${session.id}/usage`, { toolCalls: 1 });
    expect(await observations(agentId)).toEqual(started);
    const hour = later(HOUR / 2);
    await send("POST", `ai/sessions/${session.id}/usage`, { toolCalls: 1 });
    expect(await observations(agentId)).toEqual({ ...started, version: started.version + 1, lastSeenAt: hour });
    await send("POST", `ai/sessions/${session.id}/heartbeat`, {});
    expect((await observations(agentId)).version).toBe(started.version + 1);
  });
});
