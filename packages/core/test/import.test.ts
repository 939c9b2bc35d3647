import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import type { ImportItem, ImportProgress, Principal } from "../src/index.js";
import { createWorld } from "./support/world.js";

let world: World;
let owner: Principal;
beforeEach(async () => {
  world = await createWorld();
  owner = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
});

const TYPES = ["model", "tool", "agent", "identity", "mcp_server", "dataset"] as const;

/** Item `n` of an estate in which agents use the models and tools before them. */
function item(n: number, more: Partial<ImportItem> = {}): ImportItem {
  const assetType = TYPES[n % TYPES.length] as (typeof TYPES)[number];
  const of = (type: string, at: number) => ({ assetType: type, externalId: `ext-${at}` });
  const record =
    assetType === "agent" ? { record: { modelIds: [of("model", n - 2)], toolIds: [of("tool", n - 1)] } } : {};
  return {
    name: `imported ${n}`,
    assetType,
    provider: "cmdb",
    environment: "staging",
    externalRef: { id: `ext-${n}` },
    metadata: { note: `note of ${n}` },
    ...record,
    ...more,
  };
}
const items = (count: number) => Array.from({ length: count }, (_, n) => item(n));

describe("an import", () => {
  it("makes every asset with its record, and the second time changes nothing", async () => {
    const told: ImportProgress[] = [];
    const report = await world.controlPlane.importAssets(owner, items(2_000), { onProgress: (p) => told.push(p) });
    expect(report).toMatchObject({ done: 2_000, total: 2_000, created: 2_000, failed: 0, failures: [] });
    expect(told.map(({ done }) => done)).toEqual([500, 1_000, 1_500, 2_000]);
    const again = await world.controlPlane.importAssets(owner, items(2_000));
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 2_000, failed: 0 });
  });
});
