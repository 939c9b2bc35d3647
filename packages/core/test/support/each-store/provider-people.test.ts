import { createPlane, linkTokenIn, sampleOf, sendSample, table, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { StoreError, type Transaction } from "#store/index.js";
import { createMemoryStore } from "../../../src/index.js";
import { eventsOf, eventTypes, isProviders, mutates, recordsOf } from "../../helpers/facts.js";
import { newestEvent, providerOf, REASON } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let provider: ReturnType<typeof providerOf>;
beforeEach(async () => {
  world = await createWorld();
  provider = providerOf(world);
});

const ofProvider = table.filter(isProviders).map((operation) => [operation.id, operation] as const);

describe("every operation of the provider", () => {
  it.each(ofProvider)(
    "%s is refused to tenants whatever their role, before anything is looked at",
    async (_id, operation) => {
      const { a } = world;
      const before = [await recordsOf(a), await recordsOf(world.provider)];
      for (const actor of Object.values(a.actors)) {
        const params = { key: "x", tenantId: "x", userId: "x", kind: "x" };
        const answer = await sendSample(a, operation, actor, { params, body: undefined, query: "?nonsense=1" });
        expect([answer.status, answer.json.code]).toEqual([403, "provider_policy"]);
      }
      expect([await recordsOf(a), await recordsOf(world.provider)]).toEqual(before);
      const denied = (await eventTypes(a)).filter((type) => type === "request.denied").length;
      expect(denied).toBe(mutates(operation) ? Object.keys(a.actors).length : 0);
    },
  );

  const writes = ofProvider.filter(([, operation]) => mutates(operation));
  /** What stops acts without a reason too. */
  const STOPS = ["support.setKillSwitch", "support.setTenantStatus", "support.setUserStatus"];
  it.each(writes.filter(([id]) => !STOPS.includes(id)))(
    "%s wants a reason, and writes nothing without one",
    async (_id, operation) => {
      const params = (await sampleOf(operation).arrange?.(world.a)) ?? {};
      const { reason: _left, ...body } = (sampleOf(operation).body?.(world.a, world.provider.owner) ?? {}) as {
        reason?: string;
      };
      const all = async () => [await recordsOf(world.a), await recordsOf(world.provider), await platform()];
      const before = await all();
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] as string);
      const { token } = world.provider.owner;
      const answer = await world.send(operation.method, path, { token, ...(operation.body ? { body } : {}) });
      expect([answer.status, answer.json.code]).toEqual([400, "missing_reason"]);
      expect(await all()).toEqual(before);
    },
  );
  const platform = () => recordsOf({ store: world.store, tenantId: "platform" });

  const upon = writes.filter(([, { path }]) => /\{(tenantId|userId)\}/.test(path));
  it.each(upon)(
    "%s is written down with the provider and with the tenant, in one transaction",
    async (_id, operation) => {
      const params = (await sampleOf(operation).arrange?.(world.a)) as Record<string, string>;
      const tenantId = params.tenantId ?? world.a.tenantId;
      const target = { store: world.store, tenantId };
      const before = [(await eventsOf(target)).length, (await eventsOf(world.provider)).length];
      const answer = await sendSample(world.a, operation, world.provider.owner, { params });
      expect(answer.status).toBe(operation.success.status);
      const after = [(await eventsOf(target)).length, (await eventsOf(world.provider)).length];
      expect(after).toEqual(before.map((count) => count + 1));
      const reported = await newestEvent(world, tenantId);
      const kept = await newestEvent(world, world.provider.tenantId);
      expect(reported).toMatchObject({ authid: "provider", correlationid: kept.correlationid });
      expect(reported.data).toMatchObject({ reason: (kept.data as { reason: string }).reason });
      expect(kept).toMatchObject({ authid: world.provider.owner.userId, data: { operation: operation.id, tenantId } });
      expect(JSON.stringify(reported)).not.toContain(world.provider.owner.userId);
      const ofTenant = await world.send("GET", `/api/v1/ai/activity/${tenantId}`, {
        token: world.provider.owner.token,
      });
      expect(ofTenant.json.items[0].id).toBe(kept.id);
    },
  );

  it.each(upon)("%s leaves nothing anywhere when the provider's event cannot be stored", async (_id, operation) => {
    const { store } = world;
    const params = (await sampleOf(operation).arrange?.(world.a)) as Record<string, string>;
    const body = sampleOf(operation).body?.(world.a, world.provider.owner);
    const tenantId = params.tenantId ?? world.a.tenantId;
    const homes = [world.a, world.provider, { store, tenantId: "platform" }, { store, tenantId }];
    const all = () => Promise.all(homes.map(async (home) => [await recordsOf(home), (await eventsOf(home)).length]));
    const before = await all();
    const { transaction } = store;
    const failing = { append: () => Promise.reject(new StoreError("busy", "somebody holds it")) };
    Object.assign(store, {
      transaction: (id: string, work: (tx: Transaction) => Promise<unknown>) =>
        transaction.call(store, id, (tx) => work(Object.assign(tx, failing))),
    });
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] as string);
    const answer = await world.send(operation.method, path, { token: world.provider.owner.token, body });
    expect([answer.status, answer.json.code]).toEqual([503, "storage_busy"]);
    expect(await all()).toEqual(before);
  });
});

describe("the provider's people", () => {
  it("see who they are and what they may do", async () => {
    const { json } = await provider.get("me");
    expect(json).toMatchObject({
      username: "root@provider.test",
      roles: ["provider_admin"],
      tenant: { subdomain: "provider" },
    });
    expect(json.operations).toEqual(ofProvider.map(([id]) => id));
    const looker = await world.send("GET", "/api/v1/support/me", {
      token: world.provider.actors.provider_support.token,
    });
    expect(looker.json.permissions).toEqual(["saved-view:use", "support:read"]);
    expect(looker.json.operations).toEqual(ofProvider.filter(([, operation]) => !mutates(operation)).map(([id]) => id));
  });

  it("reach no data of tenants beside the support operations", async () => {
    const id = await world.a.newAsset();
    const { token } = world.provider.owner;
    for (const path of [`/api/v1/ai-assets/${id}`, "/api/v1/ai-assets"])
      expect((await world.send("GET", path, { token })).json.code).toBe("permission_denied");
    expect((await world.send("GET", `/api/v1/users/${world.a.owner.userId}`, { token })).status).toBe(404);
    expect((await world.send("GET", `/api/v1/ai/activity/${id}`, { token })).status).toBe(404);
  });

  it("get their roles only in the provider's own tenant", async () => {
    for (const role of ["provider_admin", "provider_support"]) {
      const body = { username: `${role}@example.test`, roles: ["member", role] };
      const refused = await world.send("POST", "/api/v1/users", { token: world.a.owner.token, body });
      expect([refused.status, refused.json.errors?.[0].pointer]).toEqual([400, "/roles/1"]);
      const patched = await world.send("PATCH", `/api/v1/users/${world.a.owner.userId}`, {
        token: world.a.owner.token,
        body: { roles: ["owner", role] },
      });
      expect([patched.status, patched.json.errors?.[0].pointer]).toEqual([400, "/roles/1"]);
    }
    await expect(world.provider.newUser(["provider_admin", "provider_support"])).resolves.toBeDefined();
    await expect(world.provider.newUser(["member"])).rejects.toThrow("permission_denied");
  });

  it("take a password away and have a link mailed for another, which no answer or event holds", async () => {
    const user = await world.a.newUser(["member"]);
    const signIn = (password: string) =>
      world.send("POST", "/api/v1/auth/signin", { body: { username: user.username, password }, remoteAddress: "home" });
    const answer = await provider.post(`users/${user.userId}/reset-password`, {});
    expect(answer.status).toBe(200);
    expect((await world.send("GET", "/api/v1/ai-assets", { token: user.token })).status).toBe(401);
    expect((await signIn(user.password)).status).toBe(401);
    const token = linkTokenIn(await world.mailbox.next(user.username));
    const kept = [await recordsOf(world.a), await eventsOf(world.a), await eventsOf(world.provider)];
    expect(answer.text + JSON.stringify(kept)).not.toContain(token);
    const newPassword = "an entirely new phrase 4";
    const set = await world.send("POST", "/api/v1/auth/set-password", { body: { token, newPassword } });
    expect(set.status).toBe(200);
    expect((await signIn(newPassword)).status).toBe(200);
  });

  it("reset no password of the disabled, and mail the invited another invitation", async () => {
    const { userId } = await world.a.newUser(["member"]);
    await provider.post(`users/${userId}/status`, { status: "disabled" });
    const refused = await provider.post(`users/${userId}/reset-password`, {});
    expect([refused.status, refused.json.code]).toEqual([409, "transition_guard_failed"]);
    const invited = await world.a.newInvited();
    const { address } = world.a.mailed;
    expect((await provider.post(`users/${invited}/reset-password`, {})).status).toBe(200);
    const body = { token: linkTokenIn(await world.mailbox.next(address, 2)), newPassword: "an entirely new phrase 5" };
    expect((await world.send("POST", "/api/v1/auth/set-password", { body })).status).toBe(200);
  });

  it("keep one administrator", async () => {
    const { userId } = world.provider.owner;
    const status = (id: string, to: string) => provider.post(`users/${id}/status`, { status: to });
    expect((await status(userId, "disabled")).json.code).toBe("in_use");
    const second = await world.provider.newUser(["provider_admin"]);
    expect((await status(second.userId, "disabled")).status).toBe(200);
    expect((await status(userId, "disabled")).json.code).toBe("in_use");
  });
});

describe("a user of a tenant", () => {
  it("is disabled with all its tokens, enabled without them, and may sign in again", async () => {
    const actor = await world.a.newUser(["member"]);
    const works = async (token = actor.token) => (await world.send("GET", "/api/v1/ai-assets", { token })).status;
    const status = (to: string) => provider.post(`users/${actor.userId}/status`, { status: to });
    expect(await works()).toBe(200);
    const disabled = await status("disabled");
    expect(disabled.json).toMatchObject({ id: actor.userId, tenantId: world.a.tenantId, status: "disabled" });
    expect(disabled.json).not.toHaveProperty("metadata");
    expect(await works()).toBe(401);
    expect(await newestEvent(world, world.a.tenantId)).toMatchObject({
      type: "reeve.user.status.changed.v1",
      authid: "provider",
      data: { reason: REASON },
    });
    await status("active");
    expect(await works()).toBe(401);
    expect(await works((await world.a.signIn(actor.userId, actor)).token)).toBe(200);
    const before = (await eventsOf(world.a)).length;
    await status("active");
    expect((await eventsOf(world.a)).length).toBe(before);
  });

  it("that was invited is not made active without a password", async () => {
    const body = { username: "invited@example.test" };
    const { json } = await world.send("POST", "/api/v1/users", { token: world.a.owner.token, body });
    const answer = await provider.post(`users/${json.id}/status`, { status: "active" });
    expect(answer.json.code).toBe("transition_guard_failed");
  });

  it("may be the last owner of its tenant", async () => {
    expect((await provider.post(`users/${world.a.owner.userId}/status`, { status: "disabled" })).status).toBe(200);
  });

  it.each(["x", "usr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "__proto__"])("%s does not exist", async (id) => {
    expect((await provider.post(`users/${id}/status`, { status: "disabled" })).status).toBe(404);
  });
});

describe("roles of the host's own", () => {
  const own = { librarian: { description: "Keeps the list", permissions: ["ai-asset:read", "ai-asset:write"] } };

  it("are given and count from the next request on", async () => {
    const { a, send } = await createWorld({ roles: own });
    const actor = await a.newUser([]);
    const create = () => send("POST", "/api/v1/ai-assets", { token: actor.token, body: {} });
    expect((await create()).json.code).toBe("permission_denied");
    const given = await a.newUser(["librarian"]);
    expect((await send("POST", "/api/v1/ai-assets", { token: given.token, body: {} })).status).toBe(201);
    expect((await send("DELETE", `/api/v1/users/${actor.userId}`, { token: given.token })).status).toBe(403);
  });

  it("are unknown where the host has not declared them", async () => {
    const body = { username: "l@example.test", roles: ["librarian"] };
    const answer = await world.send("POST", "/api/v1/users", { token: world.a.owner.token, body });
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([400, "/roles/0"]);
  });

  it("that cannot work are refused at start, naming them", () => {
    const store = createMemoryStore();
    const unsound: Record<string, readonly string[]> = {
      owner: own.librarian.permissions,
      Librarian: own.librarian.permissions,
      spy: ["support:read"],
      wizard: ["magic"],
    };
    for (const [name, permissions] of Object.entries(unsound))
      expect(() => createPlane({ store, roles: { [name]: { description: "", permissions } } })).toThrow(
        `roles.${name}`,
      );
  });

  it("and all others change within five seconds in another process, at once in this one", async () => {
    const { a, store, clock, send } = world;
    const other = createPlane({ store, clock });
    const actor = await a.newUser(["auditor"]);
    const verify = (plane: Pick<World, "send">, token: string) =>
      plane.send("GET", "/api/v1/ai-governance/audit/verification", { token });
    expect((await verify(other, actor.token)).status).toBe(200);
    await send("PATCH", `/api/v1/users/${actor.userId}`, { token: a.owner.token, body: { roles: ["member"] } });
    expect((await verify(world, actor.token)).status).toBe(401);
    clock.advance(5_000);
    expect((await verify(other, actor.token)).status).toBe(401);
    const { token } = await a.signIn(actor.userId, actor);
    expect((await verify(other, token)).json.permission).toBe("ai-audit:verify");
  });
});
