import type { Answer, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { sessions } from "#families/sessions/index.js";
import type { Principal } from "#kernel/config/principal.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { ulidSource } from "#ports/ids.js";
import { verifyChain } from "../../../src/index.js";
import { environmentOf } from "../../helpers/environment.js";
import { eventsOf, eventTypes } from "../../helpers/facts.js";
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
const agentOf = async (id: string): Promise<string> => (await read(id)).agentId;
const govern = (assetId: string, status: string) =>
  send("PATCH", `/api/v1/ai-assets/${assetId}/governance-state`, { status, reason });
const retire = (assetId: string, configuration?: object) =>
  send("PATCH", `/api/v1/ai-assets/${assetId}/lifecycle`, {
    status: "retired",
    reason,
    ...(configuration ? { configuration } : {}),
  });

describe("starting a session", () => {
  it("fills in what is not said, and takes it all back as it was read", async () => {
    const agentId = await world.a.newAsset({ assetType: "agent", environment: "staging" });
    const { json, status, headers } = await send("POST", PATH, { agentId });
    expect([status, headers.location]).toEqual([201, `${PATH}/${json.id}`]);
    expect(json).toMatchObject({
      status: "active",
      agentId,
      environment: "staging",
      sensitivity: "public",
      controlEpoch: 0,
      control: null,
      enforcement: { state: "not_required", deadlineAt: null, peps: [] },
      usage: { iterations: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
      depth: 0,
      endedAt: null,
    });
    expect((await send("PUT", `${PATH}/${json.id}`, json)).json).toEqual(json);
    expect((await send("POST", PATH)).json).toMatchObject({ agentId: null, environment: "unknown" });
  });

  it.each([
    ["agentId", "ast_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "invalid_reference"],
    ["agentId", "x", "invalid_reference"],
    ["identityId", "idn_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "invalid_reference"],
    ["userId", "usr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "invalid_reference"],
    ["parentSessionId", "ses_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "invalid_reference"],
    ["expiresAt", "2020-01-01T00:00:00.000Z", "invalid_request"],
    ["sensitivity", "secret", "invalid_request"],
    ["limits", { maxCostUsd: -1 }, "invalid_request"],
    ["limits", { maxIterations: 1.5 }, "invalid_request"],
    ["limits", 7, "invalid_request"],
    ["usage", { iterations: -1 }, "read_only_property"],
    ["controlEpoch", 9, "read_only_property"],
  ])("refuses %s %j", async (name, value, code) => {
    const { json, status } = await send("POST", PATH, { [name]: value });
    expect([status, json.code]).toEqual([400, code]);
    expect(json.errors[0].pointer).toMatch(new RegExp(`^/${name}`));
  });

  it("refuses an asset that is no agent, and another tenant's of each kind", async () => {
    const { a, b } = world;
    const model = await a.newAsset({ assetType: "model" });
    const session = await b.newSession();
    const foreign = [
      ["agentId", model],
      ["agentId", await b.newAsset({ assetType: "agent" })],
      ["identityId", await b.newIdentity()],
      ["userId", b.owner.userId],
      ["parentSessionId", session],
    ] as const;
    for (const [name, id] of foreign)
      expect((await send("POST", PATH, { [name]: id })).json).toMatchObject({ code: "invalid_reference" });
  });

  it("is refused while the agent or the identity may not be used", async () => {
    const { a } = world;
    const held = (key: string) => ({ code: "transition_guard_failed", guards: [{ key, ok: false }] });
    const suspended = await a.newAsset({ assetType: "agent" });
    await govern(suspended, "suspended");
    const unapproved = await a.newAsset({ assetType: "agent", environment: "production" });
    const retired = await a.newAsset({ assetType: "agent" });
    await retire(retired);
    for (const agentId of [suspended, unapproved, retired])
      expect((await send("POST", PATH, { agentId })).json).toMatchObject(held("agentUsable"));
    const identityId = await a.newIdentity();
    await send("PUT", `/api/v1/ai/identities/${identityId}`, { status: "disabled" });
    expect((await send("POST", PATH, { identityId })).json).toMatchObject(held("identityUsable"));
  });
});

describe("deciding about a session", () => {
  it("repeats nothing: a suspension of a suspended one and a termination of an ended one are 201 and leave no event", async () => {
    const id = await world.a.newSession();
    const suspended = await ask(id, "suspend");
    expect([suspended.status, suspended.json.controlEpoch]).toEqual([201, 1]);
    const before = (await eventsOf(world.a)).length;
    expect((await ask(id, "suspend", {})).json).toEqual(suspended.json);
    const terminated = (await ask(id, "terminate")).json;
    expect(terminated).toMatchObject({ status: "terminated", controlEpoch: 2, endedAt: later(0) });
    expect(await eventTypes(world.a, before)).toEqual(["session.status.changed", "session.status.changed"]);
    expect((await ask(id, "terminate", {})).json).toEqual(terminated);
    expect((await eventsOf(world.a)).length).toBe(before + 2);
    for (const verb of ["suspend", "resume"])
      expect((await ask(id, verb)).json).toMatchObject({ code: "invalid_transition", current: "terminated" });
  });

  it("never claims what nobody has confirmed", async () => {
    const id = await world.a.newSession();
    expect((await ask(id, "terminate")).json).toMatchObject({
      status: "terminated",
      enforcement: { state: "unconfirmed", peps: [] },
    });
    expect((await ask(id, "enforcement/retry")).json).toMatchObject({ enforcement: { state: "unconfirmed" } });
  });

  it("waits for every enforcement point that stands, and is confirmed by the last", async () => {
    const id = await world.a.newSession();
    for (const pepId of ["one", "two"]) await ask(id, "heartbeat", { pepId });
    await ask(id, "heartbeat", { pepId: "gone", presenceSec: 5 });
    world.clock.advance(5_000);
    expect((await ask(id, "terminate")).json).toMatchObject({
      status: "terminating",
      enforcement: { state: "pending", deadlineAt: later(10), peps: [{ id: "one" }, { id: "two" }] },
    });
    const answer = (pepId: string, epoch: number, outcome = "enforced") =>
      ask(id, "acknowledgements", { pepId, epoch, outcome });
    expect((await answer("one", 0)).json).toMatchObject({ code: "precondition_failed", current: 1 });
    expect((await answer("one", 1)).json).toMatchObject({ status: "terminating", enforcement: { state: "pending" } });
    expect((await send("DELETE", `${PATH}/${id}`)).json.code).toBe("in_use");
    expect((await answer("two", 1)).json).toMatchObject({
      status: "terminated",
      enforcement: { state: "confirmed", deadlineAt: null },
    });
    expect((await send("DELETE", `${PATH}/${id}`)).status).toBe(204);
  });

  it.each([
    [["enforced", null], "partial"],
    [["failed", null], "failed"],
    [["failed", "enforced"], "partial"],
    [["failed", "failed"], "failed"],
    [[null, null], "unconfirmed"],
  ])("with answers %j it reads %s once ten seconds are over, without a tick", async (outcomes, state) => {
    const id = await world.a.newSession();
    for (const pepId of ["p0", "p1"]) await ask(id, "heartbeat", { pepId });
    await ask(id, "terminate");
    for (const [index, outcome] of outcomes.entries())
      if (outcome) await ask(id, "acknowledgements", { pepId: `p${index}`, epoch: 1, outcome });
    world.clock.advance(10_000);
    const seen = await read(id);
    expect(seen).toMatchObject({ status: "terminated", enforcement: { state, deadlineAt: null } });
    const listed = (await send("GET", `${PATH}?size=1`)).json.items[0];
    expect(listed).toEqual(seen);
    await world.controlPlane.tick();
    expect(await read(id)).toMatchObject({ status: "terminated", enforcement: seen.enforcement });
  });

  it("stays suspended when the answers run late, and takes a late one", async () => {
    const id = await world.a.newSession();
    await ask(id, "heartbeat", { pepId: "one" });
    await ask(id, "suspend");
    world.clock.advance(10_000);
    expect(await read(id)).toMatchObject({ status: "suspended", enforcement: { state: "unconfirmed" } });
    const retried = (await ask(id, "enforcement/retry")).json;
    expect(retried).toMatchObject({ controlEpoch: 2, enforcement: { state: "pending", peps: [{ id: "one" }] } });
    expect((await ask(id, "enforcement/retry")).json.code).toBe("invalid_transition");
    world.clock.advance(10_000);
    const late = await ask(id, "acknowledgements", { pepId: "one", epoch: 2, outcome: "enforced" });
    expect(late.json).toMatchObject({ status: "suspended", enforcement: { state: "confirmed" } });
    expect((await ask(id, "resume")).json).toMatchObject({ status: "active", enforcement: { state: "not_required" } });
  });

  it("goes through PUT as well, by the same rules", async () => {
    const id = await world.a.newSession();
    const put = (body: object) => send("PUT", `${PATH}/${id}`, body);
    expect((await put({ status: "suspended", reason })).json).toMatchObject({ status: "suspended", controlEpoch: 1 });
    expect((await put({ status: "completed" })).json.code).toBe("invalid_transition");
    expect((await put({ status: "active" })).json).toMatchObject({ status: "active", controlEpoch: 2 });
    expect((await put({ status: "expired" })).json.code).toBe("invalid_transition");
    expect((await put({ status: "completed" })).json).toMatchObject({ status: "completed", endedAt: later(0) });
    expect((await put({ purpose: "told afterwards" })).status).toBe(200);
    const other = await world.a.newSession();
    const end = await send("PUT", `${PATH}/${other}`, { status: "terminated", reason });
    expect(end.json).toMatchObject({ status: "terminated" });
  });

  it("lets sensitivity rise only, and keeps whose session it is", async () => {
    const id = await world.a.newSession({ sensitivity: "internal" });
    const put = (body: object) => send("PUT", `${PATH}/${id}`, body);
    expect((await put({ sensitivity: "public" })).json.errors[0].pointer).toBe("/sensitivity");
    expect((await put({ sensitivity: "confidential" })).json.sensitivity).toBe("confidential");
    expect((await ask(id, "usage", { sensitivity: "internal" })).json.sensitivity).toBe("confidential");
    expect((await ask(id, "usage", { sensitivity: "restricted" })).json.sensitivity).toBe("restricted");
    for (const name of ["agentId", "identityId", "userId", "parentSessionId"]) {
      expect((await put({ [name]: "another" })).json).toMatchObject({ code: "read_only_property" });
      expect((await put({ configuration: { [name]: "another" } })).json).toMatchObject({ code: "read_only_property" });
    }
  });
});

describe("time", () => {
  it("ends a session by its date or by silence, for readers at once and in the store by the tick", async () => {
    const [dated, silent] = [
      await world.a.newSession({ expiresAt: later(100) }),
      await world.a.newSession({ limits: { idleTimeoutSec: 60 } }),
    ];
    world.clock.advance(59_000);
    await ask(silent, "heartbeat", {});
    world.clock.advance(41_000);
    expect(await read(dated)).toMatchObject({ status: "expired", endedAt: later(0) });
    expect((await read(silent)).status).toBe("active");
    world.clock.advance(19_000);
    expect(await read(silent)).toMatchObject({ status: "expired", endedAt: later(0) });
    const before = (await eventsOf(world.a)).length;
    expect((await ask(silent, "terminate")).json.status).toBe("expired");
    await world.controlPlane.tick();
    const added = (await eventsOf(world.a)).slice(before).map(({ attributes }) => JSON.parse(attributes));
    const ended = added.filter(({ subjecttype }) => subjecttype === "ai_session");
    expect(ended.map(({ subject, tostate, authid }) => [subject, tostate, authid]).sort()).toEqual(
      [
        [dated, "expired", "system"],
        [silent, "expired", "system"],
      ].sort(),
    );
    expect((await send("DELETE", `${PATH}/${dated}`)).status).toBe(204);
  });

  it("does not count silence against a suspended session, and a child ends no later than its parent", async () => {
    const id = await world.a.newSession({ limits: { idleTimeoutSec: 60 } });
    await ask(id, "suspend");
    world.clock.advance(3_000_000);
    expect((await ask(id, "resume")).json).toMatchObject({ status: "active", lastActivityAt: later(0) });
    const parent = await world.a.newSession({ expiresAt: later(100) });
    const child = await send("POST", PATH, { parentSessionId: parent, expiresAt: later(200) });
    expect(child.json).toMatchObject({ expiresAt: later(100), depth: 1 });
  });
});

describe("cascades", () => {
  it("suspend what an agent runs when its asset is suspended or rejected, in the same transaction", async () => {
    const [id, other] = [await world.a.newSession(), await world.a.newSession()];
    const agentId = await agentOf(id);
    const idle = (await send("POST", PATH, { agentId })).json.id;
    await ask(idle, "suspend");
    const before = await eventsOf(world.a);
    expect((await govern(agentId, "suspended")).status).toBe(200);
    const request = (await eventsOf(world.a)).slice(before.length).map(({ attributes }) => JSON.parse(attributes));
    expect(new Set(request.map(({ correlationid }) => correlationid)).size).toBe(1);
    expect(await read(id)).toMatchObject({
      status: "suspended",
      control: { triggeredBy: "policy", reason: "Its agent was suspended." },
    });
    expect(await read(idle)).toMatchObject({ controlEpoch: 1 });
    expect((await read(other)).status).toBe("active");
    expect((await ask(id, "resume")).json).toMatchObject({ code: "transition_guard_failed" });
    await world.send("PATCH", `/api/v1/ai-assets/${agentId}/governance-state`, {
      token: world.a.actors.admin.token,
      body: { status: "unreviewed", reason },
    });
    expect((await ask(id, "resume")).json.status).toBe("active");
  });

  it("hold a retirement back, or end what runs when it is forced", async () => {
    const id = await world.a.newSession();
    const agentId = await agentOf(id);
    const held = await retire(agentId);
    expect([held.status, held.json]).toMatchObject([409, { guards: [{ key: "noLiveSessions", ok: false }] }]);
    expect((await send("DELETE", `/api/v1/ai-assets/${agentId}`)).json.code).toBe("in_use");
    expect((await retire(agentId, { force: true })).json.status).toBe("retired");
    expect(await read(id)).toMatchObject({ status: "terminated", control: { reason: "Its agent was retired." } });
    const expired = await world.a.newSession({ expiresAt: later(1) });
    world.clock.advance(1_000);
    expect((await retire(await agentOf(expired))).status).toBe(200);
  });

  it("end the sessions that a session has started, eight deep and no deeper", async () => {
    const ids = [await world.a.newSession()];
    for (let depth = 1; depth <= 8; depth += 1) {
      const { json } = await send("POST", PATH, { parentSessionId: ids.at(-1) });
      expect(json.depth).toBe(depth);
      ids.push(json.id);
    }
    const refused = await send("POST", PATH, { parentSessionId: ids.at(-1) });
    expect(refused.json.errors[0].pointer).toBe("/parentSessionId");
    const sibling = (await send("POST", PATH, { parentSessionId: ids[3] })).json.id;
    await ask(ids[3] as string, "terminate");
    const statuses = await Promise.all([...ids, sibling].map(async (id) => (await read(id)).status));
    expect(statuses).toEqual([...Array(3).fill("active"), ...Array(7).fill("terminated")]);
    const after = await send("POST", PATH, { parentSessionId: ids[3] });
    expect(after.json).toMatchObject({ guards: [{ key: "parentActive" }] });
  });

  it("end a family of sessions of one agent once each", async () => {
    const root = await world.a.newSession();
    const agentId = await agentOf(root);
    for (let index = 0; index < 3; index += 1) await send("POST", PATH, { agentId, parentSessionId: root });
    await retire(agentId, { force: true });
    const { items } = (await send("GET", `${PATH}?agentId=${agentId}`)).json;
    expect(
      items.map(({ status, controlEpoch }: { status: string; controlEpoch: number }) => [status, controlEpoch]),
    ).toEqual(Array(4).fill(["terminated", 1]));
    expect((await verifyChain(world.store.forTenant(world.a.tenantId))).valid).toBe(true);
  });

  it("end more sessions than one batch holds", { timeout: 120_000 }, async () => {
    const agentId = await world.a.newAsset({ assetType: "agent" });
    for (let made = 0; made < 450; made += 50) {
      const starts = Array.from({ length: 50 }, () => send("POST", PATH, { agentId }));
      expect((await Promise.all(starts)).map(({ status }) => status)).toEqual(Array(50).fill(201));
    }
    await retire(agentId, { force: true });
    const live = (await send("GET", `${PATH}?agentId=${agentId}&size=100`)).json.items;
    expect(live.every(({ status }: { status: string }) => status === "terminated")).toBe(true);
    const moved = (await eventsOf(world.a)).filter(({ attributes }) => attributes.includes('"tostate":"terminated"'));
    expect(moved).toHaveLength(450);
  });
});

describe("a session below another", () => {
  const begin = async (body: object) => (await send("POST", PATH, body)).json;

  it("has the limits of the one above it at most, also once these are tightened", async () => {
    const limits = { maxIterations: 9, maxCostUsd: 2 };
    const parent = await begin({ limits });
    const child = await begin({ parentSessionId: parent.id, limits: { maxIterations: 3 } });
    const grandchild = await begin({ parentSessionId: child.id });
    expect(child.limitsInForce).toMatchObject({ maxIterations: 3, maxCostUsd: 2 });
    expect(grandchild.limitsInForce).toMatchObject({ maxIterations: 3, maxCostUsd: 2 });
    const raised = await send("PUT", `${PATH}/${child.id}`, { limits: { maxIterations: 90 } });
    expect(raised.json.limitsInForce).toMatchObject({ maxIterations: 9, maxCostUsd: 2 });
    await send("PUT", `${PATH}/${parent.id}`, { limits: { maxIterations: 4, maxCostUsd: 1 } });
    const heard = await ask(child.id, "heartbeat", {});
    expect(heard.json.limitsInForce).toMatchObject({ maxIterations: 4, maxCostUsd: 1 });
    await ask(child.id, "suspend");
    expect((await ask(child.id, "resume")).json.limitsInForce).toMatchObject({ maxIterations: 4, maxCostUsd: 1 });
  });

  it("spends what the ones above it have left, all of them together", async () => {
    const spend = (id: string, usage: object) => send("POST", `${PATH}/${id}/usage`, usage);
    const top = await begin({ limits: { maxIterations: 10, maxCostUsd: 1 } });
    const one = await begin({ parentSessionId: top.id });
    const other = await begin({ parentSessionId: top.id, limits: { maxIterations: 8 } });
    const deep = await begin({ parentSessionId: one.id });
    expect((await spend(deep.id, { iterations: 4, costUsd: 0.25 })).json).toMatchObject({
      ...{ status: "active", usage: { iterations: 4 }, limitsInForce: { maxIterations: 10, maxCostUsd: 1 } },
    });
    expect((await spend(other.id, { iterations: 3 })).json.limitsInForce).toMatchObject({
      maxIterations: 6,
      maxCostUsd: 0.75,
    });
    expect((await begin({ parentSessionId: one.id })).limitsInForce).toMatchObject({
      maxIterations: 3,
      maxCostUsd: 0.75,
    });
    const last = await spend(other.id, { iterations: 3 });
    expect(last.json).toMatchObject({ status: "suspended", limitsInForce: { maxIterations: 6 } });
    for (const { id } of [top, one, deep])
      expect((await send("GET", `${PATH}/${id}`)).json).toMatchObject({
        ...{ status: "suspended", control: { reason: "limit_reached:maxIterations", triggeredBy: "policy" } },
      });
    expect((await send("GET", `${PATH}/${top.id}`)).json).toMatchObject({
      ...{ usage: { iterations: 0 }, usageBelow: { iterations: 10, costUsd: 0.25 } },
    });
    expect((await send("POST", `${PATH}/${deep.id}/resume`, {})).json.code).toBe("transition_guard_failed");
    await send("PUT", `${PATH}/${top.id}`, { limits: { maxIterations: 20, maxCostUsd: 1 } });
    expect((await send("POST", `${PATH}/${top.id}/resume`, {})).status).toBeLessThan(300);
    expect((await send("POST", `${PATH}/${deep.id}/resume`, {})).json.limitsInForce).toMatchObject({
      maxIterations: 14,
    });
  });

  it("ends no later than the one above it", async () => {
    const parent = await begin({ limits: { maxDurationSec: 60 } });
    world.clock.advance(20_000);
    expect((await begin({ parentSessionId: parent.id })).expiresAt).toBe(later(40));
  });
});

describe("a session on somebody's behalf", () => {
  it("is of an active user, by id or address, or of somebody of another system", async () => {
    const user = await world.a.newUser(["member"]);
    const start = async (userId: string) => (await send("POST", PATH, { userId })).json;
    for (const userId of [user.userId, user.username, "employee-7", "eve@elsewhere.example"])
      expect((await start(userId)).userId).toBe(userId);
    await send("PATCH", `/api/v1/users/${user.userId}`, { status: "disabled", reason });
    for (const userId of [user.userId, user.username, user.username.toUpperCase(), world.b.owner.userId])
      expect(await start(userId)).toMatchObject({ code: "invalid_reference", errors: [{ pointer: "/userId" }] });
  });
});

describe("machines", () => {
  const machine = (identityId: string, permissions: readonly string[]): Principal => ({
    kind: "client",
    tenantId: world.a.tenantId,
    userId: identityId,
    username: identityId,
    roles: [],
    permissions: new Set(permissions),
  });
  const EVERYTHING = ["read", "write", "delete", "report", "enforce", "suspend", "resume", "terminate"].map(
    (verb) => `ai-session:${verb}`,
  );
  const denied = { code: "permission_denied" };

  it("start sessions as themselves, and end no other", async () => {
    const { a, controlPlane } = world;
    const [own, other] = [await a.newIdentity(), await a.newIdentity()];
    const principal = machine(own, EVERYTHING);
    const call = controlPlane.call;
    await expect(call("aiSessions.create", principal, { body: { identityId: other } })).rejects.toMatchObject(denied);
    const mine = await call("aiSessions.create", principal, { body: {} });
    expect(mine.identityId).toBe(own);
    const theirs = await a.newSession({ identityId: other });
    const body = { reason };
    for (const id of [theirs, await a.newSession()]) {
      const params = { id };
      await expect(call("aiSessions.terminate", principal, { params, body })).rejects.toMatchObject(denied);
      await expect(call("aiSessions.replace", principal, { params, body: { purpose: "" } })).rejects.toMatchObject(
        denied,
      );
      await expect(call("aiSessions.retryEnforcement", principal, { params, body })).rejects.toMatchObject(denied);
    }
    const params = { id: mine.id };
    const ended = await call("aiSessions.terminate", principal, { params, body });
    expect(ended).toMatchObject({ status: "terminated", control: { by: own } });
  });

  it("start sessions of the agents that run as them only, whoever declares it, and below their own sessions only", async () => {
    const { a, controlPlane } = world;
    const own = await a.newIdentity();
    const { assetId } = (await send("GET", `/api/v1/ai/identities/${own}`)).json;
    const principal = machine(own, EVERYTHING);
    const start = (body: object) => controlPlane.call("aiSessions.create", principal, { body });
    const agent = async (more: object = {}) =>
      (
        await send("POST", "/api/v1/ai/agents", {
          name: "an agent",
          provider: "p",
          environment: "development",
          ...more,
        })
      ).json;
    const [byAgent, byIdentity, stranger] = [await agent({ identityId: own }), await agent(), await agent()];
    await send("PUT", `/api/v1/ai/identities/${own}`, { agentIds: [byIdentity.assetId] });
    for (const agentId of [byAgent.assetId, byAgent.id, byIdentity.id])
      expect(await start({ agentId, identityId: assetId })).toMatchObject({ identityId: own });
    await expect(start({ agentId: stranger.assetId })).rejects.toMatchObject(denied);
    await expect(start({ agentId: stranger.id })).rejects.toMatchObject(denied);
    const [parent, other] = [
      await start({ agentId: byAgent.id }),
      await a.newSession({ identityId: await a.newIdentity() }),
    ];
    expect(await start({ agentId: byIdentity.id, parentSessionId: parent.id })).toMatchObject({ depth: 1 });
    for (const parentSessionId of [other, await a.newSession()])
      await expect(start({ agentId: byAgent.id, parentSessionId })).rejects.toMatchObject(denied);
    const mismatched = await send("POST", PATH, { agentId: byAgent.id, identityId: await a.newIdentity() });
    expect([mismatched.status, mismatched.json.code]).toEqual([400, "invalid_reference"]);
  });

  it("S10 report of no session but their own, unless they enforce", async () => {
    const { a, controlPlane } = world;
    const [own, other] = [await a.newIdentity(), await a.newIdentity()];
    const principal = machine(own, ["ai-session:report"]);
    const { call } = controlPlane;
    const limits = { maxIterations: 5 };
    const theirs = await a.newSession({ identityId: other, limits });
    for (const id of [theirs, await a.newSession({ limits })]) {
      const usage = { params: { id }, body: { iterations: 9 } };
      await expect(call("aiSessions.usage", principal, usage)).rejects.toMatchObject(denied);
      const beat = { params: { id }, body: { pepId: "fake" } };
      await expect(call("aiSessions.heartbeat", principal, beat)).rejects.toMatchObject(denied);
    }
    const gateway = machine(other, ["ai-session:report", "ai-session:enforce"]);
    const mine = await a.newSession({ identityId: own });
    for (const who of [principal, gateway])
      expect((await call("aiSessions.usage", who, { params: { id: mine }, body: { iterations: 1 } })).id).toBe(mine);
  });

  it("S10 are enforcement points under their own names only, and leave room for others", async () => {
    const { a, controlPlane } = world;
    const [own, other] = [await a.newIdentity(), await a.newIdentity()];
    const [agent, fake] = [machine(own, ["ai-session:report"]), machine(other, EVERYTHING)];
    const { call } = controlPlane;
    const id = await a.newSession({ identityId: own });
    const beat = (who: Principal, pepId: string) =>
      call("aiSessions.heartbeat", who, { params: { id }, body: { pepId } });
    await ask(id, "heartbeat", { pepId: "gateway" });
    await expect(beat(fake, "gateway")).rejects.toMatchObject(denied);
    for (let at = 0; at < 5; at += 1) await beat(agent, `fake-${at}`);
    await expect(beat(agent, "fake-5")).rejects.toMatchObject({ code: "invalid_request" });
    expect((await beat(fake, "another")).enforcementPoints).toHaveLength(7);
    await ask(id, "terminate", { reason });
    const answer = { pepId: "gateway", epoch: 1, outcome: "enforced" } as const;
    const acknowledge = call("aiSessions.acknowledge", fake, { params: { id }, body: answer });
    await expect(acknowledge).rejects.toMatchObject(denied);
    expect((await ask(id, "acknowledgements", answer)).status).toBe(200);
  });

  it("suspend, resume and delete nothing, and give themselves no more room, whatever they hold", async () => {
    const { a, controlPlane } = world;
    const own = await a.newIdentity();
    const principal = machine(own, EVERYTHING);
    const id = await a.newSession({ identityId: own, limits: { maxIterations: 5 }, expiresAt: later(60) });
    const params = { id };
    const put = (body: Record<string, unknown>) => controlPlane.call("aiSessions.replace", principal, { params, body });
    for (const verb of ["suspend", "resume", "delete"] as const)
      await expect(controlPlane.call(`aiSessions.${verb}`, principal, { params } as never)).rejects.toMatchObject(
        denied,
      );
    await expect(put({ status: "suspended", reason })).rejects.toMatchObject(denied);
    await expect(put({ limits: { maxIterations: 6 } })).rejects.toMatchObject(denied);
    await expect(put({ limits: {} })).rejects.toMatchObject(denied);
    await expect(put({ expiresAt: null })).rejects.toMatchObject(denied);
    expect(await put({ limits: { maxIterations: 4, maxCostUsd: 1 } })).toMatchObject({ limits: { maxIterations: 4 } });
    await ask(id, "suspend");
    await expect(put({ status: "active" })).rejects.toMatchObject(denied);
    expect((await read(id)).status).toBe("suspended");
  });
});

describe("at the same time", () => {
  it.each([0, 1, 2])(
    "suspensions, resumptions and terminations end in one order that the machine knows (round %i)",
    async () => {
      const id = await world.a.newSession();
      const before = (await eventsOf(world.a)).length;
      const verbs = ["suspend", "resume", "suspend", "terminate", "resume", "suspend", "terminate", "usage"];
      const answers = await Promise.all(
        verbs.map((verb) => ask(id, verb, verb === "usage" ? { iterations: 1 } : { reason })),
      );
      for (const { status, json } of answers)
        if (status >= 300) expect([status, json.code]).toEqual([409, "invalid_transition"]);
      const moves = (await eventsOf(world.a))
        .slice(before)
        .map(({ attributes }) => JSON.parse(attributes))
        .filter(({ type, outcome }) => type === "reeve.session.status.changed.v1" && outcome === "success")
        .map(({ fromstate, tostate }) => [fromstate, tostate]);
      for (const [index, [from]] of moves.entries()) expect(from).toBe(index === 0 ? "active" : moves[index - 1]?.[1]);
      expect(moves.at(-1)).toEqual(["terminating", "terminated"]);
      const decided = moves.filter(([from]) => from !== "terminating").length;
      expect(await read(id)).toMatchObject({ status: "terminated", controlEpoch: decided, usage: { iterations: 1 } });
    },
  );

  it("no report of usage is lost", async () => {
    const id = await world.a.newSession();
    await Promise.all(Array.from({ length: 20 }, () => ask(id, "usage", { toolCalls: 1, costUsd: 0.01 })));
    expect((await read(id)).usage).toMatchObject({ toolCalls: 20, costUsd: 0.2 });
  });
});

describe("a kill switch for one agent", () => {
  it("ends up to five hundred of its sessions at once and the rest by the next tick, and no others", async () => {
    const id = await world.a.newSession();
    const [other, foreign] = [await world.a.newSession(), await world.b.newSession()];
    const agentId = await agentOf(id);
    const { tenantId, provider } = world.a;
    const reader = world.store.forTenant(tenantId);
    await systemContext(environmentOf(world, { ids: ulidSource() }), tenantId, "test").write(async (ctx) => {
      const { id: _id, version: _version, ...draft } = await ctx.getOrThrow(sessions, id);
      const many = Array.from({ length: 500 }, () => draft);
      await ctx.insertMany(sessions, many, { event: false });
    });
    const live = async () => (await reader.find(sessions, { where: { liveAgentId: agentId }, size: 10 })).rows.length;
    const body = { status: "engaged", reason, configuration: { tenantId } };
    const at = `/api/v1/support/kill-switches/ai.asset.${agentId}`;
    expect((await world.send("POST", at, { token: provider.owner.token, body })).status).toBe(200);
    expect(await live()).toBe(1);
    await world.controlPlane.tick();
    expect(await live()).toBe(0);
    expect((await read(other)).status).toBe("active");
    expect((await send("GET", `${PATH}/${foreign}`, undefined, world.b)).json.status).toBe("active");
  });
});
