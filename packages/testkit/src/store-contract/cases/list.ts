import type { FindQuery } from "@reeve/core/store";
import { expect } from "vitest";
import { at, manyThings, setting, successor, thing } from "../builders.js";
import { settings, type Thing, things } from "../collections.js";
import { asOwnerAndStranger, type Case, type CaseGroup } from "../contract.js";

const varied = manyThings(12, (n) => ({
  name: `name "${n}" \\ 😀`,
  kind: n % 2 === 0 ? "tool" : "model",
  size: n % 4,
  note: n % 3 === 0 ? "third" : "",
  expiresAt: n % 4 === 0 ? at(1_000 - n) : null,
}));

export const listCases: CaseGroup = {
  "the text of everything is what find shows": sameAsFind({}),
  "the text of a filter": sameAsFind({ where: { kind: "tool" } }),
  "the text of an order": sameAsFind({ order: { by: "size", direction: "asc" } }),
  "the text of a range": sameAsFind({ range: { from: at(4), before: at(9) } }),
  "the text of a search": sameAsFind({ search: "third" }),
  "the text of a search within a filter": sameAsFind({ search: "third", where: { kind: "tool" } }),
  "the text of nothing": async (c) => {
    await asOwnerAndStranger(c, {
      given: varied,
      ask: async (as) => as.list(things, { where: { kind: "none" }, size: 9 }),
      owner: { items: "[]", count: 0, staleAt: null, total: { count: 0, exact: true } },
      stranger: { items: "[]", count: 0, staleAt: null, total: { count: 0, exact: true } },
    });
  },
  "the text of one record": async (c) => {
    await c.owner.insert(settings, setting("only", { a: 1 }));
    expect((await c.owner.list(settings, { size: 9 })).items).toBe(`[${JSON.stringify(setting("only", { a: 1 }))}]`);
    expect((await c.stranger.list(settings, { size: 9 })).items).toBe("[]");
  },
  "a page goes stale when its first record does": async (c) => {
    await asOwnerAndStranger(c, {
      given: [
        thing(1, { expiresAt: at(50) }),
        thing(2, { expiresAt: at(300) }),
        thing(3, { expiresAt: at(200) }),
        thing(4),
      ],
      ask: async (as) => [
        (await as.list(things, { size: 3 })).staleAt,
        (await as.list(things, { size: 9 })).staleAt,
        (await as.list(things, { size: 1 })).staleAt,
      ],
      owner: [at(200), at(50), null],
      stranger: [null, null, null],
    });
  },
  "a replaced record changes when its page goes stale": async (c) => {
    const first = thing(1, { expiresAt: at(50) });
    await asOwnerAndStranger(c, {
      given: [first],
      change: (owner) => owner.replace(things, successor(first, { expiresAt: at(70) }), first),
      ask: async (as) => (await as.list(things, { size: 9 })).staleAt,
      owner: at(70),
      stranger: null,
      twin: at(50),
    });
  },
  "the total is of all pages": async (c) => {
    await asOwnerAndStranger(c, {
      given: varied,
      ask: async (as) => {
        const first = await as.list(things, { size: 5 });
        const last = await as.list(things, { size: 5, page: 2 });
        const after = await as.list(things, first.next ? { size: 5, after: first.next } : { size: 5 });
        return [first.total, last.total, last.count, after.total, after.count];
      },
      owner: [{ count: 12, exact: true }, { count: 12, exact: true }, 2, { count: 12, exact: true }, 5],
      stranger: [{ count: 0, exact: true }, { count: 0, exact: true }, 0, { count: 0, exact: true }, 0],
    });
  },
  "the total of a range counts what is in it": async (c) => {
    await asOwnerAndStranger(c, {
      given: varied,
      ask: async (as) => (await as.list(things, { range: { from: at(4), before: at(9) }, size: 2 })).total,
      owner: { count: 5, exact: true },
      stranger: { count: 0, exact: true },
    });
  },
};

/** Reads the same query by find and by list, by page and by cursor, and compares texts and positions. */
function sameAsFind(query: Omit<FindQuery, "size">): Case {
  return async (c) => {
    await c.owner.insertMany(things, varied);
    await c.stranger.insertMany(
      things,
      varied.map((one): Thing => ({ ...one, extra: "a stranger's" })),
    );
    for (const size of [1, 2, 5, 100]) {
      const found = await c.owner.find(things, { ...query, size });
      const listed = await c.owner.list(things, { ...query, size });
      expect(listed.items).toBe(`[${found.rows.map((row) => row.text).join(",")}]`);
      expect(JSON.parse(listed.items)).toEqual(found.rows.map((row) => row.value));
      expect(listed.count).toBe(found.rows.length);
      expect(listed.next).toEqual(found.next);
      expect(listed.items).not.toContain("a stranger's");
      const second = await c.owner.list(things, { ...query, size, page: 1 });
      const next = await c.owner.find(things, { ...query, size, page: 1 });
      expect(second.items).toBe(`[${next.rows.map((row) => row.text).join(",")}]`);
      expect(second.count).toBe(next.rows.length);
    }
  };
}
