import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import {
  type BatchOutcome,
  type Imported,
  type ImportItem,
  type ImportProgress,
  type ImportReport,
  type Principal,
  verifyChain,
} from "../../../src/index.js";
import { eventTypes, recordsOf } from "../../helpers/facts.js";
import { importItem, importItems, named } from "../../helpers/import-items.js";
import { providerOf } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";

let world: World;
let owner: Principal;
beforeEach(async () => {
  world = await createWorld();
  owner = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
});

const reader = (scene = world.a) => world.store.forTenant(scene.tenantId);
const collection = (name: string) => collections.find((each) => each.name === name) as (typeof collections)[number];
const assets = () => collection("ai_assets");
const total = async (name: string, scene = world.a) => (await reader(scene).count(collection(name))).count;
const get = async (path: string, token = world.a.owner.token) => (await world.send("GET", path, { token })).json;
const send = (method: string, path: string, body: object, token = world.a.owner.token) =>
  world.send(method, path, { token, body });

/** Runs an import and collects the outcome of each item. */
async function run(items: readonly unknown[], options = {}, who = owner) {
  const outcomes: BatchOutcome<Imported>[] = [];
  const onOutcome = (outcome: BatchOutcome<Imported>) => void outcomes.push(outcome);
  const report = await world.controlPlane.importAssets(who, items as ImportItem[], { onOutcome, ...options });
  return { report, outcomes: outcomes.sort((a, b) => a.index - b.index) };
}

/** The index, code and pointer of each failed item. */
const faults = ({ failures }: ImportReport) =>
  failures.map(({ index, error }) => [index, error.code, error.errors[0]?.pointer]);

describe("a large import", () => {
  it("makes every asset with its record, tells how far it is, and changes nothing the second time", async () => {
    const count = 5_000;
    const before = await total("ai_assets");
    const events = (await eventTypes(world.a)).length;
    const strangers = await recordsOf(world.b);
    const reported: ImportProgress[] = [];
    const { report } = await run(importItems(count), {
      onProgress: (progress: ImportProgress) => reported.push(progress),
    });
    expect(report).toMatchObject({ done: count, total: count, created: count, updated: 0, failed: 0, failures: [] });
    expect(reported.map(({ done }) => done)).toEqual(Array.from({ length: 10 }, (_, at) => (at + 1) * 500));
    expect(reported.map(({ created }) => created)).toEqual(reported.map(({ done }) => done));

    expect(await total("ai_assets")).toBe(before + count);
    const tally = await reader().countBy(assets(), "provider");
    expect(tally.get("cmdb")).toBe(count);
    for (const [at, name] of ["ai_models", "ai_tools", "ai_agents", "ai_identities", "mcp_servers"].entries()) {
      expect(await total(name), name).toBeGreaterThanOrEqual(Math.ceil((count - at) / 6));
    }
    const made = (await eventTypes(world.a)).slice(events);
    expect(made.filter((type) => type === "asset.created")).toHaveLength(count);
    expect(made.filter((type) => type === "agent.created")).toHaveLength(Math.ceil((count - 2) / 6));
    expect(await verifyChain(reader())).toMatchObject({ valid: true, complete: true });
    await expect.poll(async () => (await get(`${ASSETS}?search=zimtstern+4321`)).totalItems).toBe(1);
    expect(await recordsOf(world.b)).toEqual(strangers);
    expect((await get(`${ASSETS}?search=zimtstern`, world.b.owner.token)).totalItems).toBe(0);

    const again = await run(importItems(count));
    expect(again.report).toMatchObject({ done: count, created: 0, updated: 0, unchanged: count, failed: 0 });
    expect((await eventTypes(world.a)).length).toBe(events + made.length);
    expect(await total("ai_assets")).toBe(before + count);
  });

  it("joins records to assets and indexes what they use, wherever the other item stands", async () => {
    const { outcomes } = await run(importItems(12).reverse());
    const ids = outcomes.map(({ value }) => value?.id as string).reverse();
    const agents = await get("/api/v1/ai/agents?size=2");
    const agent = agents.items.find(({ assetId }: { assetId: string }) => assetId === ids[8]);
    expect(agent).toMatchObject({ modelIds: [ids[6]], toolIds: [ids[7]], name: "imported 8" });
    expect((await get(`${ASSETS}/${ids[6]}/relations?direction=incoming`)).items).toMatchObject([
      { type: "uses", sourceId: ids[8], dangling: false },
    ]);
    expect((await get(`${ASSETS}/${ids[8]}`)).source).toBe("import");
  });
});

describe("an item that is there", () => {
  it("is changed where it differs, on the asset and on its record", async () => {
    await run(importItems(6));
    const events = (await eventTypes(world.a)).length;
    const { report, outcomes } = await run([
      importItem(0, { description: "told anew" }),
      importItem(1),
      importItem(2, { record: { framework: "langgraph", modelIds: [named(0)] } }),
      importItem(3, { record: { kind: "workload" } }),
    ]);
    expect(report).toMatchObject({ created: 0, updated: 3, unchanged: 1, failed: 0 });
    expect(outcomes.map(({ value }) => value?.outcome)).toEqual(["updated", "unchanged", "updated", "updated"]);
    const types = (await eventTypes(world.a)).slice(events);
    expect(types).toEqual(["asset.updated", "model.updated", "agent.updated", "identity.updated"]);
    expect(await get(`/api/v1/ai/agents/${outcomes[2]?.value?.recordId}`)).toMatchObject({
      framework: "langgraph",
      version: 2,
    });
    expect(await get(`${ASSETS}/${outcomes[0]?.value?.id}`)).toMatchObject({ description: "told anew", version: 2 });
  });

  it("keeps the states it has come to, and goes back to review when a change is material", async () => {
    const owned = { owner: { type: "external", id: "someone", name: "someone" } } as const;
    const { outcomes } = await run([importItem(0, owned)]);
    const path = `${ASSETS}/${outcomes[0]?.value?.id}`;
    await send("PATCH", `${path}/governance-state`, { status: "under_review" });
    await send("PATCH", `${path}/governance-state`, { status: "approved" }, world.a.actors.approver.token);
    await send("PATCH", `${path}/lifecycle`, { status: "development" });
    await run([importItem(0, { ...owned, status: "registered", name: "another name" })]);
    expect(await get(path)).toMatchObject({ status: "development", governanceState: "approved", name: "another name" });
    await run([importItem(0, { ...owned, record: { license: "MIT" } })]);
    expect((await get(path)).governanceState).toBe("approved");
    await run([importItem(0, { ...owned, record: { modelVersion: "2" } })]);
    expect((await get(path)).governanceState).toBe("under_review");
  });

  it("of one key twice in an import is stored once, and the later one counts", async () => {
    const { outcomes } = await run([importItem(0), importItem(0), importItem(0, { name: "later" })]);
    expect(outcomes.map(({ value }) => value?.outcome)).toEqual(["created", "unchanged", "updated"]);
    expect(new Set(outcomes.map(({ value }) => value?.id)).size).toBe(1);
    expect((await get(`${ASSETS}/${outcomes[0]?.value?.id}`)).name).toBe("later");
  });
});

describe("items that are refused", () => {
  it("are told where they hold what JSON cannot express", async () => {
    const before = await total("ai_assets");
    const { report } = await run([importItem(0), importItem(6, { metadata: { share: Number.NaN } })]);
    expect(faults(report)).toEqual([[1, "invalid_request", "/metadata/share"]]);
    expect((await total("ai_assets")) - before).toBe(1);
  });

  it("are told each with what is wrong and where, and leave the others alone and nothing behind", async () => {
    const foreign = await world.b.newModel();
    const scopes = { record: { scopes: ["ai-asset:read", "no:such"] } };
    const before = await total("ai_assets");
    const joined = await total("ai_agents");
    const { report, outcomes } = await run([
      importItem(0),
      importItem(1, { environment: "nowhere" }),
      importItem(2, { externalRef: undefined }),
      importItem(8, { record: { modelIds: [foreign] } }),
      importItem(14, { record: { toolIds: [{ ref: "nobody" }] } }),
      importItem(20, { record: { modelIds: [{ externalId: "ext-0", assetType: "dataset" }] } }),
      importItem(26, { relations: [{ type: "uses", targetId: { externalId: "ext-0" } }] } as Partial<ImportItem>),
      importItem(9, scopes),
      importItem(5, { record: {} }),
      "no object",
      null,
      importItem(6, { metadata: { big: "x".repeat(40_000) } }),
      importItem(12, { version: 7 }),
      importItem(18, { status: "production" }),
      importItem(3),
    ]);
    expect(faults(report)).toEqual([
      [1, "invalid_request", "/environment"],
      [2, "invalid_request", "/externalRef"],
      [6, "invalid_request", "/relations/0/targetId"],
      [8, "invalid_request", "/record"],
      [9, "invalid_request", ""],
      [10, "invalid_request", ""],
      [11, "invalid_request", "/metadata"],
      [12, "read_only_property", "/version"],
      [3, "invalid_reference", "/record/modelIds/0"],
      [7, "invalid_request", "/record/scopes/1"],
      [13, "invalid_transition", undefined],
      [4, "invalid_reference", "/record/toolIds/0"],
      [5, "invalid_reference", "/record/modelIds/0"],
    ]);
    expect(report).toMatchObject({ done: 15, created: 2, failed: 13 });
    expect(outcomes.flatMap(({ index, value }) => (value ? [index] : []))).toEqual([0, 14]);
    expect(await total("ai_assets")).toBe(before + 2);
    expect(await total("ai_agents")).toBe(joined);
    expect(await verifyChain(reader())).toMatchObject({ valid: true });
  });

  it("for a key of another record leave no asset", async () => {
    const subject = (n: number, at: string) => importItem(n, { record: { issuer: "https://i.example", subject: at } });
    const alias = (n: number, ...aliases: string[]) => importItem(n, { record: { aliases } });
    await run([subject(3, "one"), alias(0, "fast")]);
    const before = await total("ai_assets");
    const { report } = await run([subject(9, "two"), subject(15, "one"), subject(21, "two"), alias(6, "fast", "slow")]);
    expect(
      faults(report)
        .map(([index, code]) => [index, code])
        .sort(),
    ).toEqual([
      [1, "already_exists"],
      [2, "already_exists"],
      [3, "already_exists"],
    ]);
    expect(await total("ai_assets")).toBe(before + 1);
  });

  it("for want of a right are those that need it", async () => {
    const permissions = new Set([...owner.permissions].filter((each) => each !== "ai-agent:write"));
    const { report } = await run(importItems(6), {}, { ...owner, permissions });
    expect(faults(report).map(([index, code]) => [index, code])).toEqual([[2, "permission_denied"]]);
    const none = { ...owner, permissions: new Set<string>() };
    await expect(run(importItems(1), {}, none)).rejects.toMatchObject({ code: "permission_denied" });
  });

  it("beyond the limit are all that come after it is reached", async () => {
    const there = await total("ai_assets");
    await providerOf(world).post(`tenants/${world.a.tenantId}/entitlements/limit/assets`, {
      configuration: { value: there + 30 },
    });
    const { report } = await run(importItems(60), { batchSize: 20 });
    expect(report).toMatchObject({ done: 60, created: 30, failed: 30 });
    expect(new Set(faults(report).map(([, code]) => code))).toContain("limit_exceeded");
    expect(await total("ai_assets")).toBe(there + 30);
  });

  it("leave one trace for each code and transaction in the activity stream", async () => {
    await run([importItem(0, { status: "production" }), importItem(6, { status: "production" }), importItem(12)]);
    const { items } = await get("/api/v1/ai/activity?size=1");
    expect(items[0]).toMatchObject({
      type: "reeve.request.denied.v1",
      data: { operation: "aiAssets.import", status: 409, code: "invalid_transition", items: 2 },
    });
  });
});

describe("items that name each other", () => {
  const agent = (n: number, ref: string, ...toolRefs: string[]) =>
    importItem(n * 6 + 2, { ref, record: { toolIds: toolRefs.map((name) => ({ ref: name })) } });
  const tool = (n: number, ref: string) => importItem(n * 6 + 1, { ref });

  it("may come in any order, in one transaction or in several", async () => {
    for (const [start, batchSize] of [
      [0, 10],
      [10, 1],
    ] as const) {
      const items = [agent(start, "a", "x", "y"), tool(start, "x"), agent(start + 1, "b", "y"), tool(start + 1, "y")];
      const { report, outcomes } = await run(items, { batchSize });
      expect(report).toMatchObject({ done: 4, created: 4, failed: 0 });
      const { toolIds } = await get(`/api/v1/ai/agents/${outcomes[0]?.value?.recordId}`);
      expect(toolIds).toEqual([outcomes[1]?.value?.id, outcomes[3]?.value?.id]);
    }
  });

  it("fail with what they name when that fails, and when they wait for each other", async () => {
    const uses = (ref: string) => ({ relations: [{ type: "delegates_to", targetId: { ref } }] });
    const { report } = await run([
      agent(0, "a", "x"),
      tool(0, "x"),
      importItem(8, { ref: "p", ...uses("q") } as Partial<ImportItem>),
      importItem(14, { ref: "q", ...uses("p") } as Partial<ImportItem>),
      { ...tool(1, "bad"), riskTier: "none" },
      agent(3, "c", "bad"),
      tool(2, "x"),
    ]);
    expect(report).toMatchObject({ created: 2, failed: 5 });
    expect(faults(report).sort()).toEqual([
      [2, "invalid_reference", "/relations/0/targetId"],
      [3, "invalid_reference", "/relations/0/targetId"],
      [4, "invalid_request", "/riskTier"],
      [5, "invalid_reference", "/record/toolIds/0"],
      [6, "invalid_request", "/ref"],
    ]);
  });
});
