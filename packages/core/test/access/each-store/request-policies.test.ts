import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { accessPolicies } from "#families/access/policies/schema.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { ulidSource } from "#ports/ids.js";
import { environmentOf } from "../../helpers/environment.js";
import { eventsOf } from "../../helpers/facts.js";
import { type RequestBench, requestBench } from "../../helpers/requests.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const REASON = { reason: "because a test wants it so" };
const ends = (days = 30) => new Date(world.clock.now() + days * DAY).toISOString();
const allowing = (limits: object) => ({
  effect: "allow",
  endsAt: ends(),
  limits: { mostPerDay: 9, mostPerAsset: 9, ...limits },
});
const item = ({ accessProfileId, resourceId }: RequestBench, parameters = {}) => ({
  items: [{ accessProfileId, resourceId, parameters }],
});
const writing = ({ writeProfileId: accessProfileId, resourceId }: RequestBench) => ({
  items: [{ accessProfileId, resourceId }],
});

describe("a policy", () => {
  it("allows within its limits, and asks people beyond them", async () => {
    const bench = await requestBench(world, null);
    const policy = await bench.policy(allowing({ mostPerDay: 2, mostPerAsset: 5, maxDuration: "PT2H" }));
    const first = await bench.asked("approved", item(bench));
    expect(first).toMatchObject({ autoAllowedBy: policy, resolution: { code: "auto" }, stages: [] });
    await bench.asked("pending_approval", { ...item(bench, { long: 1 }), duration: "PT3H" });
    await bench.asked("approved", item(bench, { other: 1 }));
    await bench.asked("pending_approval", item(bench, { third: 1 }));
    await bench.tick(25 * HOUR);
    await bench.asked("approved", item(bench, { later: 1 }));
    expect(await bench.asked("pending_approval", item(bench, { sixth: 1 }))).toMatchObject({
      evaluation: { explanations: [expect.stringContaining("as much of it")] },
    });
  });

  it("allows no more in a day by requests that are looked at later", async () => {
    const bench = await requestBench(world, null);
    await bench.policy(allowing({ mostPerDay: 1 }));
    const kept = { autoEvaluate: false };
    const [one, other] = [
      await bench.asked("submitted", { ...item(bench, { one: 1 }), ...kept }),
      await bench.asked("submitted", { ...item(bench, { two: 1 }), ...kept }),
    ];
    await bench.tick(2 * DAY);
    expect((await bench.verb(one.id, "evaluate")).json.status).toBe("approved");
    expect((await bench.verb(other.id, "evaluate")).json.status).toBe("pending_approval");
  });

  it("allows nothing that waits for people, and has stages when it asks again", async () => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval", item(bench));
    await bench.policy({ ...allowing({}), priority: 500 });
    const again = await bench.verb(id, "evaluate");
    expect(again.json).toMatchObject({ status: "pending_approval", stages: [{ status: "active" }] });
    const notBefore = new Date(world.clock.now() + HOUR).toISOString();
    const free = await bench.asked("approved", { ...item(bench, { x: 1 }), notBefore });
    bench.account.profiles = bench.account.profiles.map((one) => ({ ...one, permissions: ["other"] }));
    const { token } = world.a.owner;
    const target = `/api/v1/access-targets/${bench.connectorInstanceId}`;
    await world.send("POST", `${target}/resources/sync?resourceType=repository`, { token });
    await bench.tick();
    const path = `/api/v1/access-profiles/${bench.accessProfileId}`;
    const { definitionHash } = (await world.send("GET", path, { token })).json;
    await world.send("POST", `${path}/approve`, { token, body: { definitionHash } });
    await bench.tick(2 * HOUR);
    expect(await bench.request(free.id)).toMatchObject({
      ...{ status: "pending_approval", autoAllowedBy: null, granted: null },
      stages: [{ status: "active", candidates: [expect.any(Object), expect.any(Object)] }],
    });
  });

  it("pitfall 33: denies before any other allows, and says which one did", async () => {
    const bench = await requestBench(world, null);
    await bench.policy({ ...allowing({}), priority: 900 });
    const name = world.a.unique();
    await bench.policy({ name, effect: "deny", stages: [], priority: 1 });
    expect(await bench.asked("rejected", item(bench))).toMatchObject({
      resolution: { code: "denied", reason: expect.stringContaining(name) },
    });
  });

  it("is left, or entered where it allows, by no change of an asset but by who may take assets back from production", async () => {
    const [member, operator] = [await world.a.newUser(["member"]), await world.a.newUser(["operator"])];
    const bench = await requestBench(world, null);
    const move = (id: string, environment: string, { token } = member) =>
      world.send("PUT", `/api/v1/ai-assets/${id}`, { token, body: { environment } });
    const own = async (environment: string) =>
      (
        await world.send("POST", "/api/v1/ai-assets", {
          token: member.token,
          body: { environment, assetType: "agent" },
        })
      ).json.id as string;
    const [staged, tested] = [await own("staging"), await own("test")];
    expect((await move(staged, "test")).status).toBe(200);
    expect((await move(staged, "staging")).status).toBe(200);
    await bench.policy({ effect: "deny", stages: [], covers: { environments: ["staging"] } });
    await bench.policy({ ...allowing({}), covers: { environments: ["development"] } });
    for (const [id, environment] of [
      [staged, "test"],
      [tested, "development"],
    ] as const) {
      const refused = await move(id, environment);
      expect([refused.status, refused.json.permission]).toEqual([403, "ai-asset:promote"]);
    }
    expect((await move(tested, "staging")).status).toBe(200);
    expect((await move(staged, "development", operator)).status).toBe(200);
  });

  it("allows its editor nothing for a day", async () => {
    const bench = await requestBench(world, null);
    await bench.policy(allowing({}));
    await bench.asked("pending_approval", item(bench), world.a.owner);
  });

  it("allows nothing to whoever has weakened or removed a stricter one within a day, nor has them approve", async () => {
    const officer = await world.a.newUser(["governance_officer"]);
    const at = (id: string) => `/api/v1/access-policies/${id}`;
    const weakened = { enabled: false, priority: 0, covers: { assetIds: [await world.a.newAsset()] } };
    for (const [field, value] of [["removed", null], ...Object.entries(weakened)] as const) {
      const bench = await requestBench(world, null);
      await bench.policy({ ...allowing({}), priority: 1 });
      const strict = await bench.policy({ priority: 900 });
      const { id } = await bench.asked("pending_approval", item(bench), officer);
      await bench.verb(id, "cancel", officer, REASON);
      const { name, stages, covers } = (await world.send("GET", at(strict), { token: officer.token })).json;
      const headers = { "if-match": "*" };
      const changed =
        field === "removed"
          ? await world.send("DELETE", at(strict), { token: officer.token, headers })
          : await world.send("PUT", at(strict), {
              ...{ token: officer.token, headers },
              body: { name, stages, covers, priority: 900, [field]: value },
            });
      expect(changed.status, changed.text).toBeLessThan(300);
      const again = await bench.asked("pending_approval", item(bench), officer);
      expect([field, again.editors]).toEqual([field, expect.arrayContaining([officer.userId])]);
      expect(again.evaluation).toMatchObject({ explanations: [expect.stringContaining("changed a policy")] });
      const other = await bench.asked("approved", item(bench, { other: 1 }));
      expect(other.autoAllowedBy).not.toBeNull();
    }
  });

  it("allows nothing to whoever has removed a rule about conflicts, nor to their machine, until a day has passed", async () => {
    const bench = await requestBench(world, null);
    const officer = await world.a.newUser(["governance_officer", "operator"]);
    await bench.policy({ ...allowing({}), priority: 1 });
    const covers = { assetIds: [await world.a.newAsset()] };
    const rules = await bench.policy({ ...conflict(bench, "deny"), covers });
    await bench.tick(2 * DAY);
    Object.assign(officer, await world.a.signIn(officer.userId, officer));
    await bench.asked("approved", item(bench), officer);
    await bench.asked("rejected", writing(bench), officer);
    const gone = await world.send("DELETE", `/api/v1/access-policies/${rules}`, {
      ...{ token: officer.token, headers: { "if-match": "*" } },
    });
    expect(gone.status, gone.text).toBe(204);
    const { id } = await bench.asked("pending_approval", writing(bench), officer);
    await bench.verb(id, "cancel", officer, REASON);
    const agent = await world.a.newIdentity({ scopes: ["access-request:write"] }, officer);
    const { clientSecret } = await world.a.newCredential(agent, {}, officer);
    const body = { grant_type: "client_credentials", client_id: agent, client_secret: clientSecret };
    const { access_token: token } = (await world.send("POST", "/api/v1/auth/token", { body })).json;
    const machine = { ...officer, userId: agent, token };
    const asked = await bench.asked("pending_approval", writing(bench), machine);
    await bench.verb(asked.id, "cancel", world.a.owner, REASON);
    await bench.tick(DAY + 1);
    Object.assign(officer, await world.a.signIn(officer.userId, officer));
    await bench.asked("approved", writing(bench), officer);
  });

  it("allows nothing to whoever has changed it by an older version, whose events are in no stream of policies", async () => {
    const bench = await requestBench(world, null);
    const officer = await world.a.newUser(["governance_officer"]);
    const id = await bench.policy({ ...allowing({}), priority: 1 });
    await systemContext(environmentOf(world, { ids: ulidSource() }), world.a.tenantId, "test").write(async (ctx) => {
      const editedBy = [{ by: officer.userId, at: ctx.now }];
      await ctx.update(accessPolicies, await ctx.getOrThrow(accessPolicies, id), { editedBy }, { event: false });
    });
    expect((await bench.asked("pending_approval", item(bench), officer)).editors).toContain(officer.userId);
    expect((await bench.asked("approved", item(bench, { other: 1 }))).autoAllowedBy).toBe(id);
  });

  it("names people, roles and access of its own tenant only, and makes sense", async () => {
    const bench = await requestBench(world, null);
    const { token } = world.a.owner;
    const foreign = await world.b.newUser(["approver"]);
    const stage = { approvers: [{ kind: "user", id: foreign.userId }] };
    const wrong = [
      [{ stages: [stage] }, "invalid_reference"],
      [{ stages: [{ approvers: [{ kind: "asset_owner" }], fallback: stage.approvers }] }, "invalid_reference"],
      [{ stages: [{ approvers: [{ kind: "role", id: "nobody" }] }] }, "invalid_request"],
      [{ covers: { connectorInstanceIds: ["ci_01JD3Z6T5W8Y9X7V4R2Q1P0N6M"] } }, "invalid_reference"],
      [{ effect: "allow" }, "invalid_request"],
      [
        { kind: "emergency", maxDuration: "PT5H", stages: [{ approvers: [{ kind: "asset_owner" }] }] },
        "invalid_request",
      ],
    ] as const;
    for (const [more, code] of wrong) {
      const stages = [{ approvers: [{ kind: "user", id: bench.first.userId }] }];
      const body = { name: world.a.unique(), stages, ...more };
      const answer = await world.send("POST", "/api/v1/access-policies", { token, body });
      expect([answer.status, answer.json.code], JSON.stringify(more)).toEqual([400, code]);
    }
  });
});

const conflict = ({ accessProfileId, writeProfileId }: RequestBench, onHit: string) => ({
  conflicts: [
    {
      ...{ key: "read-and-write", description: "Nobody reads and writes.", mode: "is_in", severity: "high", onHit },
      ...{ left: { profileIds: [accessProfileId] }, right: { profileIds: [writeProfileId] } },
    },
  ],
});

/** A caller of the bench's asset. Returns the id. */
async function callerOf(bench: RequestBench, assetId = bench.assetId): Promise<string> {
  return world.a.newAsset({ relations: [{ type: "uses", targetId: assetId }] });
}

describe("access that must not be had together", () => {
  it("is denied with what the asset has, and with what it was asked for", async () => {
    const bench = await requestBench(world, null);
    await bench.policy(conflict(bench, "deny"));
    await bench.asked("pending_approval", item(bench));
    expect(await bench.asked("rejected", writing(bench))).toMatchObject({
      ...{ resolution: { code: "conflict" }, evaluation: { conflicts: [{ onHit: "deny", severity: "high" }] } },
    });
  });

  it("is denied across an agent and what it calls, in either order", async () => {
    const bench = await requestBench(world, null);
    await bench.policy(conflict(bench, "deny"));
    await bench.asked("pending_approval", item(bench));
    const caller = await callerOf(bench);
    const identity = await world.send("POST", `/api/v1/ai-assets/${caller}/access-identities`, {
      token: world.a.owner.token,
      body: {
        connectorInstanceId: bench.connectorInstanceId,
        principal: { type: "service_account", externalId: world.a.unique() },
      },
    });
    expect(identity.status).toBe(201);
    const at = `/api/v1/ai-assets/${caller}/access-requests`;
    const body = { connectorInstanceId: bench.connectorInstanceId, ...writing(bench), duration: "PT1H", ...REASON };
    const up = await world.send("POST", at, { token: bench.requester.token, body });
    expect(up.json).toMatchObject({ status: "rejected", resolution: { code: "conflict" } });

    const other = await requestBench(world, null);
    await other.policy(conflict(other, "deny"));
    const top = await callerOf(other);
    const path = `/api/v1/ai-assets/${top}`;
    const { token } = world.a.owner;
    await world.send("POST", `${path}/access-identities`, {
      token,
      body: {
        connectorInstanceId: other.connectorInstanceId,
        principal: { type: "service_account", externalId: world.a.unique() },
      },
    });
    const above = { connectorInstanceId: other.connectorInstanceId, ...item(other), duration: "PT1H", ...REASON };
    expect((await world.send("POST", `${path}/access-requests`, { token, body: above })).json.status).toBe(
      "pending_approval",
    );
    await other.asked("rejected", writing(other));
  });

  it("may lie beyond what is looked at, and approvers are told so", async () => {
    const bench = await requestBench(world);
    const near = await bench.asked("pending_approval", item(bench));
    let assetId = bench.assetId;
    for (let step = 0; step < 6; step += 1) assetId = await callerOf({ ...bench, assetId });
    const far = await bench.asked("pending_approval", item(bench, { far: 1 }));
    const said = ({ evaluation }: { readonly [field: string]: unknown }) => JSON.stringify(evaluation);
    expect([said(near), said(far)].map((text) => text.includes("than was looked at"))).toEqual([false, true]);
  });

  it("is looked at again at the last approval, and before it is granted", async () => {
    const bench = await requestBench(world, null);
    const policy = await bench.policy({});
    const { id } = await bench.asked("pending_approval", item(bench));
    const later = new Date(world.clock.now() + HOUR).toISOString();
    const held = await bench.asked("pending_approval", { ...item(bench, { later: 1 }), notBefore: later });
    await bench.approve(held.id);
    await bench.decide({ accessProfileId: bench.writeProfileId, duration: "P9D" });
    const current = await world.send("GET", `/api/v1/access-policies/${policy}`, { token: world.a.owner.token });
    const { name, covers, stages } = current.json;
    const headers = { "if-match": "*" };
    const body = { name, covers, stages, ...conflict(bench, "deny") };
    const changed = await world.send("PUT", `/api/v1/access-policies/${policy}`, {
      token: world.a.owner.token,
      body,
      headers,
    });
    expect(changed.status, changed.text).toBe(200);
    const refused = await bench.approve(id);
    expect(refused.json).toMatchObject({ code: "sod_conflict", conflicts: [{ onHit: "deny" }] });
    expect((await bench.request(id)).votes).toEqual([]);
    await bench.tick(2 * HOUR);
    expect(await bench.request(held.id)).toMatchObject({ status: "rejected", resolution: { code: "conflict" } });
  });

  it("is permitted for a time by who may, and ends then at the latest", async () => {
    const bench = await requestBench(world, null);
    const officer = await world.a.newUser(["governance_officer"]);
    const approvers = [bench.first, officer].map(({ userId: id }) => ({ kind: "user", id }));
    await bench.policy({ stages: [{ approvers }], ...conflict(bench, "require_exemption") });
    await bench.decide({ accessProfileId: bench.writeProfileId, duration: "P9D" });
    await bench.tick();
    const { id, evaluation } = await bench.asked("pending_approval", { ...item(bench), duration: "P5D" });
    const [{ rule }] = (evaluation as { conflicts: [{ rule: string }] }).conflicts;
    const expiresAt = ends(1);
    const exemptions = [{ rule, reason: "It is watched by two people.", expiresAt }];
    expect((await bench.approve(id, bench.first)).json.code).toBe("sod_conflict");
    expect((await bench.approve(id, bench.first, { exemptions })).json.code).toBe("permission_denied");
    expect((await bench.approve(id, officer, { exemptions })).json.status).toBe("approved");
    await bench.tick();
    const { items } = await bench.request(id);
    expect(await bench.read(items[0]?.assignmentId ?? "")).toMatchObject({ expiresAt });
  });

  it("only warns where a rule says so", async () => {
    const bench = await requestBench(world, null);
    await bench.policy(conflict(bench, "warn"));
    await bench.asked("pending_approval", item(bench));
    const { id, evaluation } = await bench.asked("pending_approval", writing(bench));
    expect(evaluation).toMatchObject({ conflicts: [{ onHit: "warn" }] });
    expect((await bench.approve(id)).json.status).toBe("approved");
  });
});

describe("an emergency", () => {
  const reason = "There is an incident with claims.";
  const emergency = { emergency: true, reason, duration: "PT2H" };

  it("takes a policy of its own and a reason, lasts four hours at most, and is not extended", async () => {
    const bench = await requestBench(world, null);
    await bench.policy({ ...allowing({}), kind: "emergency" });
    expect((await bench.ask({ ...emergency, reason: "It is urgent." })).json.code).toBe("missing_reason");
    expect((await bench.ask({ ...emergency, duration: "PT5H" })).json.code).toBe("duration_exceeds_max");
    const { id } = await bench.asked("approved", emergency);
    await bench.tick();
    const done = await bench.request(id);
    expect(done.status).toBe("provisioned");
    const assignmentId = done.items[0]?.assignmentId ?? "";
    expect(await bench.read(assignmentId)).toMatchObject({ source: "emergency", effective: true });
    const longer = { type: "extend", assignmentId, items: undefined, duration: "PT1H" };
    expect((await bench.ask(longer)).json.code).toBe("not_requestable");
    expect((await bench.act(assignmentId, "modify", { duration: "PT9H", reason })).json.code).toBe("not_requestable");
  });

  it("is told of, and reviewed afterwards by a four-eyes approver", async () => {
    const bench = await requestBench(world, null);
    await bench.policy({ ...allowing({}), kind: "emergency" });
    const { id } = await bench.asked("approved", emergency);
    await bench.tick();
    const { token } = world.a.owner;
    const found = await world.send("GET", `/api/v1/access-certifications?requestId=${id}`, { token });
    expect(found.json.items).toMatchObject([{ kind: "emergency_review", requestId: id }]);
    const reported = (await eventsOf(world.a)).filter(
      ({ attributes }) => attributes.includes("access.request.emergency_granted") && attributes.includes(id),
    );
    expect(reported).toHaveLength(1);
    await bench.tick();
    const items = await world.send("GET", `/api/v1/access-certifications/${found.json.items[0].id}/items`, { token });
    expect(items.json.items[0].reviewers).not.toContain(bench.requester.userId);
  });
});

describe("a request about an assignment", () => {
  async function granted(bench: RequestBench): Promise<string> {
    const { id } = await bench.asked("pending_approval", item(bench, { paths: ["a"] }));
    await bench.approve(id);
    await bench.tick();
    return (await bench.request(id)).items[0]?.assignmentId ?? "";
  }

  it("comes of a change that would permit more, and extends it", async () => {
    const bench = await requestBench(world);
    const assignmentId = await granted(bench);
    const { json } = await bench.act(assignmentId, "modify", { duration: "P2D", ...REASON });
    expect(json).toMatchObject({ outcome: "request_created", assignmentId });
    expect(await bench.request(json.requestId)).toMatchObject({ type: "extend", status: "pending_approval" });
    const before = await bench.read(assignmentId);
    await bench.approve(json.requestId);
    await bench.tick();
    expect((await bench.request(json.requestId)).status).toBe("provisioned");
    const { expiresAt } = await bench.read(assignmentId);
    expect((expiresAt ?? "") > (before.expiresAt ?? "")).toBe(true);
  });

  it("widens it once the target has granted that", async () => {
    const bench = await requestBench(world);
    const assignmentId = await granted(bench);
    const { json } = await bench.act(assignmentId, "modify", { parameters: { paths: ["a", "b"] }, ...REASON });
    await bench.approve(json.requestId);
    await bench.tick();
    await bench.tick();
    expect(await bench.request(json.requestId)).toMatchObject({ type: "modify", status: "provisioned" });
    expect(await bench.read(assignmentId)).toMatchObject({ status: "active", parameters: { paths: ["a", "b"] } });
    expect(bench.account.held.size).toBe(1);
  });

  it("takes over what is there already", async () => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval", { type: "adopt" });
    await bench.approve(id);
    await bench.tick();
    const { items } = await bench.request(id);
    expect(await bench.read(items[0]?.assignmentId ?? "")).toMatchObject({ source: "adopted", status: "active" });
  });
});
