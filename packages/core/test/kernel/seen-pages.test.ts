import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { PageQuery } from "#kernel/operation/page.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { defineCollection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import { createMemoryStore } from "#store/memory/memory-store.js";
import { environmentOf } from "../helpers/environment.js";
import { afterFind } from "../helpers/failing-store.js";

interface Permit extends StoredRecord {
  readonly state: "valid" | "ended";
  readonly endsAt: string | null;
  readonly mark: string;
  readonly shelf: number;
  readonly weight: number;
}

const permits = defineCollection<Permit>({
  name: "test_permits",
  prefix: null,
  schema: z.object({
    id: z.string(),
    version: z.number(),
    createdAt: z.string(),
    state: z.enum(["valid", "ended"]),
    endsAt: z.string().nullable(),
    mark: z.string(),
    shelf: z.number(),
    weight: z.number(),
  }),
  fields: {
    state: { type: "text" },
    endsAt: { type: "time" },
    mark: { type: "text" },
    shelf: { type: "integer" },
    weight: { type: "integer" },
  },
  indexes: [
    { where: ["state"] },
    { where: [], by: "endsAt", partial: true },
    { where: [], by: "shelf" },
    { where: [], by: "weight" },
  ],
  filters: { state: { changesAt: "endsAt" }, mark: {} },
  orders: { shelf: "shelf", weight: "weight" },
  staleAt: ({ endsAt }) => endsAt,
  derive: (permit, now) => (permit.endsAt !== null && permit.endsAt <= now ? { ...permit, state: "ended" } : permit),
});

const NOW = "2026-01-05T09:00:00.000Z";
const ROWS = 20_000;
/** Which permits have just run out: one, more than a request reads, the newest. */
const TENANTS: Readonly<Record<string, (n: number) => boolean>> = {
  one: (n) => n === 9_000,
  many: (n) => n % Math.floor(ROWS / 1_400) === 0,
  late: (n) => n >= ROWS - 250,
};

const finds: string[] = [];
const store = createMemoryStore();
const counted = afterFind(store, async (collection) => void finds.push(collection));
const env = environmentOf({ store: counted, clock: { now: () => Date.parse(NOW) } });
const made: Record<string, Permit[]> = {};

function permit(n: number, isDue: boolean): Permit {
  return {
    id: `p${String(n).padStart(5, "0")}`,
    version: 1,
    createdAt: new Date(Date.parse("2026-01-01T00:00:00.000Z") + Math.floor(n / 3) * 1_000).toISOString(),
    state: n % 1_000 === 500 ? "ended" : "valid",
    endsAt: isDue ? NOW : null,
    mark: n % 900 === 0 || n % 1_000 === 500 ? "rare" : "usual",
    // The same for more rows than are put in order at once.
    shelf: Math.floor(n / 7_000),
    weight: (n * 7_919) % 10_007,
  };
}

beforeAll(async () => {
  for (const [tenantId, isDue] of Object.entries(TENANTS)) {
    const all = Array.from({ length: ROWS }, (_, n) => permit(n, isDue(n)));
    for (let at = 0; at < ROWS; at += 1_000)
      await store.forTenant(tenantId).insertMany(permits, all.slice(at, at + 1_000));
    made[tenantId] = all;
  }
});
beforeEach(() => void finds.splice(0));

type Asked = PageQuery & Readonly<Record<string, unknown>>;

async function ask(tenantId: string, query: Asked) {
  finds.splice(0);
  const page = await systemContext(env, tenantId, "list").page(permits, query);
  const items = JSON.parse(page.items) as Permit[];
  return { ids: items.map(({ id }) => id), items, page, finds: finds.length };
}

/** All pages of a list by its cursors. */
async function walk(tenantId: string, query: Asked) {
  const pages = [];
  for (let cursor: string | null | undefined; cursor !== null; cursor = pages.at(-1)?.page.nextCursor ?? null)
    pages.push(await ask(tenantId, cursor === undefined ? query : { ...query, cursor }));
  return pages;
}

const seenAs = (tenantId: string, state: string, mark: string) =>
  (made[tenantId] ?? [])
    .filter((one) => one.mark === mark && (one.endsAt === null ? one.state : "ended") === state)
    .map(({ id }) => id);

describe.each(["one", "many"])("a list by a state that time changes, with %s due", (tenantId) => {
  it.each([
    ["the newest first", undefined],
    ["an indexed order", ["weight"]],
    ["an order by several fields", ["shelf", "-weight"]],
    ["several fields, descending", ["-shelf", "weight"]],
  ])("looks at a bounded number of rows for each page and shows each hit once: %s", async (_what, sort) => {
    for (const state of tenantId === "one" ? ["valid", "ended"] : ["valid"]) {
      const pages = await walk(tenantId, { state: [state], mark: ["rare"], size: 3, ...(sort ? { sort } : {}) });
      expect(pages.flatMap(({ ids }) => ids).sort(), state).toEqual(seenAs(tenantId, state, "rare"));
      expect(Math.max(...pages.map((page) => page.finds))).toBeLessThanOrEqual(2);
      expect(pages.every(({ items }) => items.every((item) => item.state === state))).toBe(true);
    }
  });
});

it("leaves nothing out between page numbers, where the newest rows are due", async () => {
  const { length } = made.late as Permit[];
  const stay = (made.late as Permit[]).filter(({ endsAt, state }) => endsAt === null && state === "valid");
  expect(length - stay.length).toBeGreaterThan(200);
  const seen: string[] = [];
  for (let page = 40; page < 100; page++) seen.push(...(await ask("late", { state: ["valid"], page, size: 100 })).ids);
  const newest = stay.map(({ id }) => id).reverse();
  expect(seen).toEqual(newest.slice(4_000, 10_000));
});

it("says that the total is a lower bound where rows were left", async () => {
  const { page, finds: asked } = await ask("one", { state: ["valid"], mark: ["rare"] });
  expect(asked).toBe(2);
  expect(page.total.exact).toBe(false);
  expect(page.nextCursor).not.toBeNull();
});

it("reaches by number what an index finds, and goes on from there", async () => {
  const valid = seenAs("one", "valid", "usual")
    .concat(seenAs("one", "valid", "rare"))
    .sort()
    .reverse();
  const { ids, page } = await ask("one", { state: ["valid"], page: 99, size: 100 });
  expect(ids).toEqual(valid.slice(9_900, 10_000));
  const further = await ask("one", { state: ["valid"], size: 100, cursor: page.nextCursor as string });
  expect(further.ids).toEqual(valid.slice(10_000, 10_100));
});
