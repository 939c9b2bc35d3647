import type { FindQuery, Reader } from "@reeve/core/store";
import { expect } from "vitest";
import { at, idOf, ids, idsOf, manyThings, successor, thing } from "../builders.js";
import { type Thing, things } from "../collections.js";
import { asOwnerAndStranger, type Case, type CaseGroup } from "../contract.js";
import { expectedThings } from "../model.js";
import { assertProgress, walk } from "../walk.js";

/** Many rows with the same time and size, and some without a size. */
const tied: readonly Thing[] = manyThings(60, (n) => ({
  createdAt: at(Math.floor(n / 20)),
  name: `name ${n % 4}`,
  kind: n % 3 === 0 ? "tool" : "model",
  size: [null, 5, 5, 7][n % 4] as number | null,
}));

const orders: Readonly<Record<string, Omit<FindQuery, "size">>> = {
  "newest first": {},
  "oldest first": { order: { direction: "asc" } },
  "of a filter": { where: { kind: "tool" } },
  "by a text, ascending": { order: { by: "name", direction: "asc" } },
  "by a text, descending": { order: { by: "name", direction: "desc" } },
  "by a number with nulls, ascending": { order: { by: "size", direction: "asc" } },
  "by a number with nulls, descending": { order: { by: "size", direction: "desc" } },
  "of a filter by a number": { where: { kind: "model" }, order: { by: "size", direction: "desc" } },
  "of a range": { range: { from: at(1) } },
};

export const pagingCases: CaseGroup = {
  ...Object.fromEntries(Object.entries(orders).map(([what, query]) => [`walking ${what} by cursor`, walking(query)])),
  ...Object.fromEntries(Object.entries(orders).map(([what, query]) => [`leafing ${what} by page`, leafing(query)])),
  "a page beyond the end is empty": async (c) => {
    await asOwnerAndStranger(c, {
      given: tied,
      ask: async (as) => as.find(things, { size: 25, page: 3 }),
      owner: { rows: [] },
      stranger: { rows: [] },
    });
  },
  "the last page says that nothing follows": async (c) => {
    await asOwnerAndStranger(c, {
      given: manyThings(4),
      ask: async (as) => {
        const full = await as.find(things, { size: 4 });
        const last = await as.find(things, { size: 2, page: 1 });
        const first = await as.find(things, { size: 2 });
        return [full.next, last.next, first.next];
      },
      owner: [undefined, undefined, { by: at(3), id: idOf("thg", 3) }],
      stranger: [undefined, undefined, undefined],
    });
  },
  "a position names the ordering value, null too": async (c) => {
    await asOwnerAndStranger(c, {
      given: [thing(1, { size: null }), thing(2, { size: null }), thing(3, { size: 8 })],
      ask: async (as) => [
        (await as.find(things, { order: { by: "size", direction: "asc" }, size: 1 })).next,
        (await as.find(things, { order: { by: "size", direction: "desc" }, size: 1 })).next,
      ],
      owner: [
        { by: 8, id: idOf("thg", 3) },
        { by: null, id: idOf("thg", 2) },
      ],
      stranger: [undefined, undefined],
    });
  },
  "a position need not be a row": async (c) => {
    await asOwnerAndStranger(c, {
      given: manyThings(4),
      ask: async (as) => [
        ids(await as.find(things, { after: { by: at(3), id: "thg" }, size: 9 })),
        ids(await as.find(things, { after: { by: at(3), id: "thz" }, size: 9 })),
        ids(await as.find(things, { after: { by: at(-1), id: "thg" }, size: 9 })),
      ],
      owner: [[idOf("thg", 2), idOf("thg", 1)], [idOf("thg", 3), idOf("thg", 2), idOf("thg", 1)], []],
      stranger: [[], [], []],
    });
  },
  "a position of one tenant shows another only its own": async (c) => {
    await c.owner.insertMany(things, tied);
    await c.stranger.insert(things, thing(99, { createdAt: at(-5) }));
    const { next } = await c.owner.find(things, { size: 2 });
    if (!next) throw new Error("60 rows have a second page");
    expect(ids(await c.stranger.find(things, { after: next, size: 9 }))).toEqual([idOf("thg", 99)]);
  },
  "a walk goes on after its position was removed": async (c) => {
    await c.owner.insertMany(things, manyThings(5));
    const { next } = await c.owner.find(things, { size: 2 });
    if (!next) throw new Error("five rows have a second page");
    await c.owner.remove(things, thing(4), at(9));
    expect(ids(await c.owner.find(things, { after: next, size: 9 }))).toEqual([3, 2, 1].map((n) => idOf("thg", n)));
  },
  "a replace does not move a row of an order it does not touch": async (c) => {
    await c.owner.insertMany(things, manyThings(5));
    const { next } = await c.owner.find(things, { size: 2 });
    if (!next) throw new Error("five rows have a second page");
    await c.owner.replace(things, successor(thing(3), { name: "new" }), thing(3));
    expect(ids(await c.owner.find(things, { after: next, size: 9 }))).toEqual([3, 2, 1].map((n) => idOf("thg", n)));
  },
  "walking during inserts and removes shows what stayed once, size 1": walkingUnderFire(1),
  "walking during inserts and removes shows what stayed once, size 2": walkingUnderFire(2),
  "walking during inserts and removes shows what stayed once, size 25": walkingUnderFire(25),
  "walking during inserts and removes shows what stayed once, size 100": walkingUnderFire(100),
};

function walking(query: Omit<FindQuery, "size">): Case {
  return everySize(query, (as, size) => walk(as, { ...query, size }));
}

function leafing(query: Omit<FindQuery, "size">): Case {
  return everySize(query, async (as, size) => {
    const seen: string[] = [];
    for (let page = 0; ; page++) {
      const rows = ids(await as.find(things, { ...query, size, page }));
      seen.push(...rows);
      if (rows.length < size) return seen;
      assertProgress(seen);
    }
  });
}

function everySize(query: Omit<FindQuery, "size">, read: (as: Reader, size: number) => Promise<string[]>): Case {
  const expected = idsOf(expectedThings(tied, query));
  const sizes = [1, 2, 25, 100];
  return (c) =>
    asOwnerAndStranger(c, {
      given: tied,
      ask: async (as) => {
        const answers: string[][] = [];
        for (const size of sizes) answers.push(await read(as, size));
        return answers;
      },
      owner: sizes.map(() => expected),
      stranger: sizes.map(() => []),
    });
}

/** Pages through 120 rows while others are inserted and removed. */
function walkingUnderFire(size: number): Case {
  return async (c) => {
    const staying = manyThings(120, (n) => ({ createdAt: at(Math.floor(n / 10)) })).filter((_, n) => n % 3 !== 0);
    const leaving = manyThings(120, (n) => ({ createdAt: at(Math.floor(n / 10)) })).filter((_, n) => n % 3 === 0);
    await c.owner.insertMany(things, [...staying, ...leaving]);
    let step = 0;
    const disturb = async () => {
      const gone = leaving[step % leaving.length] as Thing;
      const fresh = thing(1_000 + step, { createdAt: at((step * 5) % 13) });
      const writes = [c.owner.insert(things, fresh), c.stranger.insert(things, fresh)];
      if (step < leaving.length) writes.push(c.owner.remove(things, gone, at(99)));
      step += 1;
      await Promise.all(writes);
    };
    const seen = await walk(c.owner, { size }, disturb);
    expect(new Set(seen).size, "no row twice").toBe(seen.length);
    const stayed = new Set(idsOf(staying));
    expect(seen.filter((id) => stayed.has(id))).toEqual(idsOf(expectedThings(staying)));
  };
}
