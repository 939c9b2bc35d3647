import type { DiscoveredAsset } from "@reeve/core/connectors";
import { StoreError } from "@reeve/core/store";
import { ulidSource } from "@reeve/core/testing";
import { createPlane, newActiveInstance, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { eventTypes } from "../../helpers/facts.js";
import { afterFind, failing } from "../../helpers/failing-store.js";
import { inTurns } from "../../helpers/quick.js";
import { createWorld } from "../../helpers/world.js";

const KNOWN = 230;
const GONE = 6;
const NEW = 20;
/** More than two pages. */
const MANY = 450;
/** Longer than a process reserves an import. */
const LEASE = 130_000;
let world: World;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const ask = (method: string, path: string, body?: object) =>
  world.send(method, path, { token: world.a.owner.token, ...(body ? { body } : {}) });

/** The account's models of two days. On the second some are gone, the others have another description. */
function models(account: string) {
  const model = (at: number, description: string): DiscoveredAsset => ({
    externalId: `m-${at}`,
    assetType: "model",
    name: `Model ${at} of ${account}`,
    description,
  });
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_unused, at) => at + from);
  return {
    first: range(0, KNOWN).map((at) => model(at, "First.")),
    many: range(0, MANY).map((at) => model(at, "First.")),
    second: range(GONE, KNOWN + NEW).map((at) => model(at, "Second.")),
  };
}

/** A connection that lists these. */
async function connected(account: string, assets: readonly DiscoveredAsset[]): Promise<string> {
  world.scripted.list(account, assets);
  const id = await newActiveInstance(world.a, { name: account, configuration: { account } });
  return `/api/v1/integrations/${id}`;
}

/** A connection whose models of the first day were imported, and that lists those of the second. */
async function changed() {
  const account = world.a.unique();
  const { first, second } = models(account);
  const path = await connected(account, first);
  await ask("POST", `${path}/import`, {});
  await world.controlPlane.tick();
  world.scripted.list(account, second);
  const { json } = await ask("POST", `${path}/imports`, {});
  return { account, at: `${path}/imports/${json.id}` };
}

/** Another process on the same data. */
const another = (store = world.store) =>
  createPlane({ store, clock: world.clock, ids: ulidSource(), connectors: [world.scripted.connector] }).controlPlane;

/** Works on imports in another process, which dies after so many transactions. */
async function dyingAfter(transactions: number) {
  const dead = new StoreError("unavailable", "The process is dead.");
  const dying = another(failing(world.store, (attempt) => (attempt > transactions ? dead : undefined)));
  await dying.tick().catch(() => undefined);
  world.clock.advance(LEASE);
}

/** Lets the claim on the tenant's jobs run out, which a process that stalls does not renew. */
async function endClaim() {
  for (let claim = 1; claim < 10_000; claim += 1) if (await world.store.dues.renew(world.a.tenantId, claim, 0)) return;
  throw new Error("nobody has claimed the tenant");
}

async function confirm(at: string) {
  const { json: plan } = await ask("GET", at);
  expect(plan).toMatchObject({
    status: "awaiting_confirmation",
    complete: true,
    counts: { create: NEW, update: KNOWN - GONE, retire: GONE, conflict: 0, rejected: 0 },
  });
  const given = { planHash: plan.planHash, selection: "all", allowRetire: true };
  expect((await ask("POST", `${at}/confirm`, given)).status).toBe(200);
}

/** Every line was carried out once, by what the assets are and by what has happened to them. */
async function expectDoneOnce(account: string, at: string, before: number) {
  expect((await ask("GET", at)).json).toMatchObject({ status: "completed", done: KNOWN + NEW, failed: 0 });
  const states: Record<string, number> = {};
  for (const page of [0, 1, 2]) {
    const { json } = await ask("GET", `/api/v1/ai-assets?provider=${account}&size=100&page=${page}`);
    for (const { status, description } of json.items) {
      const state = `${status}: ${description}`;
      states[state] = (states[state] ?? 0) + 1;
    }
  }
  const happened: Record<string, number> = {};
  const ofAssets = (await eventTypes(world.a, before)).filter((type) => type.startsWith("asset."));
  for (const type of ofAssets) happened[type] = (happened[type] ?? 0) + 1;
  expect(states).toEqual({ "discovered: Second.": KNOWN - GONE + NEW, "retired: First.": GONE });
  expect(happened).toEqual({
    "asset.created": NEW,
    "asset.updated": KNOWN - GONE,
    "asset.lifecycle.changed": GONE,
  });
}

/** Stores take turns with the moments of a crash in `npm test`. */
const PLACE = inject("store") === "postgres" ? 1 : 0;

describe("an import of what is new whose process dies", () => {
  it.each(inTurns([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], PLACE))(
    "after %d transactions goes on elsewhere, and does everything once",
    async (transactions) => {
      const account = world.a.unique();
      const path = await connected(account, models(account).many);
      const begun = await ask("POST", `${path}/import`, {});
      await dyingAfter(transactions);
      await world.controlPlane.tick();
      expect((await ask("GET", `${path}/imports/${begun.json.id}`)).json).toMatchObject({
        status: "completed",
        done: MANY,
        failed: 0,
        counts: { create: MANY, conflict: 0, rejected: 0 },
      });
      const { json } = await ask("GET", `/api/v1/ai-assets?provider=${account}&size=1`);
      expect(json.totalItems).toBe(MANY);
    },
  );
});

describe("a confirmed import whose process dies", () => {
  it.each(inTurns([0, 1, 2, 3, 4, 5], PLACE))(
    "after %d transactions of the plan is planned elsewhere, once",
    async (transactions) => {
      const { account, at } = await changed();
      const before = (await eventTypes(world.a)).length;
      await dyingAfter(transactions);
      await world.controlPlane.tick();
      await confirm(at);
      await world.controlPlane.tick();
      await expectDoneOnce(account, at, before);
    },
  );

  it.each(inTurns([0, 1, 2, 3, 4, 5, 6], PLACE))(
    "after %d transactions of the work is carried out elsewhere, each line once",
    async (transactions) => {
      const { account, at } = await changed();
      const before = (await eventTypes(world.a)).length;
      await world.controlPlane.tick();
      await confirm(at);
      await dyingAfter(transactions);
      await world.controlPlane.tick();
      await expectDoneOnce(account, at, before);
    },
  );

  it("or stalls while it lists adds nothing when it wakes, because another has taken over", async () => {
    const { account, at } = await changed();
    const before = (await eventTypes(world.a)).length;
    const other = another();
    let isFirst = true;
    world.scripted.script(account, async () => {
      if (!isFirst) return;
      isFirst = false;
      world.clock.advance(LEASE);
      await endClaim();
      await other.tick();
    });
    await world.controlPlane.tick();
    await confirm(at);
    await world.controlPlane.tick();
    await expectDoneOnce(account, at, before);
  });

  it("or stalls before it carries lines out changes nothing when it wakes, because another has taken over", async () => {
    const { account, at } = await changed();
    await world.controlPlane.tick();
    await confirm(at);
    const other = another();
    const ofPeople = { description: "Of a person." };
    let [assetId, isFirst] = ["", true];
    const stalling = afterFind(world.store, async (collection) => {
      if (collection !== "connector_import_items" || !isFirst) return;
      isFirst = false;
      world.clock.advance(LEASE);
      await endClaim();
      await other.tick();
      expect((await ask("GET", at)).json.status).toBe("completed");
      const { json } = await ask("GET", `/api/v1/ai-assets?provider=${account}&status=discovered&size=100&page=2`);
      assetId = json.items[0].id;
      expect((await ask("PUT", `/api/v1/ai-assets/${assetId}`, ofPeople)).status).toBe(200);
    });
    await another(stalling).tick();
    expect(isFirst).toBe(false);
    expect((await ask("GET", at)).json).toMatchObject({ status: "completed", done: KNOWN + NEW, failed: 0 });
    expect((await ask("GET", `/api/v1/ai-assets/${assetId}`)).json).toMatchObject(ofPeople);
  });
});
