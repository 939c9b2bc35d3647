import type { Answer, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const reason = "a reason of more than ten characters";
const PATH = "/api/v1/ai/sessions";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const send = (method: string, path: string, body?: object, scene = world.a): Promise<Answer> =>
  world.send(method, path, { token: scene.owner.token, ...(body ? { body } : {}) });
const ask = (id: string, verb: string, body: object = { reason }) => send("POST", `${PATH}/${id}/${verb}`, body);
const read = async (id: string) => (await send("GET", `${PATH}/${id}`)).json;
const later = (seconds: number) => new Date(world.clock.now() + seconds * 1_000).toISOString();

describe("limits", () => {
  it("of the agent's own record bind all its sessions, from the next sign of life on when they change", async () => {
    const agentId = await world.a.newAsset({ assetType: "agent" });
    const { items } = (await send("GET", "/api/v1/ai/agents?size=100")).json;
    const agent = items.find(({ assetId }: { assetId: string }) => assetId === agentId);
    const bound = (limits: object) => send("PUT", `/api/v1/ai/agents/${agent.id}`, { limits });
    await bound({ maxIterations: 5, maxCostUsd: 2 });
    const started = await send("POST", PATH, { agentId: agent.id, limits: { maxIterations: 9, idleTimeoutSec: 60 } });
    const { id } = started.json;
    expect(started.json).toMatchObject({
      agentId,
      limits: { maxIterations: 9 },
      limitsInForce: { maxIterations: 5, maxCostUsd: 2, maxDurationSec: null, idleTimeoutSec: 60 },
    });
    await ask(id, "usage", { iterations: 3 });
    await bound({ maxIterations: 3 });
    expect((await ask(id, "heartbeat", {})).json).toMatchObject({
      status: "suspended",
      control: { reason: "limit_reached:maxIterations" },
    });
    expect((await send("PUT", `${PATH}/${id}`, { limits: {} })).json.limitsInForce.maxIterations).toBe(3);
  });

  it("take an identity by its own id or by that of its asset", async () => {
    const identityId = await world.a.newIdentity();
    const { assetId } = (await send("GET", `/api/v1/ai/identities/${identityId}`)).json;
    for (const given of [identityId, assetId])
      expect((await send("POST", PATH, { identityId: given })).json.identityId).toBe(identityId);
  });

  it.each([
    ["maxIterations", { maxIterations: 2 }, { iterations: 2 }],
    ["maxCostUsd", { maxCostUsd: 0.3 }, { costUsd: 0.3 }],
  ])("suspend the session that reaches %s, and hold it until it is raised", async (name, limits, usage) => {
    const id = await world.a.newSession({ limits });
    expect((await ask(id, "usage", usage)).json).toMatchObject({
      status: "suspended",
      usage,
      control: { requested: "suspend", by: "system", triggeredBy: "policy", reason: `limit_reached:${name}` },
      enforcement: { state: "unconfirmed" },
    });
    expect((await ask(id, "resume")).json).toMatchObject({
      guards: expect.arrayContaining([{ key: "withinLimits", ok: false, detail: expect.any(String) }]),
    });
    await send("PUT", `${PATH}/${id}`, { limits: { [name]: 10 } });
    expect((await ask(id, "resume")).json.status).toBe("active");
  });

  it("of time are seen by the next sign of life, and small costs add up", async () => {
    const id = await world.a.newSession({ limits: { maxDurationSec: 60, maxCostUsd: 1 } });
    for (let index = 0; index < 9; index += 1) await ask(id, "usage", { costUsd: 0.1 });
    expect(await read(id)).toMatchObject({ status: "active", usage: { costUsd: 0.9 } });
    world.clock.advance(60_000);
    expect((await ask(id, "heartbeat", {})).json).toMatchObject({
      status: "suspended",
      control: { reason: "limit_reached:maxDurationSec" },
    });
  });

  it("E9 of time hold the session at once, for readers, lists and the store, until they are raised", async () => {
    const agentId = await world.a.newAsset({ assetType: "agent" });
    const limits = { maxDurationSec: 60 };
    const { id } = (await send("POST", PATH, { agentId, limits })).json;
    world.clock.advance(59_999);
    expect((await read(id)).status).toBe("active");
    world.clock.advance(1);
    const held = await read(id);
    expect(held).toMatchObject({
      status: "suspended",
      endedAt: null,
      controlEpoch: 1,
      control: { requested: "suspend", by: "system", at: later(0), reason: "limit_reached:maxDurationSec" },
    });
    const listed = async (status: string) =>
      (await send("GET", `${PATH}?agentId=${agentId}&status=${status}`)).json.items.map(
        (one: { id: string }) => one.id,
      );
    expect([await listed("active"), await listed("suspended")]).toEqual([[], [id]]);
    await world.controlPlane.tick();
    expect(await read(id)).toMatchObject({ status: "suspended", controlEpoch: 1, control: held.control });
    expect((await ask(id, "resume")).json.code).toBe("transition_guard_failed");
    await send("PUT", `${PATH}/${id}`, { limits: { maxDurationSec: 90 } });
    expect((await ask(id, "resume")).json).toMatchObject({ status: "active", controlEpoch: 2 });
    world.clock.advance(30_000);
    expect((await ask(id, "heartbeat", {})).json).toMatchObject({ status: "suspended", controlEpoch: 3 });
  });

  it("E9 of the agent that were raised since hold no session back from being resumed", async () => {
    const agentId = await world.a.newAsset({ assetType: "agent" });
    const { items } = (await send("GET", "/api/v1/ai/agents?size=100")).json;
    const agent = items.find((one: { assetId: string }) => one.assetId === agentId);
    const bound = (limits: object) => send("PUT", `/api/v1/ai/agents/${agent.id}`, { limits });
    await bound({ maxIterations: 2 });
    const { id } = (await send("POST", PATH, { agentId, limits: { maxIterations: 3 } })).json;
    expect((await ask(id, "usage", { iterations: 2 })).json.status).toBe("suspended");
    await send("PUT", `${PATH}/${id}`, { limits: { maxIterations: 9 } });
    expect((await ask(id, "resume")).status).toBe(409);
    await bound({ maxIterations: 8 });
    expect((await ask(id, "resume")).json).toMatchObject({ status: "active", limitsInForce: { maxIterations: 8 } });
  });

  it("count what an ended session has cost after all", async () => {
    const id = await world.a.newSession();
    await ask(id, "terminate");
    expect((await ask(id, "usage", { outputTokens: 7 })).json).toMatchObject({
      status: "terminated",
      usage: { outputTokens: 7 },
    });
    expect((await ask(id, "heartbeat", { pepId: "late" })).json).toMatchObject({ enforcementPoints: [] });
  });
});
