import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { eventTypes, recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const REASON = "a reason of more than ten characters";
const SOMEBODY = { type: "external", id: "somebody", name: "Somebody" };

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const send = (method: string, path: string, body?: object, token = world.a.owner.token) =>
  world.send(method, path, { token, body });
const asset = async (id: string) => (await send("GET", `${ASSETS}/${id}`)).json;
const put = (id: string, body: object, token?: string) => send("PUT", `${ASSETS}/${id}`, body, token);
const disable = (userId: string) => send("PATCH", `/api/v1/users/${userId}`, { status: "disabled" });
const own = (userId: string) => ({ type: "user", id: userId });

/** Gets an asset approved and into validation. */
async function validated(parties: object): Promise<string> {
  const id = await world.a.newAsset({ environment: "production", ...parties });
  await send("PATCH", `${ASSETS}/${id}/governance-state`, { status: "under_review" });
  const decision = { status: "approved", reason: REASON };
  await send("PATCH", `${ASSETS}/${id}/governance-state`, decision, world.a.actors.approver.token);
  await send("PATCH", `${ASSETS}/${id}/lifecycle`, { status: "validation" });
  return id;
}
const promote = (id: string) => send("PATCH", `${ASSETS}/${id}/lifecycle`, { status: "production" });

describe("E2 owner and sponsor", () => {
  it("are active users of the tenant, by id or by address, and stored by id", async () => {
    const { operator, member } = world.a.actors;
    const owner = { type: "user", id: operator.userId };
    const sponsor = { id: member.username.toUpperCase(), name: "The member" };
    const stored = { owner, sponsor: { type: "user", id: member.userId, name: "The member" } };
    for (const path of [ASSETS, "/api/v1/ai/agents"]) {
      const { json } = await send("POST", path, { owner, sponsor });
      expect(json).toMatchObject(stored);
      const { status, json: same } = await send("PUT", `${path}/${json.id}`, { owner, sponsor });
      expect([status, same]).toEqual([200, json]);
    }
    const item = { externalRef: { id: "x" }, owner, sponsor };
    const { items } = (await send("POST", `${ASSETS}/import`, { items: [item] })).json;
    expect(await asset(items[0].id)).toMatchObject(stored);
  });

  it("are refused when there is no such user here, in any door", async () => {
    const gone = await world.a.newUser(["member"]);
    await disable(gone.userId);
    const there = await world.a.newAsset();
    const records = await recordsOf(world.a);
    for (const id of ["ada", gone.userId, gone.username, await world.a.newInvited(), world.b.owner.userId]) {
      for (const [method, path] of [
        ["POST", ASSETS],
        ["POST", "/api/v1/ai/models"],
        ["PUT", `${ASSETS}/${there}`],
      ] as const) {
        const { status, json } = await send(method, path, { sponsor: { id } });
        expect([status, json.code, json.errors[0].pointer]).toEqual([400, "invalid_reference", "/sponsor/id"]);
      }
      const { items } = (await send("POST", `${ASSETS}/import`, { items: [{ externalRef: { id }, owner: { id } }] }))
        .json;
      expect(items[0].problem.code).toBe("invalid_reference");
    }
    expect((await recordsOf(world.a)).ai_assets).toEqual(records.ai_assets);
  });

  it("outside of Reeve are declared with a name, and a user is no outsider", async () => {
    const { userId, username } = world.a.actors.operator;
    const nameless = await send("POST", ASSETS, { owner: { type: "external", id: "somebody" } });
    expect([nameless.status, nameless.json.errors[0].pointer]).toEqual([400, "/owner/name"]);
    const named = await send("POST", ASSETS, { owner: { type: "external", id: username, name: "Outsider" } });
    expect(named.json.owner).toEqual({ type: "user", id: userId, name: "Outsider" });
    const id = world.b.owner.userId;
    const other = await send("POST", ASSETS, { owner: { type: "external", id, name: "Outsider" } });
    expect(other.json.code).toBe("invalid_reference");
    expect((await send("POST", ASSETS, { owner: SOMEBODY })).json.owner).toEqual(SOMEBODY);
  });

  it("may be the person whom only the host knows", async () => {
    const stranger = { tenantId: world.a.tenantId, userId: "employee-7", username: "eve@corp.example" };
    const hosted = await createWorld({ authenticate: async () => ({ ...stranger, roles: ["member"] }) });
    for (const id of ["employee-7", "Eve@corp.example"]) {
      const made = await hosted.send("POST", ASSETS, { body: { owner: { id } } });
      expect(made.json.owner).toEqual({ type: "external", id: "employee-7", name: "eve@corp.example" });
    }
    const other = await hosted.send("POST", ASSETS, { body: { owner: { id: "employee-8" } } });
    expect(other.json.code).toBe("invalid_reference");
  });

  it.each<[string, () => Promise<object>]>([
    ["a machine", async () => ({ owner: SOMEBODY, sponsor: { type: "service", id: "ci" } })],
    ["a team", async () => ({ owner: { type: "team", id: "claims" }, sponsor: SOMEBODY })],
    ["nobody", async () => ({ owner: SOMEBODY, sponsor: null })],
  ])("keep an asset out of production when one is %s", async (_what, parties) => {
    const refused = await promote(await validated(await parties()));
    expect([refused.status, refused.json.code]).toEqual([409, "transition_guard_failed"]);
    expect(refused.json.guards.find(({ key }: { key: string }) => key === "accountable").ok).toBe(false);
  });

  it("keep an asset out of production once one has left", async () => {
    const { userId } = await world.a.newUser(["member"]);
    const id = await validated({ owner: own(userId), sponsor: SOMEBODY });
    await disable(userId);
    const refused = await promote(id);
    expect(refused.json.guards.find(({ key }: { key: string }) => key === "accountable").ok).toBe(false);
    await send("PATCH", `/api/v1/users/${userId}`, { status: "active" });
    expect((await promote(id)).json.status).toBe("production");
  });

  it("may stay as they are in other changes", async () => {
    const { userId } = await world.a.newUser(["member"]);
    const id = await world.a.newAsset({ owner: own(userId) });
    await disable(userId);
    const { owner } = await asset(id);
    const said = await put(id, { owner, purpose: "another" }, world.a.actors.operator.token);
    expect([said.status, said.json.owner]).toEqual([200, owner]);
  });
});

describe("S4 who owns an asset", () => {
  it("is not said by those who would own it", async () => {
    const { member, operator } = world.a.actors;
    const id = await validated({ owner: SOMEBODY, sponsor: SOMEBODY });
    await promote(id);
    const agent = (await send("POST", "/api/v1/ai/agents", { owner: SOMEBODY, sponsor: SOMEBODY })).json;
    const retire = () =>
      send("PATCH", `${ASSETS}/${id}/lifecycle`, { status: "retired", reason: REASON }, member.token);
    expect((await retire()).status).toBe(403);
    for (const { token, userId } of [member, operator]) {
      for (const body of [{ owner: own(userId) }, { owner: null }, { sponsor: own(userId) }]) {
        for (const path of [`${ASSETS}/${id}`, `/api/v1/ai/agents/${agent.id}`]) {
          const refused = await send("PUT", path, body, token);
          expect([refused.status, refused.json.permission]).toEqual([403, "ai-asset:assign"]);
        }
      }
    }
    expect((await retire()).status).toBe(403);
  });

  it("is handed over by the owner, and assigned by a governance officer", async () => {
    const { member, operator, admin } = world.a.actors;
    const id = await world.a.newAsset({ owner: own(member.userId) });
    expect((await put(id, { owner: own(operator.userId) }, member.token)).status).toBe(200);
    expect((await put(id, { owner: own(member.userId) }, member.token)).status).toBe(403);
    expect((await put(id, { owner: own(member.userId) }, admin.token)).status).toBe(200);
  });

  it("is said first by who registered it", async () => {
    const { member, operator } = world.a.actors;
    const id = await world.a.newAsset({ owner: null }, member);
    expect((await put(id, { owner: own(operator.userId) }, operator.token)).status).toBe(403);
    expect((await put(id, { owner: own(member.userId) }, member.token)).status).toBe(200);
  });

  it("is said by who registered it no more once somebody has answered for it", async () => {
    const { member, operator, admin } = world.a.actors;
    const id = await world.a.newAsset({ owner: null, sponsor: null }, member);
    expect((await put(id, { owner: own(operator.userId) }, member.token)).status).toBe(200);
    // Neither a role beside the owner's, nor what the owner has given up.
    expect((await put(id, { sponsor: own(member.userId) }, member.token)).status).toBe(403);
    expect((await put(id, { owner: null }, operator.token)).status).toBe(200);
    const refused = await put(id, { owner: own(member.userId) }, member.token);
    expect([refused.status, refused.json.permission]).toEqual([403, "ai-asset:assign"]);
    expect((await put(id, { owner: own(member.userId) }, admin.token)).status).toBe(200);
  });

  it("is nobody who appoints themself, whatever they may assign, by any door", async () => {
    const { admin: officer, member } = world.a.actors;
    const forbidden = [403, "self_appointment_forbidden"];
    const id = await world.a.newAsset({ owner: own(member.userId), sponsor: own(member.userId) });
    const agent = (await send("POST", "/api/v1/ai/agents", { owner: SOMEBODY, sponsor: SOMEBODY })).json;
    for (const body of [{ owner: own(officer.userId) }, { sponsor: { id: officer.username.toUpperCase() } }]) {
      const refused = await put(id, body, officer.token);
      expect([refused.status, refused.json.code]).toEqual(forbidden);
    }
    const { token } = world.a.owner;
    const typed = await send("PUT", `/api/v1/ai/agents/${agent.id}`, { owner: own(world.a.owner.userId) }, token);
    expect([typed.status, typed.json.code]).toEqual(forbidden);
    const to = { id: officer.username };
    const all = await send("POST", `${ASSETS}/reassign`, { from: member.userId, to, reason: REASON }, officer.token);
    expect([all.status, all.json.code]).toEqual(forbidden);
    expect((await put(id, { owner: own(officer.userId) }, member.token)).status).toBe(200);
  });

  it("says which identity an agent runs as, and no machine nor anybody else says it", async () => {
    const { member, operator } = world.a.actors;
    const identityId = await world.a.newIdentity();
    const agent = async (owner: object) => (await send("POST", "/api/v1/ai/agents", { owner, sponsor: null })).json;
    const [theirs, mine] = [await agent(SOMEBODY), await agent(own(operator.userId))];
    const run = (id: string) => send("PUT", `/api/v1/ai/agents/${id}`, { identityId }, operator.token);
    expect([(await run(theirs.id)).status, (await run(mine.id)).status]).toEqual([403, 200]);
    const list = (agentIds: string[]) =>
      send("PUT", `/api/v1/ai/identities/${identityId}`, { agentIds }, operator.token);
    expect([(await list([theirs.assetId])).status, (await list([mine.assetId])).status]).toEqual([403, 200]);
    expect((await send("POST", "/api/v1/ai/agents", { identityId, sponsor: null }, member.token)).status).toBe(201);
  });

  it("is a matter of its approval", async () => {
    const { member } = world.a.actors;
    const id = await validated({ owner: SOMEBODY, sponsor: SOMEBODY });
    expect((await put(id, { owner: { ...SOMEBODY, name: "The same" } })).json.governanceState).toBe("approved");
    expect((await put(id, { owner: own(member.userId) })).json.governanceState).toBe("under_review");
  });
});

describe("E2 who leaves", () => {
  const attention = async (token?: string) =>
    (await send("GET", "/api/v1/ai/overview?size=100", undefined, token)).json.attention.items.filter(
      ({ kind }: { kind: string }) => kind === "assets_of_leavers",
    );

  it("is shown with exactly the assets", async () => {
    const [first, second] = [await world.a.newUser(["member"]), await world.a.newUser(["member"])];
    const owned = [
      await world.a.newAsset({ owner: own(first.userId) }),
      await world.a.newAsset({ owner: own(first.userId) }),
    ];
    await world.a.newAsset({ owner: own(second.userId) });
    expect(await attention()).toEqual([]);
    await disable(first.userId);
    await disable((await world.a.newUser(["member"])).userId);
    const [item, ...more] = await attention();
    expect([item.count, item.severity, more]).toEqual([2, "high", []]);
    const ids = (await send("GET", item.href)).json.items.map(({ id }: { id: string }) => id);
    expect(ids.sort()).toEqual(owned.sort());
  });

  it("is shown although many others have left, and at least so many where not all were looked at", async () => {
    const before = await attention();
    const early = await world.a.newUser(["member"]);
    await disable(early.userId);
    for (let n = 0; n < 41; n += 1) await disable((await world.a.newUser(["member"])).userId);
    const late = await world.a.newUser(["member"]);
    for (let n = 0; n < 3; n += 1) await world.a.newAsset({ owner: own(late.userId) });
    await disable(late.userId);
    const [item] = await attention();
    expect([item.count, item.title]).toEqual([3, "At least 3 assets belong to disabled users"]);
    for (const { id } of (await send("GET", item.href)).json.items)
      await send("PUT", `/api/v1/ai-assets/${id}`, { owner: SOMEBODY });
    expect(await attention()).toEqual(before);
  });

  it("is removed only when nothing is left to answer for", async () => {
    const { userId } = await world.a.newUser(["member"]);
    await world.a.newAsset({ sponsor: own(userId) });
    const remove = () => send("DELETE", `/api/v1/users/${userId}`);
    expect((await remove()).json.code).toBe("in_use");
    const to = { id: world.a.actors.operator.userId };
    await send("POST", `${ASSETS}/reassign`, { from: userId, to, reason: REASON });
    expect((await remove()).status).toBe(204);
  });

  it("is followed by another in all assets, a hundred at a time", async () => {
    const { userId, username } = await world.a.newUser(["member"]);
    const items = Array.from({ length: 101 }, (_, at) => ({ externalRef: { id: String(at) }, owner: own(userId) }));
    for (const some of [items.slice(0, 60), items.slice(60)]) await send("POST", `${ASSETS}/import`, { items: some });
    const approved = await validated({ owner: SOMEBODY, sponsor: own(userId) });
    await disable(userId);
    const { token } = world.a.actors.governance_officer;
    const to = own(world.a.actors.operator.userId);
    const count = (await eventTypes(world.a)).length;
    const reassign = async () =>
      (await send("POST", `${ASSETS}/reassign`, { from: username, to, reason: REASON }, token)).json;
    expect(await reassign()).toEqual({ reassigned: 100, more: true });
    expect(await reassign()).toEqual({ reassigned: 2, more: false });
    expect(await reassign()).toEqual({ reassigned: 0, more: false });
    expect(await eventTypes(world.a, count)).toEqual(Array(102).fill("asset.updated"));
    expect(await asset(approved)).toMatchObject({ owner: SOMEBODY, sponsor: to, governanceState: "approved" });
    expect((await send("GET", `${ASSETS}?owner=${userId}`)).json.totalItems).toBe(0);
    expect((await send("GET", `${ASSETS}/${approved}/activity?size=1`)).json.items[0].data.reason).toBe(REASON);
    expect(await attention()).toEqual([]);
  });

  it("is followed by a living person only, whom somebody with the permission names", async () => {
    const from = "somebody";
    await world.a.newAsset({ owner: SOMEBODY });
    const reassign = (to: object, token?: string) =>
      send("POST", `${ASSETS}/reassign`, { from, to, reason: REASON }, token);
    for (const to of [{ id: "nobody" }, { type: "team", id: "claims" }, SOMEBODY, own(world.b.owner.userId)])
      expect((await reassign(to)).status).toBe(400);
    const { operator } = world.a.actors;
    expect((await reassign(own(operator.userId), operator.token)).json.permission).toBe("ai-asset:assign");
    expect((await reassign(own(operator.userId), world.b.owner.token)).status).toBe(400);
  });
});
