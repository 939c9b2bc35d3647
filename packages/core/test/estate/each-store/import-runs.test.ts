import { createPlane, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import { StoreError } from "#store/index.js";
import { ulidSource } from "#testing/index.js";
import { type ImportProgress, type Principal, verifyChain } from "../../../src/index.js";
import { eventTypes, recordsOf } from "../../helpers/facts.js";
import { failing } from "../../helpers/failing-store.js";
import { importItem, importItems } from "../../helpers/import-items.js";
import { suspend } from "../../helpers/provider.js";
import { emptyStore } from "../../helpers/stores.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let owner: Principal;
beforeEach(async () => {
  world = await createWorld();
  owner = await ownerOf(world);
});

const ownerOf = ({ controlPlane, a }: World) => controlPlane.principalOf(a.tenantId, a.owner.userId);
const assets = () => collections.find(({ name }) => name === "ai_assets") as (typeof collections)[number];
const stored = async ({ store, a }: World = world) => (await store.forTenant(a.tenantId).count(assets())).count;

describe("an import that breaks off", () => {
  it("because it was told to keeps what it has told of, and is finished by another", async () => {
    const before = await stored();
    const stop = new AbortController();
    const reported: ImportProgress[] = [];
    const aborted = world.controlPlane.importAssets(owner, importItems(300), {
      batchSize: 50,
      signal: stop.signal,
      onProgress(progress) {
        reported.push(progress);
        if (progress.done === 100) stop.abort(new Error("enough"));
      },
    });
    await expect(aborted).rejects.toThrow("enough");
    expect(reported.map(({ created }) => created)).toEqual([50, 100]);
    expect(await stored()).toBe(before + 100);
    const rest = await world.controlPlane.importAssets(owner, importItems(300), { batchSize: 50 });
    expect(rest).toMatchObject({ created: 200, unchanged: 100, failed: 0 });
    await expect(
      world.controlPlane.importAssets(owner, importItems(1), { signal: AbortSignal.abort(new Error("before")) }),
    ).rejects.toThrow("before");
  });

  it("because the store fails has stored whole transactions, and those it has told of", async () => {
    let armed = Number.POSITIVE_INFINITY;
    const store = failing(await emptyStore(), (attempt) =>
      attempt >= armed ? new StoreError("unavailable", "gone") : undefined,
    );
    const broken = await createWorld({ store });
    const who = await ownerOf(broken);
    const before = await stored(broken);
    const events = (await eventTypes(broken.a)).length;
    const reported: ImportProgress[] = [];
    const run = broken.controlPlane.importAssets(who, importItems(200), {
      batchSize: 40,
      onProgress(progress) {
        reported.push(progress);
        if (progress.done === 80) armed = 0;
      },
    });
    await expect(run).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(reported.map(({ done }) => done)).toEqual([40, 80]);
    expect(await stored(broken)).toBe(before + 80);
    const made = (await eventTypes(broken.a)).slice(events);
    expect(made.filter((type) => type === "asset.created")).toHaveLength(80);
    armed = Number.POSITIVE_INFINITY;
    const rest = await broken.controlPlane.importAssets(who, importItems(200), { batchSize: 40 });
    expect(rest).toMatchObject({ created: 120, unchanged: 80, failed: 0 });
    expect(await verifyChain(broken.store.forTenant(broken.a.tenantId))).toMatchObject({ valid: true });
  });

  it("because the tenant is suspended meanwhile says so", async () => {
    const before = await stored();
    async function* items() {
      yield* importItems(50);
      await suspend(world, world.a.tenantId);
      yield* importItems(50, 50);
    }
    const run = world.controlPlane.importAssets(owner, items(), { batchSize: 25 });
    await expect(run).rejects.toMatchObject({ code: "tenant_suspended" });
    expect(await stored()).toBe(before + 50);
  });

  it("because its items end in an error has stored what came before", async () => {
    const before = await stored();
    async function* items() {
      yield* importItems(30);
      throw new Error("the file is torn");
    }
    await expect(world.controlPlane.importAssets(owner, items(), { batchSize: 20 })).rejects.toThrow("torn");
    expect(await stored()).toBe(before + 20);
  });

  it("because the control plane closes stops between transactions", async () => {
    const run = world.controlPlane.importAssets(owner, importItems(200), {
      batchSize: 20,
      onProgress: ({ done }) => void (done === 40 && world.controlPlane.close()),
    });
    await expect(run).rejects.toMatchObject({ code: "shutting_down" });
  });
});

describe("imports at the same time", () => {
  it("of the same items store each once", async () => {
    const before = await stored();
    const other = createPlane({ store: world.store, clock: world.clock, ids: ulidSource() });
    const reports = await Promise.all([
      world.controlPlane.importAssets(owner, importItems(400), { batchSize: 37 }),
      other.controlPlane.importAssets(owner, importItems(400), { batchSize: 50 }),
      world.controlPlane.importAssets(owner, importItems(400).reverse(), { batchSize: 61 }),
    ]);
    const sum = (of: "created" | "unchanged" | "updated" | "failed") =>
      reports.reduce((total, report) => total + report[of], 0);
    expect([sum("created"), sum("unchanged"), sum("updated"), sum("failed")]).toEqual([400, 800, 0, 0]);
    expect(await stored()).toBe(before + 400);
    const reader = world.store.forTenant(world.a.tenantId);
    expect(await verifyChain(reader)).toMatchObject({ valid: true, complete: true });
    expect((await reader.countBy(assets(), "provider")).get("cmdb")).toBe(400);
  });

  it("of two tenants leave each with its own", async () => {
    const { tenantId, owner: other } = world.b;
    const stranger = await world.controlPlane.principalOf(tenantId, other.userId);
    const [one, two] = await Promise.all([
      world.controlPlane.importAssets(owner, importItems(120), { batchSize: 30 }),
      world.controlPlane.importAssets(stranger, importItems(120), { batchSize: 30 }),
    ]);
    expect([one.created, two.created]).toEqual([120, 120]);
  });
});

describe("an atomic import", () => {
  it("stores all, or nothing and says what is wrong with each", async () => {
    const records = await recordsOf(world.a);
    const bad = [importItem(0), importItem(1, { riskTier: "none" }), importItem(2, { externalRef: undefined })];
    const atomic = { atomic: true };
    await expect(world.controlPlane.importAssets(owner, bad, atomic)).rejects.toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "/items/1/riskTier" }, { pointer: "/items/2/externalRef" }],
    });
    const late = [importItem(0), importItem(6, { status: "production" }), importItem(2)];
    await expect(world.controlPlane.importAssets(owner, late, atomic)).rejects.toMatchObject({
      code: "invalid_transition",
      errors: [
        { pointer: "/items/1", code: "invalid_transition" },
        { pointer: "/items/2/record/toolIds/0", code: "invalid_reference" },
      ],
    });
    expect(await recordsOf(world.a)).toEqual(records);
    expect(await world.controlPlane.importAssets(owner, importItems(600), atomic)).toMatchObject({ created: 600 });
    await expect(world.controlPlane.importAssets(owner, importItems(1_001), atomic)).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  it("takes a batch size within bounds", async () => {
    for (const batchSize of [0, 1_001, 1.5, Number.NaN]) {
      await expect(world.controlPlane.importAssets(owner, importItems(1), { batchSize })).rejects.toThrow("batchSize");
    }
    expect(await world.controlPlane.importAssets(owner, [])).toMatchObject({ done: 0, total: 0, created: 0 });
  });
});

describe("POST /api/v1/ai-assets/import", () => {
  const post = (body: object, headers = {}) =>
    world.send("POST", "/api/v1/ai-assets/import", { token: world.a.owner.token, body, headers });

  it("answers what became of each item, in their order, and may be repeated", async () => {
    const items = [importItem(2), importItem(1), { assetType: "model" }, importItem(0)];
    const first = await post({ items });
    expect(first.status).toBe(200);
    expect(first.json).toMatchObject({
      created: 3,
      updated: 0,
      unchanged: 0,
      failed: 1,
      items: [
        { index: 0, outcome: "created", problem: null },
        { index: 1, outcome: "created" },
        {
          index: 2,
          outcome: "failed",
          id: null,
          problem: { code: "invalid_request", errors: [{ pointer: "/externalRef" }] },
        },
        { index: 3, outcome: "created" },
      ],
    });
    const again = await post({ items });
    expect(again.json).toMatchObject({ created: 0, unchanged: 3, failed: 1 });
    expect(again.json.items[0].id).toBe(first.json.items[0].id);
  });

  it("refuses an item whose record has another's key, and not the others", async () => {
    const subject = (n: number) => importItem(n, { record: { issuer: "https://i.example", subject: "one" } });
    expect((await post({ items: [subject(3)] })).json.created).toBe(1);
    const { json } = await post({ items: [importItem(0), subject(9), importItem(1)] });
    expect(json).toMatchObject({ created: 2, failed: 1 });
    expect(json.items[1].problem).toMatchObject({ code: "already_exists" });
    const { items } = (await world.send("GET", "/api/v1/ai/activity?size=1", { token: world.a.owner.token })).json;
    expect(items[0]).toMatchObject({ type: "reeve.request.denied.v1", data: { code: "already_exists", items: 1 } });
    expect(await verifyChain(world.store.forTenant(world.a.tenantId))).toMatchObject({ valid: true });
  });

  it("stores nothing of an atomic one that fails", async () => {
    const before = await stored();
    const { status, json } = await post({ items: [importItem(0), { name: "nothing to know it by" }], atomic: true });
    expect([status, json.code]).toEqual([400, "invalid_request"]);
    expect(json.errors).toMatchObject([{ pointer: "/items/1/externalRef" }]);
    expect(await stored()).toBe(before);
  });

  it.each([
    ["nothing", {}],
    ["no items", { items: [] }],
    ["too many items", { items: Array.from({ length: 501 }, () => ({})) }],
    ["items that are none", { items: ["x"] }],
  ])("refuses %s", async (_what, body) => {
    expect((await post(body)).json.code).toBe("invalid_request");
  });
});
