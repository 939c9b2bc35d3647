import { table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import type { Collection } from "#kernel/records/collection.js";
import { collections } from "#reference/index.js";
import { isIdOf } from "#store/collection.js";
import { fieldValue, type StoredRecord } from "#store/index.js";
import { createWorld } from "../helpers/world.js";

type Listed = Collection<StoredRecord> & { readonly resource?: { readonly path: string } };

const all = collections as unknown as readonly Listed[];
/** Collections whose records have another side. */
const sided = (collections as readonly { otherSide?: unknown; name: string }[]).flatMap(({ otherSide, name }) =>
  otherSide ? all.filter((one) => one.name === name) : [],
);
const filters = all.flatMap((collection) =>
  Object.entries(collection.filters).map(([name, filter]) => ({ collection, name, ...filter })),
);
type Filter = (typeof filters)[number];

describe("filters by a thing with two sides", () => {
  let world: World;
  const values = new Map<Filter, string[]>();
  beforeAll(async () => {
    world = await createWorld({ rateLimits: "off" });
    const reader = world.store.forTenant(world.a.tenantId);
    for (const filter of filters) {
      const { collection, name, field = name } = filter;
      const rows = collection.prefix === null ? [] : await reader.scan(collection, { size: 1_000 });
      const held = rows.flatMap(({ value }) => String(fieldValue(collection, value, field) ?? "").split(/[^\w]+/));
      values.set(filter, [...new Set(held)]);
    }
  });

  it("say whose ids they hold, so that the id of either side is taken", () => {
    const wrong = filters.flatMap((filter) => {
      const kind = sided.find((one) => values.get(filter)?.some((id) => isIdOf(one, id)));
      const { collection, name, ids } = filter;
      return kind && ids === undefined ? [`${collection.name}.${name} holds ids of ${kind.name}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  const shown = new Set<string>();
  const sidedFilters = filters.filter(({ ids }) => ids !== undefined);
  it.each(sidedFilters.map((filter) => [`${filter.collection.name} by ${filter.name}`, filter] as const))(
    "%s",
    async (_title, filter) => {
      const path = filter.collection.resource?.path;
      if (!table.some((one) => one.method === "GET" && one.path === path)) return;
      const reader = world.store.forTenant(world.a.tenantId);
      const list = async (id: string, scene = world.a) =>
        (await scene.send("GET", `${path}?size=100&${filter.name}=${id}`, { token: scene.owner.token })).json.items;
      for (const id of values.get(filter)?.slice(0, 20) ?? []) {
        const kind = sided.find((one) => isIdOf(one, id));
        const row = kind && (await reader.get(kind, id));
        const other = row && (kind as unknown as { otherSide(record: unknown): string | null }).otherSide(row.value);
        if (!other) continue;
        const items = await list(id);
        if (items.length > 0) shown.add(filter.name);
        expect(await list(other)).toEqual(items);
        expect(await list(other, world.b)).toEqual([]);
      }
    },
  );

  it("asks of lists that hold something", () => {
    expect([...shown]).toContain("assetId");
  });
});
