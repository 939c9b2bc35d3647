import { createPlane, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { CAPABILITIES, LIMITS } from "#reference/index.js";
import { providerOf } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let provider: ReturnType<typeof providerOf>;
beforeEach(async () => {
  world = await createWorld();
  provider = providerOf(world);
});

const limit = (key: string, value: number, more = {}) =>
  provider.post(`tenants/${world.a.tenantId}/entitlements/limit/${key}`, { configuration: { value, ...more } });
const newAsset = (scene = world.a) => world.send("POST", "/api/v1/ai-assets", { token: scene.owner.token, body: {} });
const capabilities = async (query = "", scene = world.a) =>
  (await world.send("GET", `/api/v1/platform/capabilities${query}`, { token: scene.owner.token })).json;
const usage = async (capability: string) =>
  (await capabilities()).items.find(({ id }: { id: string }) => id === capability).limits;

/** How many assets a tenant of the test world has at first. */
let there: number;
beforeEach(async () => {
  there = (await usage("ai_registry"))[0].used;
});

describe("a limit", () => {
  it("of assets lets as many be there, and no more", async () => {
    await limit("assets", there + 2);
    expect([await newAsset(), await newAsset()].map(({ status }) => status)).toEqual([201, 201]);
    const refused = await newAsset();
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({ code: "limit_exceeded", limit: "assets", allowed: there + 2 });
    expect((await newAsset(world.b)).status).toBe(201);
    expect(await usage("ai_registry")).toMatchObject([{ key: "assets", used: there + 2, allowed: there + 2 }]);
    const list = await world.send("GET", "/api/v1/ai-assets?size=1", { token: world.a.owner.token });
    const path = `/api/v1/ai-assets/${list.json.items[0].id}`;
    expect((await world.send("DELETE", path, { token: world.a.owner.token })).status).toBe(204);
    expect((await newAsset()).status).toBe(201);
  });

  it("of users counts them whatever their status", async () => {
    const { token } = world.a.owner;
    const allowed = (await world.send("GET", "/api/v1/users?size=1", { token })).json.totalItems + 1;
    await limit("users", allowed);
    await world.a.newUser([]);
    await expect(world.a.newUser([])).rejects.toThrow("limit_exceeded");
    expect(await usage("identity_foundation")).toMatchObject([{ key: "users", used: allowed, allowed }]);
  });

  it("is not overrun by creates at the same time", async () => {
    await limit("assets", there + 5);
    const answers = await Promise.all(Array.from({ length: 30 }, () => newAsset()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ json }) => json.code === "limit_exceeded")).toHaveLength(25);
  });

  it("is the platform's where the tenant has none of its own, and none by default", async () => {
    expect(await usage("ai_registry")).toMatchObject([{ allowed: null, used: there }]);
    await provider.set("limits.assets", there);
    expect((await newAsset()).json.code).toBe("limit_exceeded");
    await limit("assets", there + 1);
    expect((await newAsset()).status).toBe(201);
    expect((await newAsset(world.b)).json.code).toBe("limit_exceeded");
  });

  it("that runs out or is revoked gives way to the platform's", async () => {
    await limit("assets", there, { expiresAt: new Date(world.clock.now() + 1_000).toISOString() });
    expect((await newAsset()).json.code).toBe("limit_exceeded");
    world.clock.advance(1_000);
    expect((await newAsset()).status).toBe(201);
    await limit("assets", there);
    expect((await newAsset()).json.code).toBe("limit_exceeded");
    await provider.post(`tenants/${world.a.tenantId}/entitlements/limit/assets`, { status: "revoked" });
    expect((await newAsset()).status).toBe(201);
  });

  it("holds in another process within five seconds, and for calls in process", async () => {
    const { store, clock, controlPlane } = world;
    const other = createPlane({ store, clock });
    const create = () => other.send("POST", "/api/v1/ai-assets", { token: world.a.owner.token, body: {} });
    expect((await create()).status).toBe(201);
    await limit("assets", there);
    clock.advance(5_000);
    expect((await create()).json.code).toBe("limit_exceeded");
    const owner = await controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
    await expect(controlPlane.call("aiAssets.create", owner, { body: {} })).rejects.toMatchObject({
      code: "limit_exceeded",
    });
  });
});

describe("capabilities", () => {
  it("are all shown, with their licences, limits and operations", async () => {
    const { items } = await capabilities();
    expect(items.map(({ id }: { id: string }) => id)).toEqual(Object.keys(CAPABILITIES));
    const shown = items.flatMap(({ limits }: { limits: { key: string }[] }) => limits.map(({ key }) => key));
    expect(shown.sort()).toEqual(Object.keys(LIMITS).sort());
    const gated = world.controlPlane.operations.filter(({ access }) => typeof access === "object" && access.capability);
    const opened = items.flatMap(({ operations }: { operations: string[] }) => operations);
    expect(opened.sort()).toEqual(gated.map(({ id }) => id).sort());
    expect(items[0]).toMatchObject({ licensed: true, expiresAt: null });
  });

  it("say what is revoked and when a licence ends", async () => {
    const path = `tenants/${world.a.tenantId}/entitlements/capability`;
    const expiresAt = new Date(world.clock.now() + 60_000).toISOString();
    await provider.post(`${path}/connectors`, { status: "revoked" });
    await provider.post(`${path}/compliance`, { configuration: { expiresAt } });
    const state = async (key: string) => (await capabilities()).items.find(({ id }: { id: string }) => id === key);
    expect(await state("connectors")).toMatchObject({ licensed: false, expiresAt: null });
    expect(await state("compliance")).toMatchObject({ licensed: true, expiresAt });
    world.clock.advance(60_000);
    expect(await state("compliance")).toMatchObject({ licensed: false, expiresAt });
  });

  it("of a tenant with other defaults are the ones it got", async () => {
    const own = [
      "identity_foundation",
      "ai_registry",
      "ai_governance",
      "access_governance",
      "connectors",
      "compliance",
    ] as const;
    const { a, send } = await createWorld({ defaultCapabilities: own });
    const { json } = await send("GET", "/api/v1/platform/capabilities", { token: a.owner.token });
    const licensed = json.items.filter((item: { licensed: boolean }) => item.licensed);
    expect(licensed.map(({ id }: { id: string }) => id)).toEqual(own);
  });

  it("page by number and by cursor", async () => {
    const first = await capabilities("?size=4");
    expect(first).toMatchObject({ totalItems: 6, totalPages: 2, size: 4 });
    const second = await capabilities(`?size=4&cursor=${first.nextCursor}`);
    expect(second).toEqual(await capabilities("?size=4&page=1"));
    expect(second.nextCursor).toBeNull();
    expect([...first.items, ...second.items]).toEqual((await capabilities()).items);
  });
});
