import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import type { BatchOutcome, Imported, ImportItem, ImportOptions, Principal } from "../../../src/index.js";
import { eventTypes, recordsOf } from "../../helpers/facts.js";
import { importItem, importItems } from "../../helpers/import-items.js";
import { providerOf } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let owner: Principal;
beforeEach(async () => {
  world = await createWorld();
  owner = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
});

/** Runs an import. Returns its counts, and what became of each item: the outcome, or the code of its refusal. */
async function run(items: readonly unknown[], options: ImportOptions = {}) {
  const seen: BatchOutcome<Imported>[] = [];
  const onOutcome = (outcome: BatchOutcome<Imported>) => void seen.push(outcome);
  const report = await world.controlPlane.importAssets(owner, items as ImportItem[], { ...options, onOutcome });
  const { created, updated, unchanged, failed } = report;
  const outcomes = seen.sort((a, b) => a.index - b.index).map(({ value, error }) => value?.outcome ?? error?.code);
  return { counts: { created, updated, unchanged, failed }, outcomes };
}

/** A file with everything in it: changes, references ahead and back, an item that comes twice, and refusals. */
const mixed = () => [
  ...importItems(8),
  importItem(14, { record: { toolIds: [{ ref: "late" }] } }),
  importItem(0, { description: "told anew" }),
  importItem(1, { riskTier: "none" as never }),
  importItem(20, { status: "production" }),
  importItem(26, { record: { modelIds: [{ externalId: "nowhere" }] } }),
  importItem(3),
  importItem(13, { ref: "late" }),
  importItem(1, { name: "told last" }),
];

describe("a dry run of an import", () => {
  it("stores nothing and foretells what the import does, whatever one transaction holds", async () => {
    await run([importItem(2, { record: {} }), importItem(4), importItem(5, { name: "otherwise" })]);
    const before = [await recordsOf(world.a), (await eventTypes(world.a)).length];
    const foretold = [];
    for (const batchSize of [500, 3, 1]) foretold.push(await run(mixed(), { batchSize, dryRun: true }));
    expect([await recordsOf(world.a), (await eventTypes(world.a)).length]).toEqual(before);
    const done = await run(mixed());
    expect(done.counts).toEqual({ created: 7, updated: 4, unchanged: 2, failed: 3 });
    for (const each of foretold) expect(each).toEqual(done);
  });

  it("meets a limit where the import meets it", async () => {
    const { totalItems } = (await world.send("GET", "/api/v1/ai-assets", { token: world.a.owner.token })).json;
    await providerOf(world).post(`tenants/${world.a.tenantId}/entitlements/limit/assets`, {
      configuration: { value: totalItems + 7 },
    });
    const options = { batchSize: 4 };
    const foretold = await run(importItems(12), { ...options, dryRun: true });
    expect(foretold.outcomes.slice(6)).toEqual([
      "created",
      "limit_exceeded",
      "invalid_reference",
      ...Array(3).fill("limit_exceeded"),
    ]);
    expect(await run(importItems(12), options)).toEqual(foretold);
  });

  it("answers over HTTP as the import, without ids of what is new", async () => {
    const send = (body: object) => world.send("POST", "/api/v1/ai-assets/import", { token: world.a.owner.token, body });
    await send({ items: [importItem(0)] });
    const items = [importItem(0), importItem(1), importItem(6, { riskTier: "none" as never })];
    const before = [await recordsOf(world.a), (await eventTypes(world.a)).length];
    const { status, json } = await send({ items, dryRun: true });
    expect([await recordsOf(world.a), (await eventTypes(world.a)).length]).toEqual(before);
    expect([status, json]).toMatchObject([200, { created: 1, updated: 0, unchanged: 1, failed: 1 }]);
    expect(json.items).toMatchObject([
      { outcome: "unchanged", id: expect.stringMatching(/^ast_/) },
      { outcome: "created", id: null, recordId: null },
      { outcome: "failed", problem: { errors: [{ pointer: "/riskTier" }] } },
    ]);
    expect((await send({ items, dryRun: true, atomic: true })).status).toBe(400);
    expect((await send({ items })).json).toMatchObject({ created: 1, unchanged: 1, failed: 1 });
  });
});
