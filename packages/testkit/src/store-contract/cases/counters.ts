import { COUNT_LIMIT, type Reader, SCAN_LIMIT, SEARCH_COUNT_LIMIT } from "@reeve/core/store";
import { expect } from "vitest";
import { at, manyThings, successor, thing } from "../builders.js";
import { things } from "../collections.js";
import { asOwnerAndStranger, type CaseGroup } from "../contract.js";

const exactly = (count: number) => ({ count, exact: true });

/** The total, and the counts per kind and per flag. */
async function figures(as: Reader) {
  return {
    all: await as.count(things),
    kinds: Object.fromEntries(await as.countBy(things, "kind")),
    active: Object.fromEntries(await as.countBy(things, "active")),
  };
}

const none = { all: exactly(0), kinds: {}, active: {} };
const three = [
  thing(1, { kind: "tool", active: true }),
  thing(2, { kind: "tool" }),
  thing(3, { kind: "model" }),
] as const;
const counted = { all: exactly(3), kinds: { tool: 2, model: 1 }, active: { true: 1 } };

export const counterCases: CaseGroup = {
  "inserts are counted": async (c) => {
    await asOwnerAndStranger(c, { given: three, ask: figures, owner: counted, stranger: none });
  },
  "a batch is counted": async (c) => {
    const given = manyThings(500, (n) => ({ kind: n % 5 === 0 ? "tool" : "model", active: n % 2 === 0 }));
    const owner = { all: exactly(500), kinds: { tool: 100, model: 400 }, active: { true: 250, false: 250 } };
    await asOwnerAndStranger(c, { given, ask: figures, owner, stranger: none });
  },
  "a replace moves a record from one value to another": async (c) => {
    await asOwnerAndStranger(c, {
      given: three,
      change: (owner) => owner.replace(things, successor(three[0], { kind: "model", active: false }), three[0]),
      ask: figures,
      owner: { all: exactly(3), kinds: { tool: 1, model: 2 }, active: { false: 1 } },
      stranger: none,
      twin: counted,
    });
  },
  "a replace to null and from null": async (c) => {
    await asOwnerAndStranger(c, {
      given: three,
      change: async (owner) => {
        await owner.replace(things, successor(three[0], { kind: null }), three[0]);
        await owner.replace(things, successor(three[1], { active: true }), three[1]);
      },
      ask: figures,
      owner: { all: exactly(3), kinds: { tool: 1, model: 1 }, active: { true: 2 } },
      stranger: none,
      twin: counted,
    });
  },
  "a replace that keeps the value changes no count": async (c) => {
    await asOwnerAndStranger(c, {
      given: three,
      change: (owner) => owner.replace(things, successor(three[0], { name: "new" }), three[0]),
      ask: figures,
      owner: counted,
      stranger: none,
    });
  },
  "a remove is counted, and a value nobody holds is gone": async (c) => {
    await asOwnerAndStranger(c, {
      given: three,
      change: (owner) => owner.remove(things, three[2], at(9)),
      ask: figures,
      owner: { all: exactly(2), kinds: { tool: 2 }, active: { true: 1 } },
      stranger: none,
      twin: counted,
    });
  },
  "a rejected insert is not counted": async (c) => {
    await asOwnerAndStranger(c, {
      given: three,
      change: (owner) => expect(owner.insert(things, three[0])).rejects.toMatchObject({ code: "duplicate" }),
      ask: figures,
      owner: counted,
      stranger: none,
    });
  },
  "a rejected batch is not counted": async (c) => {
    await asOwnerAndStranger(c, {
      given: three,
      change: (owner) =>
        expect(owner.insertMany(things, [thing(8, { kind: "tool" }), three[0]])).rejects.toMatchObject({
          code: "duplicate",
        }),
      ask: figures,
      owner: counted,
      stranger: none,
    });
  },
  "a stale replace or remove is not counted": async (c) => {
    const never = successor(three[0], { kind: "agent" });
    await asOwnerAndStranger(c, {
      given: three,
      change: async (owner) => {
        await expect(owner.replace(things, successor(never), never)).rejects.toMatchObject({ code: "stale" });
        await expect(owner.remove(things, never, at(9))).rejects.toMatchObject({ code: "stale" });
      },
      ask: figures,
      owner: counted,
      stranger: none,
    });
  },
  "a rollback is not counted": async (c) => {
    await asOwnerAndStranger(c, {
      given: three,
      change: (owner) => {
        const work = c.store.transaction(owner.tenantId, async (tx) => {
          await tx.insertMany(things, [thing(7, { kind: "agent" }), thing(8, { kind: "tool" })]);
          await tx.remove(things, three[2], at(9));
          expect((await tx.count(things)).count).toBe(4);
          throw new Error("changed my mind");
        });
        return expect(work).rejects.toThrow("changed my mind");
      },
      ask: figures,
      owner: counted,
      stranger: none,
    });
  },
  "several writes to one value in one transaction add up": async (c) => {
    await asOwnerAndStranger(c, {
      given: three,
      change: (owner) =>
        c.store.transaction(owner.tenantId, async (tx) => {
          await tx.insert(things, thing(4, { kind: "tool" }));
          await tx.insert(things, thing(5, { kind: "tool" }));
          await tx.remove(things, three[0], at(9));
          await tx.replace(things, successor(three[1], { kind: "model" }), three[1]);
        }),
      ask: figures,
      owner: { all: exactly(4), kinds: { tool: 2, model: 2 }, active: {} },
      stranger: none,
      twin: counted,
    });
  },
  "inserts and removes at the same time are all counted": async (c) => {
    const leaving = manyThings(c.parallel, () => ({ kind: "tool" }));
    await c.owner.insertMany(things, leaving);
    await Promise.all(
      leaving.flatMap((one, n) => [
        c.owner.remove(things, one, at(9)),
        c.owner.insert(things, thing(1_000 + n, { kind: "model" })),
      ]),
    );
    expect(await figures(c.owner)).toEqual({ all: exactly(c.parallel), kinds: { model: c.parallel }, active: {} });
    expect(await figures(c.stranger)).toEqual(none);
  },
  "a list of everything and of a counted value has an exact total": async (c) => {
    await asOwnerAndStranger(c, {
      given: three,
      ask: async (as) => [
        (await as.list(things, { size: 1 })).total,
        (await as.list(things, { where: { kind: "tool" }, size: 1 })).total,
        (await as.list(things, { where: { active: true }, size: 1 })).total,
        (await as.list(things, { order: { by: "name" }, size: 1 })).total,
        await as.count(things, { where: { kind: "tool" } }),
        await as.count(things, { where: { kind: "never seen" } }),
      ],
      owner: [3, 2, 1, 3, 2, 0].map(exactly),
      stranger: [0, 0, 0, 0, 0, 0].map(exactly),
    });
  },
  "a counted null is counted row by row": async (c) => {
    await asOwnerAndStranger(c, {
      given: three,
      ask: async (as) => [
        await as.count(things, { where: { active: null } }),
        (await as.list(things, { where: { active: null }, size: 1 })).total,
      ],
      owner: [exactly(2), exactly(2)],
      stranger: [exactly(0), exactly(0)],
    });
  },
  "a count by a filter no counter holds": async (c) => {
    await asOwnerAndStranger(c, {
      given: three,
      ask: async (as) => [
        await as.count(things, { where: { kind: "tool", status: "draft" } }),
        await as.count(things, { where: { name: "thing 2" } }),
        await as.count(things, { where: { size: null } }),
      ],
      owner: [exactly(2), exactly(1), exactly(3)],
      stranger: [exactly(0), exactly(0), exactly(0)],
    });
  },
  "a total from a counter is exact beyond the bound": async (c) => {
    await c.owner.insertMany(
      things,
      manyThings(COUNT_LIMIT + 5, () => ({ kind: "tool" })),
    );
    expect(await c.owner.count(things)).toEqual(exactly(COUNT_LIMIT + 5));
    expect((await c.owner.list(things, { where: { kind: "tool" }, size: 1 })).total).toEqual(exactly(COUNT_LIMIT + 5));
    expect(await c.stranger.count(things)).toEqual(exactly(0));
  },
  "a count stops at its bound and says so": async (c) => {
    const bounded = { count: COUNT_LIMIT, exact: false };
    const first = thing(1, { name: "same", note: "needle" });
    const others = manyThings(COUNT_LIMIT + 1, () => ({ name: "same", note: "needle" })).slice(1);
    await c.owner.insertMany(things, [first, ...others]);
    expect(await c.owner.count(things, { where: { name: "same" } })).toEqual(bounded);
    expect((await c.owner.list(things, { where: { name: "same" }, size: 1 })).total).toEqual(bounded);
    expect((await c.owner.list(things, { range: { from: at(0) }, size: 1 })).total).toEqual(bounded);
    expect(await c.stranger.count(things, { where: { name: "same" } })).toEqual(exactly(0));
    await c.owner.remove(things, first, at(9));
    expect(await c.owner.count(things, { where: { name: "same" } })).toEqual(exactly(COUNT_LIMIT));
  },
  "a total of a search is exact where its hits are few, and stops at its bound else": async (c) => {
    const hits = manyThings(SCAN_LIMIT + 1, () => ({ note: "needle" }));
    for (let start = 0; start < hits.length; start += 1_000)
      await c.owner.insertMany(things, hits.slice(start, start + 1_000));
    const [last] = hits.slice(-1) as [(typeof hits)[number]];
    const totals = async (as: Reader) => [
      await as.count(things, { search: "needle" }),
      (await as.list(things, { search: "needle", size: 1 })).total,
      (await as.list(things, { search: "needle", where: { kind: last.kind }, size: 1 })).total,
    ];
    expect(await totals(c.owner)).toEqual(Array(3).fill({ count: SEARCH_COUNT_LIMIT, exact: false }));
    await c.owner.remove(things, last, at(9));
    expect(await totals(c.owner)).toEqual(Array(3).fill(exactly(SCAN_LIMIT)));
    expect(await totals(c.stranger)).toEqual(Array(3).fill(exactly(0)));
  },
  "the total of a short word is exact up to its bound": async (c) => {
    const hits = manyThings(SEARCH_COUNT_LIMIT + 1, () => ({ note: "ne" }));
    await c.owner.insertMany(things, [...hits]);
    const [last] = hits.slice(-1) as [(typeof hits)[number]];
    const totals = async (as: Reader) => [
      await as.count(things, { search: "ne" }),
      (await as.list(things, { search: "ne", where: { kind: last.kind }, size: 1 })).total,
    ];
    expect(await totals(c.owner)).toEqual(Array(2).fill({ count: SEARCH_COUNT_LIMIT, exact: false }));
    await c.owner.remove(things, last, at(9));
    expect(await totals(c.owner)).toEqual(Array(2).fill(exactly(SEARCH_COUNT_LIMIT)));
  },
};
