import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type RequestBench, requestBench } from "../../helpers/requests.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const HOUR = 3_600_000;
const REASON = { reason: "because a test wants it so" };
const user = ({ userId: id }: Actor) => ({ kind: "user", id });
const role = (id: string) => ({ kind: "role", id });
const stageOf = (approvers: readonly object[], more: object = {}) => ({ stages: [{ approvers, ...more }] });

async function setUser(actor: Actor, body: object): Promise<void> {
  const { token } = world.a.owner;
  const answer = await world.send("PATCH", `/api/v1/users/${actor.userId}`, {
    ...{ token, body: { ...body, ...REASON }, headers: { "if-match": "*" } },
  });
  expect(answer.status, answer.text).toBe(200);
}

async function removePolicy(id: string, { token }: Actor): Promise<void> {
  const at = `/api/v1/access-policies/${id}`;
  const answer = await world.send("DELETE", at, { token, headers: { "if-match": "*" } });
  expect(answer.status, answer.text).toBe(204);
}

/** What a profile permits is another thing from the next sync on, and is approved as that. */
async function changeProfile(bench: RequestBench, approve: boolean): Promise<void> {
  const { token } = world.a.owner;
  bench.account.profiles = bench.account.profiles.map((one) =>
    one.externalId === "read" ? { ...one, permissions: [...one.permissions, "secrets:read"] } : one,
  );
  const target = `/api/v1/access-targets/${bench.connectorInstanceId}`;
  await world.send("POST", `${target}/resources/sync?resourceType=repository`, { token });
  await world.controlPlane.tick();
  if (!approve) return;
  const path = `/api/v1/access-profiles/${bench.accessProfileId}`;
  const { definitionHash } = (await world.send("GET", path, { token })).json;
  const done = await world.send("POST", `${path}/approve`, { token, body: { definitionHash } });
  expect(done.status, done.text).toBe(200);
}

describe("who approves a request", () => {
  it("is nobody who asked for it, also by another role of theirs", async () => {
    const bench = await requestBench(world, null);
    const asker = await world.a.newUser(["operator", "approver", "governance_officer"]);
    await bench.policy(stageOf([user(asker), user(bench.first)]));
    const { id, stages } = await bench.asked("pending_approval", {}, asker);
    expect(stages[0]).toMatchObject({
      candidates: [{ userId: bench.first.userId }],
      excluded: [{ userId: asker.userId, why: "has asked for it" }],
    });
    expect((await bench.approve(id, asker)).json).toMatchObject({ status: 403, code: "self_approval_forbidden" });
    expect((await bench.verb(id, "reject", asker, REASON)).json.code).toBe("self_approval_forbidden");
  });

  it("is nobody who is not asked, whatever they may do elsewhere", async () => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval");
    const officer = await world.a.newUser(["governance_officer", "approver"]);
    for (const verb of ["approve", "reject"])
      expect(
        (await bench.verb(id, verb, officer, { ...REASON, ...(verb === "approve" ? await scope(bench, id) : {}) }))
          .json,
      ).toMatchObject({ status: 403, code: "approver_not_eligible" });
    expect((await bench.approve(id, officer, { decision: "comment" })).status).toBe(403);
  });

  it("pitfall 11: is no machine, and nobody named by the body", async () => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval");
    const forged = await bench.approve(id, bench.requester, { approver: bench.first.userId });
    expect(forged.status).toBe(400);
    expect((await bench.request(id)).votes).toEqual([]);
  });

  it("pitfall 36: is nobody whose agent has asked, and no agent, which asks twenty times an hour at most", async () => {
    const bench = await requestBench(world, null);
    const [maker, agent] = [
      bench.first,
      await world.a.newIdentity({ scopes: ["access-request:write"] }, world.a.owner),
    ];
    await bench.policy(stageOf([user(world.a.owner), user(maker), user(bench.second)]), world.a.actors.admin);
    const { clientSecret } = await world.a.newCredential(agent, {}, world.a.owner);
    const body = { grant_type: "client_credentials", client_id: agent, client_secret: clientSecret };
    const { access_token: token } = (await world.send("POST", "/api/v1/auth/token", { body })).json;
    const asker = { ...bench.requester, userId: agent, token };
    const { id, stages } = await bench.asked("pending_approval", {}, asker);
    const asked = stages[0]?.candidates.map(({ userId }) => userId);
    expect(asked).toEqual([bench.first.userId, bench.second.userId]);
    expect((await bench.approve(id, world.a.owner)).json.code).toBe("self_approval_forbidden");
    expect((await bench.approve(id, asker)).status).toBe(403);
    for (let more = 0; more < 19; more += 1) {
      const parameters = { more };
      const items = [{ accessProfileId: bench.accessProfileId, resourceId: bench.resourceId, parameters }];
      await bench.asked("pending_approval", { items }, asker);
    }
    expect((await bench.ask({ items: [{ accessProfileId: bench.writeProfileId }] }, asker)).status).toBe(429);
  });

  it("approves once, in whatever round: one person is one vote", async () => {
    const bench = await requestBench(world, null);
    const stage = { approvers: [user(bench.first), user(bench.second)] };
    await bench.policy({ stages: [stage, stage] });
    const { id } = await bench.asked("pending_approval");
    expect((await bench.approve(id, bench.first)).json).toMatchObject({
      status: "pending_approval",
      stages: [{ status: "approved" }, { status: "active", candidates: [{ userId: bench.second.userId }] }],
    });
    expect((await bench.approve(id, bench.first)).json.code).toBe("self_approval_forbidden");
    expect((await bench.approve(id, bench.second)).json.status).toBe("approved");
  });

  it("is a quorum where a policy says so, and two approvals of one person are one", async () => {
    const bench = await requestBench(world, null);
    const third = await world.a.newUser(["approver"]);
    const all = [bench.first, bench.second, third].map(user);
    await bench.policy(stageOf(all, { mode: "quorum", approveThreshold: 2 }));
    const { id } = await bench.asked("pending_approval");
    for (let twice = 0; twice < 2; twice += 1)
      expect((await bench.approve(id, bench.first)).json.status).toBe("pending_approval");
    expect((await bench.request(id)).votes).toHaveLength(1);
    expect((await bench.approve(id, third)).json.status).toBe("approved");
  });

  it("pitfall 34: is refused by one of them, with a reason, and that is final", async () => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval");
    expect((await bench.verb(id, "reject", bench.first)).status).toBe(400);
    expect((await bench.verb(id, "reject", bench.first, REASON)).json).toMatchObject({
      ...{ status: "rejected", resolution: { code: "rejected", by: bench.first.userId } },
    });
    expect((await bench.approve(id, bench.second)).status).toBe(409);
    expect((await bench.verb(id, "evaluate")).status).toBe(409);
  });

  it("is nobody who has changed the policy within a day", async () => {
    const bench = await requestBench(world, null);
    const { admin } = world.a.actors;
    const policy = await bench.policy(stageOf([user(world.a.owner), user(bench.first)]), admin);
    const path = `/api/v1/access-policies/${policy}`;
    const { name, covers, ...terms } = (await world.send("GET", path, { token: admin.token })).json;
    const body = { name, covers, stages: terms.stages, priority: 7 };
    const changed = await world.send("PUT", path, { token: world.a.owner.token, body, headers: { "if-match": "*" } });
    expect(changed.status, changed.text).toBe(200);
    const { id, stages } = await bench.asked("pending_approval");
    expect(stages[0]?.candidates).toMatchObject([{ userId: bench.first.userId }]);
    expect((await bench.approve(id, world.a.owner)).json.code).toBe("self_approval_forbidden");
  });

  it("is nobody who names themself in the policy, neither in a new one nor later", async () => {
    const bench = await requestBench(world, null);
    const { governance_officer: officer, admin } = world.a.actors;
    const path = "/api/v1/access-policies";
    const say = (method: string, at: string, who: Actor, approvers: readonly object[], more: object = {}) => {
      const covers = { connectorInstanceIds: [bench.connectorInstanceId] };
      const body = { name: `of ${bench.connectorInstanceId}`, covers, stages: [{ approvers, ...more }] };
      return world.send(method, at, { token: who.token, body, headers: method === "PUT" ? { "if-match": "*" } : {} });
    };
    const refused = [403, "self_appointment_forbidden"];
    const [mine, theirs] = [user(officer), user(bench.first)];
    for (const [approvers, more] of [
      [[mine, theirs], {}],
      [[theirs], { fallback: [mine] }],
      [[theirs], { timeout: "PT1H", onTimeout: "escalate", escalateTo: [mine] }],
    ] as const) {
      const answer = await say("POST", path, officer, approvers, more);
      expect([answer.status, answer.json.code]).toEqual(refused);
    }
    const { id } = (await say("POST", path, officer, [theirs])).json;
    const joined = await say("PUT", `${path}/${id}`, officer, [mine, theirs]);
    expect([joined.status, joined.json.code]).toEqual(refused);
    expect((await say("PUT", `${path}/${id}`, admin, [mine, theirs])).status).toBe(200);
    expect((await say("PUT", `${path}/${id}`, officer, [mine, theirs])).status).toBe(200);
  });

  it("is nobody who has removed a policy while it waited, and counts no more who does so afterwards", async () => {
    const bench = await requestBench(world, null);
    const grace = await world.a.newUser(["governance_officer"]);
    const covers = { assetIds: [await world.a.newAsset()] };
    const { id: single } = await bench.asked("pending_approval");
    await bench.policy(stageOf([grace, bench.first, bench.second].map(user), { mode: "quorum", approveThreshold: 2 }));
    const items = [{ accessProfileId: bench.writeProfileId, resourceId: bench.resourceId }];
    const { id: both } = await bench.asked("pending_approval", { items });
    expect((await bench.approve(both, grace)).json.status).toBe("pending_approval");
    const [left, right] = [{ profileIds: [bench.accessProfileId] }, { profileIds: [bench.writeProfileId] }];
    const rule = { key: "both", description: "Not both.", mode: "is_in", severity: "high", onHit: "deny", left, right };
    const strict = await bench.policy({ covers, conflicts: [rule] });
    expect((await bench.approve(single, grace)).json.code).toBe("sod_conflict");
    await removePolicy(strict, grace);
    expect((await bench.approve(single, grace)).json.code).toBe("self_approval_forbidden");
    expect((await bench.verb(single, "reject", grace, REASON)).json.code).toBe("self_approval_forbidden");
    expect((await bench.approve(both, bench.first)).json).toMatchObject({
      ...{ status: "pending_approval", votes: [{ by: grace.userId, stale: true }, { stale: false }] },
    });
    expect((await bench.approve(both, bench.second)).json.status).toBe("approved");
    expect((await bench.approve(single, bench.first)).json.status).toBe("approved");
  });

  it("has removed a policy between the approval and the grant: people decide again", async () => {
    const bench = await requestBench(world, null);
    const grace = await world.a.newUser(["governance_officer"]);
    const other = await bench.policy({ covers: { assetIds: [await world.a.newAsset()] } });
    await bench.policy(stageOf([user(grace), user(bench.first)]));
    const notBefore = new Date(world.clock.now() + 72 * HOUR).toISOString();
    const { id } = await bench.asked("pending_approval", { notBefore });
    expect((await bench.approve(id, grace)).json.status).toBe("approved");
    await removePolicy(other, grace);
    await bench.tick(72 * HOUR);
    expect(await bench.request(id)).toMatchObject({ status: "pending_approval", votes: [{ stale: true }] });
    expect(bench.account.held.size).toBe(0);
    await bench.approve(id, bench.first);
    await bench.tick();
    expect((await bench.request(id)).status).toBe("provisioned");
  });

  it("is another one once they have left, and what they have said counts no more", async () => {
    const bench = await requestBench(world, null);
    const fallback = [role("governance_officer")];
    await bench.policy({
      stages: [{ approvers: [user(bench.first)], fallback }, { approvers: [user(bench.second)] }],
    });
    const { id } = await bench.asked("pending_approval");
    await bench.approve(id, bench.first);
    await setUser(bench.first, { status: "disabled" });
    const after = await bench.approve(id, bench.second);
    expect(after.json).toMatchObject({
      status: "pending_approval",
      stages: [{ status: "active" }, { status: "pending" }],
    });
    expect(after.json.votes).toMatchObject([{ stale: true }, { stale: false }]);
  });

  it("left between the approval and the grant: people decide again", async () => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval");
    await bench.approve(id, bench.first);
    await setUser(bench.first, { roles: [] });
    await bench.tick();
    expect(await bench.request(id)).toMatchObject({
      ...{ status: "pending_approval", granted: null, votes: [{ stale: true }] },
      stages: [{ status: "active", candidates: [{ userId: bench.second.userId }] }],
    });
    expect(bench.account.held.size).toBe(0);
    await bench.approve(id, bench.second);
    await bench.tick();
    expect((await bench.request(id)).status).toBe("provisioned");
  });

  it("is looked for again where nobody was found, and never taken for granted", async () => {
    const bench = await requestBench(world, null);
    const lonely = await world.a.newUser(["approver"]);
    await bench.policy(stageOf([user(lonely)]));
    await setUser(lonely, { status: "disabled" });
    const { id, stages } = await bench.asked("pending_approval");
    expect([stages[0]?.candidates, (await bench.request(id)).waitingFor]).toMatchObject([
      [],
      { why: expect.stringContaining("nobody was found") },
    ]);
    await bench.tick(HOUR);
    expect((await bench.request(id)).status).toBe("pending_approval");
    await setUser(lonely, { status: "active" });
    await bench.tick(HOUR);
    expect((await bench.request(id)).stages[0]?.candidates).toMatchObject([{ userId: lonely.userId }]);
  });

  it("is somebody else where time runs out and the policy says so", async () => {
    const bench = await requestBench(world, null);
    const escalation = { timeout: "PT2H", onTimeout: "escalate", escalateTo: [user(bench.second)] };
    await bench.policy(stageOf([user(bench.first)], escalation));
    const { id } = await bench.asked("pending_approval");
    await bench.tick(2 * HOUR);
    expect((await bench.request(id)).stages[0]).toMatchObject({ candidates: [{ userId: bench.second.userId }] });
    await bench.tick(2 * HOUR);
    expect(await bench.request(id)).toMatchObject({ status: "expired", resolution: { code: "timed_out" } });
  });
});

const scope = async (bench: RequestBench, id: string) => ({ expectedScopeHash: (await bench.request(id)).scopeHash });

describe("what is approved", () => {
  it("is what was looked at: a scope that has changed takes another vote", async () => {
    const bench = await requestBench(world, null);
    const both = { mode: "quorum", approveThreshold: 2 };
    await bench.policy(stageOf([user(bench.first), user(bench.second)], both));
    const { id, scopeHash } = await bench.asked("pending_approval");
    expect((await bench.verb(id, "approve", bench.first, REASON)).status).toBe(400);
    expect((await bench.approve(id, bench.first)).status).toBe(200);
    await changeProfile(bench, true);
    expect((await bench.approve(id, bench.second)).json).toMatchObject({ code: "scope_changed", current: scopeHash });
    const again = await bench.verb(id, "evaluate");
    expect(again.json.scopeHash).not.toBe(scopeHash);
    expect(again.json.votes).toMatchObject([{ stale: true }]);
    expect((await bench.verb(id, "approve", bench.second, { expectedScopeHash: scopeHash })).json.code).toBe(
      "scope_changed",
    );
    await bench.approve(id, bench.second);
    expect((await bench.approve(id, bench.first)).json.status).toBe("approved");
  });

  it("is refused where nobody has approved what the profile means now", async () => {
    const bench = await requestBench(world);
    const notBefore = new Date(world.clock.now() + HOUR).toISOString();
    const { id } = await bench.asked("pending_approval", { notBefore });
    await bench.approve(id);
    await changeProfile(bench, false);
    await bench.tick(2 * HOUR);
    expect(await bench.request(id)).toMatchObject({ status: "rejected", resolution: { code: "not_requestable" } });
  });

  it("is asked about again where its profile means something else before it is granted", async () => {
    const bench = await requestBench(world);
    const notBefore = new Date(world.clock.now() + 2 * HOUR).toISOString();
    const { id } = await bench.asked("pending_approval", { notBefore });
    await bench.approve(id);
    await changeProfile(bench, true);
    await bench.tick(3 * HOUR);
    expect(await bench.request(id)).toMatchObject({ status: "pending_approval", votes: [{ stale: true }] });
    expect(bench.account.held.size).toBe(0);
  });

  it("has all of its time again where that was over before the access was to begin", async () => {
    const bench = await requestBench(world);
    const notBefore = new Date(world.clock.now() + 20 * 24 * HOUR).toISOString();
    const { id } = await bench.asked("pending_approval", { notBefore });
    await bench.approve(id);
    await changeProfile(bench, true);
    await bench.tick(20 * 24 * HOUR);
    await bench.tick(HOUR);
    const pendingExpiresAt = new Date(world.clock.now() + 7 * 24 * HOUR - HOUR).toISOString();
    expect(await bench.request(id)).toMatchObject({ status: "pending_approval", pendingExpiresAt });
    expect((await bench.approve(id)).json.status).toBe("approved");
  });

  it("can be less than was asked for, never more, and the least of all counts", async () => {
    const bench = await requestBench(world, null);
    const stage = { approvers: [user(bench.first), user(bench.second)] };
    await bench.policy({ stages: [stage, stage] });
    const parameters = { paths: ["a", "b", "c"] };
    const items = [{ accessProfileId: bench.accessProfileId, resourceId: bench.resourceId, parameters }];
    const { id } = await bench.asked("pending_approval", { items, duration: "PT10H" });
    for (const more of [
      { grantedDuration: "PT11H" },
      { parameters: { 1: { paths: ["d"] } } },
      { parameters: { 2: {} } },
    ])
      expect((await bench.approve(id, bench.first, more)).status).toBe(400);
    await bench.approve(id, bench.first, { grantedDuration: "PT5H", parameters: { 1: { paths: ["a", "b"] } } });
    const widened = await bench.approve(id, bench.second, { parameters: { 1: { paths: ["a", "c"] } } });
    expect(widened.status).toBe(400);
    const done = await bench.approve(id, bench.second, {
      grantedDuration: "PT8H",
      parameters: { 1: { paths: ["b"] } },
    });
    expect(done.json).toMatchObject({ status: "approved", granted: { duration: "PT5H" } });
    await bench.tick();
    const { items: made } = await bench.request(id);
    const one = await bench.read(made[0]?.assignmentId ?? "");
    expect([one.parameters, Date.parse(one.expiresAt ?? "") - Date.parse(one.activatedAt ?? "")]).toEqual([
      { paths: ["b"] },
      5 * HOUR,
    ]);
  });

  it.each([
    ["grantedDuration", "PT1H"],
    ["expiresAt", "2099-01-01"],
    ["parameters", {}],
    ["exemptions", []],
  ])("is not narrowed by a remark: %s", async (name, value) => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval");
    for (const decision of ["comment", "request_info"]) {
      const { json } = await bench.approve(id, bench.first, { decision, [name]: value });
      expect(json).toMatchObject({ code: "invalid_request", errors: [{ pointer: `/${name}` }] });
    }
    expect((await bench.request(id)).votes).toEqual([]);
  });

  it("can be asked about, and the answer is a request in its place", async () => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval");
    expect((await bench.approve(id, bench.first, { decision: "request_info" })).json).toMatchObject({
      ...{ status: "pending_approval", awaitingInfo: true },
      waitingFor: { why: expect.stringContaining("wants to know more") },
    });
    const next = await bench.asked("pending_approval", { supersedesRequestId: id, reason: "It sorts claims of 2026." });
    expect(next).toMatchObject({ supersedesRequestId: id, votes: [{ decision: "request_info", stale: true }] });
    expect(await bench.request(id)).toMatchObject({ status: "cancelled", resolution: { code: "superseded" } });
    const other = await bench.ask({ supersedesRequestId: next.id }, world.a.owner);
    expect(other.json.code).toBe("invalid_reference");
  });
});
