import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const read = async (scene = world.a) => {
  const { json } = await scene.send("GET", "/api/v1/ai/sessions/running", { token: scene.owner.token });
  return json;
};

describe("what sessions spend", () => {
  const spend = async (scene = world.a) =>
    (await scene.send("GET", "/api/v1/ai/sessions/spend", { token: scene.owner.token })).json;
  const report = async (id: string, usage: object) => {
    const { a } = world;
    const told = await a.send("POST", `/api/v1/ai/sessions/${id}/usage`, { token: a.owner.token, body: usage });
    expect(told.status, told.text).toBe(200);
  };

  it("is summed by the minute in which it was reported, of one tenant", async () => {
    const { a, b } = world;
    const [one, two] = [await a.newSession(), await a.newSession()];
    await report(one, { costUsd: 0.25, inputTokens: 10 });
    await report(one, { costUsd: 0.25 });
    await report(two, { toolCalls: 3 });
    world.clock.advance(2 * 60_000);
    await report(two, { costUsd: 1 });
    const { complete, minutes } = await spend();
    expect([complete, minutes.length]).toEqual([true, 60]);
    expect(minutes.slice(-4)).toMatchObject([
      { sessions: 0, usage: { costUsd: 0 } },
      { sessions: 2, usage: { costUsd: 0.5, inputTokens: 10, toolCalls: 3 } },
      { sessions: 0, usage: { costUsd: 0 } },
      { sessions: 1, usage: { costUsd: 1 } },
    ]);
    const other = await spend(b);
    expect(other.minutes.every(({ sessions }: { sessions: number }) => sessions === 0)).toBe(true);
  });

  it("is not known where more has happened than is looked at", async () => {
    const { a } = world;
    const session = await a.newSession();
    await report(session, { costUsd: 1 });
    world.clock.advance(60_000);
    const asked = {
      subject: { type: "user", id: "ada" },
      action: { name: "look" },
      resource: { type: "room", id: "1" },
    };
    const body = { ...asked, evaluations: Array.from({ length: 100 }, () => ({})) };
    for (let batch = 0; batch < 10; batch += 1) {
      const decided = await a.send("POST", "/api/v1/ai/policies/evaluate", { token: a.owner.token, body });
      expect(decided.status, decided.text).toBe(201);
    }
    const { complete, minutes } = await spend();
    expect([complete, minutes.at(-2)]).toMatchObject([false, { sessions: null, usage: null }]);
  });
});

describe("what runs", () => {
  it("is counted by the team of its agents, and by the servers and models that these use", async () => {
    const { a } = world;
    const before = await read();
    const post = async (path: string, body: object) => {
      const made = await a.send("POST", path, { token: a.owner.token, body: { name: a.unique(), ...body } });
      expect(made.status, made.text).toBe(201);
      return made.json;
    };
    const team = { type: "team", id: "claims", name: "Claims" };
    const { assetId: model } = await post("/api/v1/ai/models", {});
    const { assetId: server } = await post("/api/v1/ai/mcp-servers", { url: "https://mcp.example/running" });
    const first = await post("/api/v1/ai/agents", { team, modelIds: [model], mcpServerIds: [server] });
    const second = await post("/api/v1/ai/agents", { team, modelIds: [model] });
    for (const { assetId } of [first, first, second]) await a.newSession({ agentId: assetId });
    const suspended = await a.newSession({ agentId: second.assetId });
    await a.askSession(suspended, "suspend", { reason: "to see that it is counted" });
    const over = await a.newSession({ agentId: second.assetId });
    await a.askSession(over, "terminate", { reason: "to see that it is not counted" });
    const running = await read();
    expect(running.active - before.active).toBe(3);
    expect(running.complete).toBe(true);
    const ofClaims = running.teams.find(({ id }: { id: string | null }) => id === "claims");
    expect(ofClaims).toEqual({ id: "claims", name: "Claims", agents: 2, active: 3, suspended: 1 });
    const named = (items: readonly { id: string }[], id: string) => items.find((item) => item.id === id);
    expect(named(running.models, model)).toMatchObject({ agents: 2, active: 3, suspended: 1, version: 1 });
    expect(named(running.servers, server)).toMatchObject({ agents: 1, active: 2, suspended: 0 });
  });

  it("is of one tenant", async () => {
    const { a, b } = world;
    const before = await read(b);
    await a.newSession();
    expect(await read(b)).toEqual(before);
  });
});
