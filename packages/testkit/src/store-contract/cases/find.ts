import { type FieldValue, type FindQuery, fieldValue, type Index } from "@reeve/core/store";
import { expect } from "vitest";
import { at, idOf, ids, idsOf, manyThings, thing } from "../builders.js";
import { type Thing, things } from "../collections.js";
import { asOwnerAndStranger, type Case, type CaseGroup } from "../contract.js";
import { expectedThings } from "../model.js";

/** Things of all combinations, with ties in every order field. */
const varied: readonly Thing[] = manyThings(36, (n) => ({
  createdAt: at(Math.floor(n / 3)),
  name: ["b", "a", "B", "ä"][n % 4] as string,
  kind: [null, "tool", "model"][n % 3] as string | null,
  status: n % 2 === 0 ? "draft" : "live",
  size: [null, 1, 2, 10, -1][n % 5] as number | null,
  active: [true, false, null][Math.floor(n / 2) % 3] as boolean | null,
  dueAt: [null, at(7), at(8)][n % 3] as string | null,
  ...(n % 7 === 0 ? {} : { keeper: { id: `usr_${n % 3}` } }),
}));

export const findCases: CaseGroup = {
  ...Object.fromEntries(
    things.indexes.flatMap((index) =>
      (["asc", "desc"] as const).map((direction) => [`${title(index)}, ${direction}`, byIndex(index, direction)]),
    ),
  ),
  "newest first when nothing is said": async (c) => {
    await asOwnerAndStranger(c, {
      given: varied,
      ask: async (as) => ids(await as.find(things, { size: 99 })),
      owner: idsOf(expectedThings(varied)),
      stranger: [],
    });
  },
  "an order that names no direction is descending": async (c) => {
    await asOwnerAndStranger(c, {
      given: varied,
      ask: async (as) => ids(await as.find(things, { order: { by: "name" }, size: 99 })),
      owner: idsOf(expectedThings(varied, { order: { by: "name", direction: "desc" } })),
      stranger: [],
    });
  },
  "the newest of each of many values, those without rows too": async (c) => {
    const kinds = ["model", "none", "tool", "it's; --"];
    const sizes = [1, 5, 99];
    await asOwnerAndStranger(c, {
      given: varied,
      ask: async (as) => {
        const answers: [string, string[]][] = [];
        for (const size of sizes) {
          const found = await as.findTopPerKey(things, { field: "kind", values: [...kinds, "model"], size });
          for (const [kind, rows] of found) answers.push([kind, rows.map(({ id }) => id)]);
        }
        return answers;
      },
      owner: sizes.flatMap((size) =>
        kinds.map((kind): [string, string[]] => [
          kind,
          idsOf(expectedThings(varied, { where: { kind } })).slice(0, size),
        ]),
      ),
      stranger: sizes.flatMap(() => kinds.map((kind): [string, string[]] => [kind, []])),
    });
  },
  "the newest of each of no values are none": async (c) => {
    await c.owner.insertMany(things, varied);
    expect([...(await c.owner.findTopPerKey(things, { field: "kind", values: [], size: 1 }))]).toEqual([]);
  },
  "the newest of each value are those its transaction sees": async (c) => {
    const [a, b] = [thing(1, { kind: "tool" }), thing(2, { kind: "tool" })];
    await c.owner.insertMany(things, [a, b]);
    const found = await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.remove(things, a, at(9));
      await tx.insert(things, thing(3, { kind: "model" }));
      return tx.findTopPerKey(things, { field: "kind", values: ["tool", "model"], size: 9 });
    });
    expect([...found.values()].map((rows) => rows.map(({ id }) => id))).toEqual([[idOf("thg", 2)], [idOf("thg", 3)]]);
  },
  "the names of a filter come in any order": async (c) => {
    await asOwnerAndStranger(c, {
      given: varied,
      ask: async (as) => [
        ids(await as.find(things, { where: { kind: "tool", status: "live" }, size: 99 })),
        ids(await as.find(things, { where: { status: "live", kind: "tool" }, size: 99 })),
      ],
      owner: [
        idsOf(expectedThings(varied, { where: { kind: "tool", status: "live" } })),
        idsOf(expectedThings(varied, { where: { kind: "tool", status: "live" } })),
      ],
      stranger: [[], []],
    });
  },
  "a filter nothing matches finds nothing": ask({ where: { kind: "no such kind" } }),
  "from is included": ask({ range: { from: at(5) } }),
  "before is not included": ask({ range: { before: at(5) } }),
  "through is included": ask({ range: { through: at(5) } }),
  "a range of one moment": ask({ range: { from: at(5), through: at(5) } }),
  "a range through a number": ask({ order: { by: "size", direction: "asc" }, range: { through: 1 } }),
  "a range through a time leaves null out": ask({
    order: { by: "dueAt", direction: "desc" },
    range: { through: at(9) },
  }),
  "a range between two moments": ask({ range: { from: at(3), before: at(6) }, order: { direction: "asc" } }),
  "an empty range finds nothing": ask({ range: { from: at(6), before: at(6) } }),
  "a range with its ends swapped finds nothing": ask({ range: { from: at(6), before: at(3) } }),
  "a range over a filter": ask({ where: { kind: "tool" }, range: { from: at(2), before: at(9) } }),
  "a range of numbers": ask({ order: { by: "size", direction: "asc" }, range: { from: 1, before: 10 } }),
  "a range of numbers leaves null out": ask({ order: { by: "size", direction: "desc" }, range: { before: 2 } }),
  "a range of numbers over a filter": ask({ where: { kind: "model" }, order: { by: "size" }, range: { from: 0 } }),
  "a range of text": ask({ order: { by: "name", direction: "asc" }, range: { from: "a", before: "b" } }),
  "a range of times leaves null out": ask({ order: { by: "dueAt", direction: "desc" }, range: { before: at(9) } }),
  "a range of times over a filter": ask({ where: { status: "live" }, order: { by: "dueAt" }, range: { from: at(8) } }),
  "a range from zero": ask({ order: { by: "size", direction: "asc" }, range: { from: 0 } }),
  "a lookup finds the holder of a key": async (c) => {
    await asOwnerAndStranger(c, {
      given: [thing(1, { slug: "one", shelf: "s", slot: 0 }), thing(2, { slug: "two", shelf: "s", slot: 1 })],
      ask: async (as) => [
        (await as.lookup(things, "slug", { slug: "two" }))?.id,
        (await as.lookup(things, "place", { shelf: "s", slot: 0 }))?.id,
        (await as.lookup(things, "place", { slot: 1, shelf: "s" }))?.id,
        (await as.lookup(things, "place", { shelf: "s", slot: 2 }))?.id,
        (await as.lookup(things, "slug", { slug: "TWO" }))?.id,
      ],
      owner: [idOf("thg", 2), idOf("thg", 1), idOf("thg", 2), undefined, undefined],
      stranger: [undefined, undefined, undefined, undefined, undefined],
    });
  },
  "a lookup by null finds nothing": async (c) => {
    await asOwnerAndStranger(c, {
      given: [thing(1), thing(2, { shelf: "s" })],
      ask: async (as) => [
        await as.lookup(things, "slug", { slug: null }),
        await as.lookup(things, "place", { shelf: "s", slot: null }),
      ],
      owner: [undefined, undefined],
      stranger: [undefined, undefined],
    });
  },
};

function title(index: Index): string {
  const filter = index.where.length === 0 ? "all" : `by ${index.where.join(" and ")}`;
  return `${filter}, ordered by ${index.by ?? "createdAt"}`;
}

/** Queries with every combination of values for the filters of an index. */
function byIndex(index: Index, direction: "asc" | "desc"): Case {
  const wheres = index.where.reduce<Record<string, FieldValue>[]>(
    (sofar, field) => sofar.flatMap((where) => valuesOf(field).map((value) => ({ ...where, [field]: value }))),
    [{}],
  );
  const order = index.by === undefined ? { direction } : { by: index.by, direction };
  return (c) =>
    asOwnerAndStranger(c, {
      given: varied,
      ask: async (as) => {
        const answers: string[][] = [];
        for (const where of wheres) answers.push(ids(await as.find(things, { where, order, size: 99 })));
        return answers;
      },
      owner: wheres.map((where) => idsOf(expectedThings(varied, { where, order }))),
      stranger: wheres.map(() => []),
    });
}

function valuesOf(field: string): FieldValue[] {
  return [...new Set(varied.map((one) => fieldValue(things, one, field)))];
}

function ask(query: Omit<FindQuery, "size">): Case {
  return (c) =>
    asOwnerAndStranger(c, {
      given: varied,
      ask: async (as) => ids(await as.find(things, { ...query, size: 99 })),
      owner: idsOf(expectedThings(varied, query)),
      stranger: [],
    });
}
