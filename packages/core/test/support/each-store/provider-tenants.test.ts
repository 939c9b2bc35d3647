import { createPlane, createScene, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import { eventsOf, recordsOf } from "../../helpers/facts.js";
import { newestEvent, providerOf, REASON } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

const NOWHERE = "tnt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ";

let world: World;
let provider: ReturnType<typeof providerOf>;
beforeEach(async () => {
  world = await createWorld();
  provider = providerOf(world);
});

const ids = (json: { items: { id: string }[] }) => json.items.map(({ id }) => id);
const ask = async (scene = world.a) => world.send("GET", "/api/v1/ai-assets", { token: scene.owner.token });

describe.each(["orgs", "tenants"])("the list of %s", (list) => {
  it("holds every tenant, newest first, by page and by cursor", async () => {
    for (let index = 0; index < 5; index += 1) {
      world.clock.advance(1);
      await createScene(world, `zqcharlie${index}`, world.provider);
    }
    const all = ids((await provider.get(`${list}?size=100`)).json);
    expect(all).toHaveLength(8);
    expect(all.at(-1)).toBe(world.provider.tenantId);
    const seen: string[] = [];
    let query = "?size=3";
    for (;;) {
      const { json } = await provider.get(list + query);
      seen.push(...ids(json));
      if (json.nextCursor === null) break;
      query = `?size=3&cursor=${json.nextCursor}`;
    }
    expect(seen).toEqual(all);
    expect(ids((await provider.get(`${list}?size=3&page=1`)).json)).toEqual(all.slice(3, 6));
  });

  it("is searched by name and subdomain, and filtered by status", async () => {
    expect(ids((await provider.get(`${list}?search=ZQALPHA`)).json)).toEqual([world.a.tenantId]);
    expect(ids((await provider.get(`${list}?search=zq`)).json).sort()).toEqual(
      [world.a.tenantId, world.b.tenantId].sort(),
    );
    for (const search of ["%25", "_", "nobody"])
      expect((await provider.get(`${list}?search=${search}`)).json.totalItems).toBe(0);
    await provider.post(`tenants/${world.b.tenantId}/status`, { status: "suspended" });
    expect(ids((await provider.get(`${list}?status=suspended`)).json)).toEqual([world.b.tenantId]);
    expect(ids((await provider.get(`${list}?status=active&search=zqbravo`)).json)).toEqual([]);
    expect((await provider.get(`${list}?status=gone`)).status).toBe(400);
  });
});

/** How many the tenant itself counts. */
const totalOf = async (list: string): Promise<number> =>
  (await world.send("GET", `/api/v1/${list}`, { token: world.a.owner.token })).json.totalItems;

describe("an organisation", () => {
  it("is shown with what is counted of it", async () => {
    await world.a.newAsset();
    const [assets, users] = [await totalOf("ai-assets"), await totalOf("users")];
    const { json } = await provider.get(`orgs/${world.a.tenantId}`);
    expect(json).toMatchObject({
      id: world.a.tenantId,
      status: "active",
      alias: null,
      counts: { assets, users },
    });
    expect((await provider.get("orgs?search=zqalpha")).json.items).toEqual([json]);
  });

  it("shows its users without anything they prove themselves by, and without what the tenant noted", async () => {
    const { json, text } = await provider.get(`orgs/${world.a.tenantId}/users?size=3`);
    expect(json).toMatchObject({ totalItems: await totalOf("users"), size: 3 });
    expect(Object.keys(json.items[0]).sort()).toEqual(
      ["createdAt", "id", "name", "roles", "status", "tenantId", "updatedAt", "username", "version"].sort(),
    );
    const credentials = (await recordsOf(world.a)).credentials as string[];
    const hashes = credentials.map((record) => (JSON.parse(record) as { passwordHash: string }).passwordHash);
    expect(hashes.filter((hash) => text.includes(hash))).toEqual([]);
    const next = await provider.get(`orgs/${world.a.tenantId}/users?size=3&cursor=${json.nextCursor}`);
    expect(new Set([...ids(json), ...ids(next.json)]).size).toBe(6);
    const other = await provider.get(`orgs/${world.b.tenantId}/users?size=3&cursor=${json.nextCursor}`);
    expect(other.json.code).toBe("invalid_cursor");
  });

  it("lists its users by role and in the order of their addresses", async () => {
    const { json } = await provider.get(`orgs/${world.a.tenantId}/users?role=owner,auditor&sort=username`);
    const shown = json.items.map(({ roles }: { roles: string[] }) => roles[0]);
    expect([...shown].sort()).toEqual(["auditor", "owner"]);
    const addresses = json.items.map(({ username }: { username: string }) => username);
    expect(addresses).toEqual([...addresses].sort());
    expect((await provider.get(`orgs/${world.b.tenantId}/users?role=audit`)).json.items).toEqual([]);
  });

  it.each([
    ["GET", (id: string) => `orgs/${id}`],
    ["GET", (id: string) => `orgs/${id}/users`],
    ["GET", (id: string) => `tenants/${id}/entitlements`],
    ["POST", (id: string) => `tenants/${id}/entitlements/feature/plan`],
    ["POST", (id: string) => `tenants/${id}/status`],
  ] as const)("that does not exist is 404 to %s, whatever its id looks like", async (method, path) => {
    for (const id of [NOWHERE, "x", "platform", "__proto__", "x".repeat(300), world.a.owner.userId]) {
      const body = { status: path(id).endsWith("status") ? "suspended" : "licensed" };
      const answer = method === "GET" ? await provider.get(path(id)) : await provider.post(path(id), body);
      expect([id, answer.status, answer.json.code]).toEqual([id, 404, "not_found"]);
    }
  });
});

describe("the status of a tenant", () => {
  const status = (to: string, more = {}, tenantId = world.a.tenantId) =>
    provider.post(`tenants/${tenantId}/status`, { status: to, ...more });

  it("takes effect on the next request, and back", async () => {
    expect((await ask()).status).toBe(200);
    expect((await status("suspended")).json).toMatchObject({ id: world.a.tenantId, status: "suspended" });
    expect((await ask()).json.code).toBe("tenant_suspended");
    expect((await ask(world.b)).status).toBe(200);
    await status("active");
    expect((await ask()).status).toBe(200);
    await status("closed");
    expect((await ask()).json.code).toBe("tenant_suspended");
    const back = await status("active");
    expect(back.json).toMatchObject({ code: "invalid_transition", current: "closed", allowed: ["suspended"] });
    await status("suspended");
    await status("active");
    expect((await ask()).status).toBe(200);
  });

  it("reaches another process within five seconds", async () => {
    const { store, clock } = world;
    const other = createPlane({ store, clock });
    const elsewhere = () => other.send("GET", "/api/v1/ai-assets", { token: world.a.owner.token });
    expect((await elsewhere()).status).toBe(200);
    await status("suspended");
    clock.advance(5_000);
    expect((await elsewhere()).json.code).toBe("tenant_suspended");
  });

  it("is kept in both streams; only the provider's says who it was", async () => {
    const before = (await eventsOf(world.a)).length;
    await status("suspended", { metadata: { ticket: "T-1" } });
    expect((await eventsOf(world.a)).length).toBe(before + 1);
    const reported = await newestEvent(world, world.a.tenantId);
    expect(reported).toMatchObject({
      type: "reeve.tenant.status.changed.v1",
      authid: "provider",
      tostate: "suspended",
    });
    expect(reported.data).toMatchObject({ reason: REASON, event: "suspend" });
    expect(JSON.stringify(reported)).not.toMatch(new RegExp(`${world.provider.owner.userId}|root@provider|T-1`));
    expect(await newestEvent(world, world.provider.tenantId)).toMatchObject({
      authid: world.provider.owner.userId,
      subject: world.a.tenantId,
      data: {
        tenantId: world.a.tenantId,
        from: "active",
        to: "suspended",
        reason: REASON,
        metadata: { ticket: "T-1" },
      },
    });
    expect((await status("suspended")).status).toBe(200);
    expect((await eventsOf(world.a)).length).toBe(before + 1);
  });

  it("of the provider's own tenant cannot be moved", async () => {
    for (const to of ["suspended", "closed"])
      expect((await status(to, {}, world.provider.tenantId)).json.code).toBe("in_use");
  });

  it("is not moved past a version", async () => {
    const path = `tenants/${world.a.tenantId}/status`;
    const moved = await provider.post(path, { status: "suspended" }, { "if-match": '"2"' });
    expect([moved.status, moved.json.current]).toEqual([412, 1]);
    expect((await ask()).status).toBe(200);
  });
});

describe("entitlements", () => {
  const grant = (what: string, configuration: object = {}, more = {}) =>
    provider.post(`tenants/${world.a.tenantId}/entitlements/${what}`, { configuration, ...more });
  const held = async () => (await provider.get(`tenants/${world.a.tenantId}/entitlements?size=100`)).json.items;

  it("take effect on the next request", async () => {
    expect((await ask()).status).toBe(200);
    const revoked = await grant("capability/ai_registry", {}, { status: "revoked" });
    expect(revoked.json).toMatchObject({ kind: "capability", key: "ai_registry", status: "revoked", version: 2 });
    expect((await ask()).json).toMatchObject({ code: "capability_not_licensed", capability: "ai_registry" });
    expect((await ask(world.b)).status).toBe(200);
    await grant("capability/ai_registry");
    expect((await ask()).status).toBe(200);
  });

  it("run out", async () => {
    const expiresAt = new Date(world.clock.now() + 60_000).toISOString();
    await grant("capability/ai_registry", { expiresAt });
    world.clock.advance(59_999);
    expect((await ask()).status).toBe(200);
    world.clock.advance(1);
    expect((await ask()).json.code).toBe("capability_not_licensed");
  });

  it("are listed for the tenant, and with the plan in the list of tenants", async () => {
    await grant("feature/plan", { value: "Enterprise" });
    await grant("limit/assets", { value: 9 });
    expect((await held()).map(({ id }: { id: string }) => id)).toEqual([
      "capability:access_governance",
      "capability:ai_governance",
      "capability:ai_registry",
      "capability:compliance",
      "capability:connectors",
      "capability:identity_foundation",
      "feature:plan",
      "limit:assets",
    ]);
    const { json } = await provider.get("tenants?search=zqalpha");
    expect(json.items).toMatchObject([{ plan: "Enterprise", status: "active" }]);
    expect(json.items[0].entitlements).toEqual(await held());
    await grant("feature/plan", {}, { status: "revoked" });
    expect((await provider.get("tenants?search=zqalpha")).json.items[0].plan).toBeNull();
  });

  it("are kept in both streams, and written once", async () => {
    const first = await grant("limit/users", { value: 20 });
    expect(first.headers.etag).toBe('"1"');
    expect(await newestEvent(world, world.a.tenantId)).toMatchObject({
      type: "reeve.tenant.entitlement_changed.v1",
      authid: "provider",
      data: { kind: "limit", key: "users", from: null, to: { value: 20 }, reason: REASON },
    });
    expect(await newestEvent(world, world.provider.tenantId)).toMatchObject({
      authid: world.provider.owner.userId,
      data: { tenantId: world.a.tenantId, to: { id: "limit:users", value: 20 } },
    });
    const before = [await eventsOf(world.a), await eventsOf(world.provider)];
    expect((await grant("limit/users", { value: 20 })).json.version).toBe(1);
    expect([await eventsOf(world.a), await eventsOf(world.provider)]).toEqual(before);
  });

  it.each<[string, object, string | undefined]>([
    ["capability/flying", {}, undefined],
    ["limit/flights", { value: 1 }, undefined],
    ["feature/wings", { value: "x" }, undefined],
    ["wish/plan", {}, undefined],
    ["__proto__/plan", {}, undefined],
    ["capability/toString", {}, undefined],
    ["capability/connectors", { value: 1 }, "/configuration/value"],
    ["limit/assets", {}, "/configuration/value"],
    ["limit/assets", { value: -1 }, "/configuration/value"],
    ["limit/assets", { value: "9" }, "/configuration/value"],
    ["feature/plan", { value: 9 }, "/configuration/value"],
    ["feature/plan", { value: "" }, "/configuration/value"],
    ["capability/connectors", { expiresAt: "2025-01-01T00:00:00.000Z" }, "/configuration/expiresAt"],
    ["capability/connectors", { expiresAt: "soon" }, "/configuration/expiresAt"],
  ])("%s with %j is 400", async (what, configuration, pointer) => {
    const before = await recordsOf(world.a);
    const answer = await grant(what, configuration);
    expect(answer.status).toBe(400);
    if (pointer) expect(answer.json.errors[0].pointer).toBe(pointer);
    expect(await recordsOf(world.a)).toEqual(before);
  });

  it("heed If-Match and want a reason", async () => {
    const path = `tenants/${world.a.tenantId}/entitlements/capability/connectors`;
    expect((await provider.post(path, { status: "revoked" }, { "if-match": '"7"' })).status).toBe(412);
    const absent = `tenants/${world.a.tenantId}/entitlements/feature/plan`;
    const plan = { configuration: { value: "Small" } };
    for (const tag of ['"1"', "*"]) expect((await provider.post(absent, plan, { "if-match": tag })).status).toBe(412);
    expect((await provider.post(absent, plan)).status).toBe(200);
    expect((await grant("capability/connectors", {}, { reason: "" })).json.code).toBe("missing_reason");
  });
});

describe("the registry of tenants", () => {
  it("mirrors every tenant and its entitlements, whatever was done", async () => {
    await provider.post(`tenants/${world.a.tenantId}/status`, { status: "suspended" });
    await provider.post(`tenants/${world.b.tenantId}/entitlements/feature/plan`, { configuration: { value: "Small" } });
    const named = (name: string) =>
      collections.find((collection) => collection.name === name) as (typeof collections)[number];
    const mirrored = await world.store.forTenant("platform").scan(named("tenant_registry"), { size: 100 });
    const { rows } = await world.store.platform.find(named("tenants"), { size: 100 });
    expect(mirrored.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort());
    const byId = new Map(rows.map((row) => [row.id, row.value]));
    for (const { id, value } of mirrored) {
      const { name, status, subdomain, createdAt } = byId.get(id) as never;
      const entitlements = await world.store.forTenant(id).scan(named("entitlements"), { size: 100 });
      expect(value).toMatchObject({ name, status, subdomain, createdAt });
      expect((value as unknown as { entitlements: unknown }).entitlements).toEqual(
        entitlements.map((row) => row.value),
      );
    }
  });
});
