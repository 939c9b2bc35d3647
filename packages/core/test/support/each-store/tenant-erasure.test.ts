import { createPlane, event, type World } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { collections } from "#families/index.js";
import { NEVER } from "#kernel/operation/dues.js";
import { StoreError } from "#store/store-error.js";
import { PLATFORM_TENANT } from "#testing/index.js";
import type { Checkpoint } from "../../../src/index.js";
import { eventsOf, recordsOf } from "../../helpers/facts.js";
import { afterFind, failing } from "../../helpers/failing-store.js";
import { newestEvent, providerOf, REASON } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

const DAY = 86_400_000;
const MINUTE = 60_000;
const GRACE = { tokenLifetime: 86_400, retentionDays: { closedTenants: 30 } };

/** The provider, signed in anew. */
async function provider(world: World) {
  world.provider.actors.provider_admin = await world.provider.signIn(world.provider.owner.userId, world.provider.owner);
  return providerOf(world);
}

const move = async (world: World, status: string, tenantId = world.a.tenantId) =>
  (await provider(world)).post(`tenants/${tenantId}/status`, { status });

/** Lets time pass and the control plane work. */
async function pass(world: World, ms: number, controlPlane = world.controlPlane) {
  world.clock.advance(ms);
  return controlPlane.tick();
}

/** How many rows the tenant has by kind, but for removed ones. */
async function counted(world: World): Promise<Record<string, number>> {
  const reader = world.store.forTenant(world.a.tenantId);
  const counts = await Promise.all(
    collections.map(async (one) => [one.name, (await reader.scan(one, { size: 1_000 })).length] as const),
  );
  const events = (await reader.events({ size: 1 })).total.count;
  return Object.fromEntries([...counts, ["events", events] as const].filter(([, n]) => n > 0));
}

const registered = async (world: World) => (await (await provider(world)).get(`orgs/${world.a.tenantId}`)).json;

interface Certificate {
  readonly counts: Readonly<Record<string, number>>;
  readonly checkpoint: { readonly toSeq: number } | null;
}

async function certificates(world: World): Promise<Certificate[]> {
  const streams = await Promise.all(
    [PLATFORM_TENANT, world.provider.tenantId].map((tenantId) => eventsOf({ store: world.store, tenantId })),
  );
  return streams
    .flat()
    .filter(({ attributes }) => JSON.parse(attributes).type === "reeve.tenant.erased.v1")
    .map(({ data }) => JSON.parse(data ?? "null"));
}

/** Gives the tenant enough events for several transactions of deletion. */
async function grow(world: World): Promise<void> {
  for (const start of [1, 1_001])
    await world.store
      .forTenant(world.a.tenantId)
      .append(...Array.from({ length: 900 }, (_, n) => event(start + n, ["all"])));
}

describe("a tenant that was closed", () => {
  it("stays as it is unless the host names a grace", async () => {
    const world = await createWorld({ tokenLifetime: 86_400 });
    await move(world, "closed");
    const before = await recordsOf(world.a);
    await pass(world, 5_000 * DAY);
    expect((await recordsOf(world.a)).users).toEqual(before.users);
    expect((await recordsOf(world.a)).ai_assets).toHaveLength(before.ai_assets?.length ?? 0);
  });

  it("is erased after its grace: nothing of it is left, and the provider has a certificate", async () => {
    const world = await createWorld(GRACE);
    await grow(world);
    const closedAt = new Date(world.clock.now()).toISOString();
    await move(world, "closed");
    await pass(world, 30 * DAY - 1);
    expect((await registered(world)).status).toBe("closed");
    await pass(world, 1);
    const begunAt = new Date(world.clock.now()).toISOString();
    expect((await registered(world)).status).toBe("erasing");
    const [before, others, head] = [
      await counted(world),
      [await recordsOf(world.b), await eventsOf(world.b)],
      (await eventsOf(world.a)).at(-1),
    ];
    expect(Object.keys(before).length).toBeGreaterThan(40);
    await pass(world, MINUTE);
    expect(await counted(world)).toEqual({});
    expect(
      (await world.store.dues.find("9999-12-31T23:59:59.999Z", 1_000)).map(({ tenantId }) => tenantId),
    ).not.toContain(world.a.tenantId);
    expect([await recordsOf(world.b), await eventsOf(world.b)]).toEqual(others);
    const [given, same, ...more] = await certificates(world);
    expect([same, more]).toEqual([given, []]);
    const { counts, ...certificate } = given as Certificate;
    expect(certificate).toEqual({
      tenantId: world.a.tenantId,
      closedAt,
      begunAt,
      erasedAt: new Date(world.clock.now()).toISOString(),
      lastSequence: head?.sequence,
      headHash: head?.eventHash,
      checkpoint: null,
    });
    // Removed rows count as well, which no read shows.
    for (const [kind, n] of Object.entries(before)) expect(counts[kind], kind).toBeGreaterThanOrEqual(n);
    expect(counts.events).toBe(before.events);
    expect(await newestEvent(world, world.provider.tenantId)).toMatchObject({ subject: world.a.tenantId });
  });

  it("leaves only its id, which the provider still sees and nobody can change", async () => {
    const world = await createWorld(GRACE);
    const { tenantId } = world.a;
    await move(world, "closed");
    await pass(world, 30 * DAY);
    expect((await move(world, "suspended")).json).toMatchObject({ code: "invalid_transition", current: "erasing" });
    expect((await providerOf(world).post(`tenants/${tenantId}/entitlements/feature/plan`, {})).status).toBe(404);
    await pass(world, MINUTE);
    expect(await registered(world)).toMatchObject({ id: tenantId, name: tenantId, subdomain: "", status: "erased" });
    expect((await providerOf(world).get("orgs?status=erased")).json.items).toHaveLength(1);
    expect((await providerOf(world).get("orgs?search=zqalpha")).json.items).toEqual([]);
    expect((await move(world, "active")).status).toBe(404);
    expect((await providerOf(world).post(`tenants/${tenantId}/entitlements/feature/plan`, {})).status).toBe(404);
    expect(await counted(world)).toEqual({});
    const again = await world.send("POST", "/api/v1/register", {
      body: { organization: "zqalpha", username: world.a.owner.username, password: world.a.owner.password },
    });
    expect(again.status).toBe(201);
    expect(again.json.tenantId).not.toBe(tenantId);
  });

  it("gets no event by a kill switch once it is erased, whether new or engaged before", async () => {
    const world = await createWorld(GRACE);
    const { tenantId } = world.a;
    const asset = await world.a.newAsset();
    const flip = async (key: string, status: string) =>
      (await provider(world)).post(`kill-switches/${key}`, { status, configuration: { tenantId } });
    expect((await flip(`ai.asset.${asset}`, "engaged")).status).toBe(200);
    await move(world, "closed");
    await pass(world, 30 * DAY);
    expect((await flip(`ai.tenant.${tenantId}`, "engaged")).status).toBe(404);
    await pass(world, MINUTE);
    expect((await registered(world)).status).toBe("erased");
    expect((await flip(`ai.tenant.${tenantId}`, "engaged")).status).toBe(404);
    const released = await flip(`ai.asset.${asset}`, "released");
    expect([released.status, released.json.status]).toEqual([200, "released"]);
    expect(await counted(world)).toEqual({});
  });

  it("is kept when it is reopened in time, and its next grace begins anew", async () => {
    const world = await createWorld(GRACE);
    await move(world, "closed");
    await pass(world, 29 * DAY);
    const reopened = await move(world, "suspended");
    expect(reopened.json).toMatchObject({ status: "suspended" });
    expect(await newestEvent(world, world.a.tenantId)).toMatchObject({ data: { event: "reopen", reason: REASON } });
    await pass(world, 400 * DAY);
    expect((await registered(world)).status).toBe("suspended");
    await move(world, "closed");
    await pass(world, 29 * DAY);
    expect((await registered(world)).status).toBe("closed");
    await move(world, "suspended");
    await move(world, "active");
    await pass(world, 31 * DAY);
    world.a.actors.owner = await world.a.signIn(world.a.owner.userId, world.a.owner);
    expect((await world.send("GET", "/api/v1/ai-assets", { token: world.a.owner.token })).status).toBe(200);
    expect(await certificates(world)).toEqual([]);
  });
});

describe("an erasure", () => {
  it.each([2, 3, 4])("goes on where a process died in its transaction %i", async (number) => {
    const world = await createWorld(GRACE);
    await grow(world);
    await move(world, "closed");
    await pass(world, 30 * DAY);
    const before = await counted(world);
    world.clock.advance(MINUTE);
    let done = 0;
    const store = failing(world.store, (_attempt, tenantId) => {
      if (tenantId === PLATFORM_TENANT) done += 1;
      return done >= number ? new StoreError("unavailable", "the process has died") : undefined;
    });
    const dying = createPlane({ ...GRACE, store, clock: world.clock }, 1e6);
    expect((await dying.controlPlane.tick()).failed).toBeGreaterThan(0);
    const left = await counted(world);
    expect(Object.values(left).length).toBeGreaterThan(0);
    await pass(world, 0);
    expect(await counted(world)).toEqual({});
    const [first, , ...more] = await certificates(world);
    expect(more).toEqual([]);
    expect([first?.counts.events, first?.counts.users]).toEqual([before.events, before.users]);
  });

  it("of two processes at once happens once", async () => {
    const world = await createWorld(GRACE);
    await grow(world);
    await move(world, "closed");
    const other = createPlane({ ...GRACE, store: world.store, clock: world.clock }, 1e6);
    const both = () => Promise.all([world.controlPlane.tick(), other.controlPlane.tick()]);
    world.clock.advance(30 * DAY);
    await both();
    const before = await counted(world);
    world.clock.advance(MINUTE);
    await both();
    await both();
    expect(await counted(world)).toEqual({});
    const given = await certificates(world);
    expect(given).toHaveLength(2);
    expect(given[0]?.counts.events).toBe(before.events);
  });

  it.each([[["suspended"]], [["suspended", "closed"]]])(
    "is not begun of a tenant that moves to %j at that moment",
    async (moves) => {
      const world = await createWorld(GRACE);
      await move(world, "closed");
      world.clock.advance(30 * DAY);
      const moved: number[] = [];
      const store = afterFind(world.store, async (name, { where, range }) => {
        if (name !== "tenant_registry" || where?.status !== "closed" || range === undefined) return;
        // Beside the job, each tenant is asked what is due first.
        if (range.through === NEVER) return;
        for (const status of moves) moved.push((await move(world, status)).status);
      });
      const late = createPlane({ ...GRACE, store, clock: world.clock }, 1e6);
      expect(await late.controlPlane.tick()).toMatchObject({ failed: 0 });
      expect(moved).toEqual(moves.map(() => 200));
      await pass(world, MINUTE);
      expect((await registered(world)).status).toBe(moves.at(-1));
      expect((await counted(world)).users).toBeGreaterThan(0);
    },
  );

  it("that has begun ends even when the host takes the grace away", async () => {
    const world = await createWorld(GRACE);
    await move(world, "closed");
    await pass(world, 30 * DAY);
    const other = createPlane({ tokenLifetime: 86_400, store: world.store, clock: world.clock }, 1e6);
    await pass(world, MINUTE, other.controlPlane);
    expect(await counted(world)).toEqual({});
  });

  it("names the last checkpoint, which an auditor may hold", async () => {
    const world = await createWorld({ ...GRACE, activityRetentionDays: 9_000 });
    await pass(world, 0);
    const held = await world.send("GET", "/api/v1/ai-governance/audit/checkpoints", {
      token: world.a.actors.auditor?.token as string,
    });
    const [last] = held.json.items;
    await move(world, "closed");
    await pass(world, 30 * DAY);
    await pass(world, MINUTE);
    const [given] = await certificates(world);
    expect(given?.checkpoint?.toSeq).toBeGreaterThanOrEqual(last.checkpoint.toSeq);
    // Those of erased events are no sign of a loss, and later ones are.
    const compare = async (...checkpoints: Checkpoint[]) =>
      (await world.controlPlane.verifyEvents(undefined, { checkpoints })).beyond;
    expect(await compare(last.checkpoint)).toEqual([]);
    const later = { ...last.checkpoint, toSeq: 1_000_000 };
    expect(await compare(later)).toMatchObject([{ tenantId: world.a.tenantId, sequence: 1_000_000 }]);
  });
});
