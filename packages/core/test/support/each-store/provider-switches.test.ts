import { createPlane, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { KILL_SWITCHES, TARGETED_SWITCHES } from "#reference/index.js";
import { eventsOf, eventTypes } from "../../helpers/facts.js";
import { newestEvent, providerOf, REASON } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let provider: ReturnType<typeof providerOf>;
beforeEach(async () => {
  world = await createWorld();
  provider = providerOf(world);
});

const move = (key: string, status: string, more = {}) => provider.post(`kill-switches/${key}`, { status, ...more });
const listed = async () =>
  (await provider.get("kill-switches?size=100")).json.items as { id: string; status: string }[];
const effective = async (id: string, scene = world.a) =>
  (await scene.send("GET", `/api/v1/ai-assets/${id}/effective`, { token: scene.owner.token })).json;

describe("kill switches", () => {
  it("are all listed, touched or not", async () => {
    expect((await listed()).map(({ id }) => id)).toEqual(Object.keys(KILL_SWITCHES));
    expect((await listed()).every(({ status }) => status === "released")).toBe(true);
  });

  it.each(Object.keys(KILL_SWITCHES))("%s is engaged and released, for a reason, by the machine", async (key) => {
    const engaged = await move(key, "engaged");
    expect(engaged.json).toMatchObject({
      id: key,
      status: "engaged",
      reason: REASON,
      updatedBy: world.provider.owner.userId,
    });
    expect(await newestEvent(world, world.provider.tenantId)).toMatchObject({
      type: "reeve.support.acted.v1",
      subject: key,
      data: { from: "released", to: "engaged", reason: REASON },
    });
    expect(await newestEvent(world, "platform")).toMatchObject({ machine: "killSwitchStatus", tostate: "engaged" });
    const before = (await eventsOf(world.provider)).length;
    expect((await move(key, "engaged")).json.version).toBe(engaged.json.version);
    expect((await eventsOf(world.provider)).length).toBe(before);
    expect((await listed()).filter(({ status }) => status === "engaged").map(({ id }) => id)).toEqual([key]);
    expect((await move(key, "released")).json.status).toBe("released");
    expect((await move(key, "off")).status).toBe(400);
    expect((await move(key, "engaged", { reason: "" })).json.status).toBe("engaged");
    expect((await move(key, "released", { reason: "ok" })).json.code).toBe("missing_reason");
    expect((await move(key, "released")).json.status).toBe("released");
  });

  it("for a tenant or an asset want a real one, and are listed while they are engaged", async () => {
    const id = await world.a.newAsset();
    const { tenantId } = world.a;
    const ofTenant = `ai.tenant.${tenantId}`;
    const ofAsset = `ai.asset.${id}`;
    const nowhere = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ";
    for (const [key, more] of [
      [`ai.tenant.tnt_${nowhere}`, {}],
      ["ai.tenant.", {}],
      ["ai.tenant.x", {}],
      [`ai.asset.ast_${nowhere}`, { configuration: { tenantId } }],
      [ofAsset, { configuration: { tenantId: world.b.tenantId } }],
      [ofAsset, { configuration: { tenantId: `tnt_${nowhere}` } }],
      ["ai.everything", {}],
      ["__proto__", {}],
    ] as const)
      expect([key, (await move(key, "engaged", more)).status]).toEqual([key, 404]);
    expect((await move(ofAsset, "engaged")).json.errors).toMatchObject([{ pointer: "/configuration/tenantId" }]);
    expect((await move(ofTenant, "engaged")).json.description).toBe(TARGETED_SWITCHES["ai.tenant."]);
    expect((await move(ofAsset, "engaged", { configuration: { tenantId } })).json).toMatchObject({ tenantId });
    expect((await listed()).slice(-2).map((one) => one.id)).toEqual([ofAsset, ofTenant]);
    for (const key of [ofAsset, ofTenant]) expect((await move(key, "released")).status).toBe(200);
    expect(await listed()).toHaveLength(Object.keys(KILL_SWITCHES).length);
    expect((await move(ofTenant, "engaged")).status).toBe(200);
  });

  it("for a tenant or an asset are told to the tenant, without who it was", async () => {
    const before = (await eventsOf(world.a)).length;
    await move(`ai.tenant.${world.a.tenantId}`, "engaged");
    // The tenant's only session ends with it.
    const ended = ["session.status.changed", "session.status.changed"];
    expect(await eventTypes(world.a, before)).toEqual([...ended, "tenant.kill_switch_moved"]);
    const event = await newestEvent(world, world.a.tenantId);
    expect(event).toMatchObject({
      authid: "provider",
      authtype: "system",
      data: { status: "engaged", reason: REASON },
    });
    expect(JSON.stringify(event)).not.toContain(world.provider.owner.userId);
  });

  it.each([
    ["ai.all", () => ({}), "ai.all", true],
    ["ai.agents", () => ({}), "ai.agents", true],
    ["ai.tenant", () => ({ suffix: world.a.tenantId }), "ai.tenant", false],
    ["ai.asset", (id: string) => ({ suffix: id, configuration: { tenantId: world.a.tenantId } }), "ai.asset", false],
  ] as const)("%s stops what it names at once, and nothing else", async (prefix, target, shown, everywhere) => {
    const id = await world.a.newAsset({ assetType: "agent" });
    const foreign = await world.b.newAsset({ assetType: "agent" });
    const { suffix, ...more } = target(id) as { suffix?: string };
    const key = suffix === undefined ? prefix : `${prefix}.${suffix}`;
    expect((await effective(id)).decision).not.toBe("deny");
    await move(key, "engaged", more);
    expect((await effective(id)).decision).toBe("deny");
    expect((await effective(id)).reasons[0]).toContain(`kill_switch:${shown}`);
    expect((await effective(foreign, world.b)).decision === "deny").toBe(everywhere);
    await move(key, "released");
    expect((await effective(id)).decision).not.toBe("deny");
  });

  it("reach another process within five seconds", async () => {
    const { store, clock, a } = world;
    const other = createPlane({ store, clock });
    const body = { username: a.owner.username, password: a.owner.password };
    const signIn = async () => (await other.send("POST", "/api/v1/auth/signin", { body })).status;
    expect(await signIn()).toBe(200);
    await move("signin", "engaged");
    clock.advance(5_000);
    expect(await signIn()).toBe(503);
    await move("signin", "released");
    clock.advance(5_000);
    expect(await signIn()).toBe(200);
  });

  it("heed If-Match, also once they are gone or engaged again", async () => {
    const key = `ai.tenant.${world.a.tenantId}`;
    const on = (version: unknown, status: string, of = key) =>
      provider.post(`kill-switches/${of}`, { status }, { "if-match": `"${version}"` });
    const first = (await move(key, "engaged")).json.version;
    expect((await on(first + 7, "released")).status).toBe(412);
    expect((await on(first, "released")).status).toBe(200);
    for (const version of [1, first]) expect((await on(version, "engaged")).status).toBe(412);
    world.clock.advance(10);
    const second = (await move(key, "engaged")).json.version;
    expect(second).toBeGreaterThan(first);
    expect((await on(first, "released")).json).toMatchObject({ code: "precondition_failed", current: second });
    expect((await on(second, "released")).status).toBe(200);

    expect((await on(1, "engaged", "saml.signon")).status).toBe(412);
    expect((await on(0, "engaged", "saml.signon")).status).toBe(200);
  });

  it("are all seen, however many are engaged", async () => {
    const { store, tenantId } = { store: world.store, tenantId: "platform" };
    const { collections } = await import("#reference/index.js");
    const switches = collections.find(({ name }) => name === "kill_switches");
    const at = new Date(world.clock.now()).toISOString();
    const rows = Array.from({ length: 1_500 }, (_, index) => ({
      id: `ai.asset.ast_${String(index).padStart(26, "0")}`,
      version: 2,
      ...{ createdAt: at, createdBy: "x", updatedAt: at, updatedBy: "x" },
      status: "engaged",
      reason: REASON,
      tenantId: world.a.tenantId,
    })).map((row) => ({ ...row, version: 1 }));
    await store.forTenant(tenantId).insertMany(switches as never, rows as never);
    world.clock.advance(5_000);
    expect((await provider.get("kill-switches")).json.totalItems).toBe(1_500 + Object.keys(KILL_SWITCHES).length);
    const id = await world.a.newAsset();
    await move(`ai.asset.${id}`, "engaged", { configuration: { tenantId: world.a.tenantId } });
    expect((await effective(id)).decision).toBe("deny");
  });
});
