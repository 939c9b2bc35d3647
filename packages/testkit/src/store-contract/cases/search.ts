import { SEARCH_COUNT_LIMIT } from "@reeve/core/store";
import { expect } from "vitest";
import { at, idOf, ids, manyThings, successor, thing } from "../builders.js";
import { type Thing, things } from "../collections.js";
import { asOwnerAndStranger, type Case, type CaseGroup, type Contract } from "../contract.js";

export const searchCases: CaseGroup = {
  "a word in the middle": finds("quick", { hit: "the quick brown fox", miss: "the slow brown fox" }),
  "a part of a word": finds("uic", { hit: "quick", miss: "quack" }),
  "letters are folded in the text": finds("quick", { hit: "QuIcK", miss: "Quack" }),
  "letters are folded in the term": finds("QUICK", { hit: "quick", miss: "quack" }),
  "letters beyond ASCII are folded": finds("ÄRGER", { hit: "Ärger im Büro", miss: "Arger" }),
  "Greek and Cyrillic are folded": finds("ПРИВЕТ", { hit: "привет мир", miss: "превед" }),
  "full-width letters are folded": finds("ABC", { hit: "ＡＢＣ", miss: "ＡＢＤ" }),
  "ligatures are folded": finds("office", { hit: "oﬃce", miss: "ofice" }),
  "composed finds decomposed": finds("café", { hit: "cafe\u0301", miss: "cafe" }),
  "decomposed finds composed": finds("cafe\u0301", { hit: "café", miss: "cafe" }),
  "one letter": finds("q", { hit: "a q b", miss: "a b" }),
  "two letters": finds("qu", { hit: "quick", miss: "q u" }),
  "one letter beyond ASCII": finds("語", { hit: "日本語", miss: "日本" }),
  "three letters beyond ASCII": finds("日本語", { hit: "これは日本語です", miss: "日本の言語" }),
  "an emoji": finds("😀", { hit: "so 😀!", miss: "so 😁!" }),
  "three emoji": finds("😀😁😂", { hit: "x😀😁😂y", miss: "😀😂😁" }),
  "right-to-left text": finds("שלום", { hit: "אמר שלום לכולם", miss: "שלם" }),
  "a per cent sign is itself": finds("100%", { hit: "at 100% load", miss: "at 1000 load" }),
  "a lone per cent sign is itself": finds("%", { hit: "5%", miss: "5" }),
  "an underscore is itself": finds("a_b", { hit: "xa_bx", miss: "a-b" }),
  "a lone underscore is itself": finds("_", { hit: "a_b", miss: "ab" }),
  "a backslash is itself": finds("c:\\dir", { hit: "c:\\dir\\file", miss: "c:dir" }),
  "a lone backslash is itself": finds("\\", { hit: "a\\b", miss: "a/b" }),
  "an escaped wildcard is itself": finds("\\%", { hit: "a\\%b", miss: "a%b" }),
  "a star is itself": finds("foo*", { hit: "foo*bar", miss: "foobar" }),
  "a question mark is itself": finds("what?", { hit: "so what?", miss: "so whats" }),
  "double quotes are themselves": finds('say "hi"', { hit: 'they say "hi" now', miss: "they say hi now" }),
  "single quotes are themselves": finds("it's", { hit: "it's here", miss: "its here" }),
  "an operator is a word": finds("cats AND dogs", { hit: "cats and dogs", miss: "cats or dogs" }),
  "a column filter is text": finds("name:abc", { hit: "a name:abc b", miss: "abc" }),
  "brackets are themselves": finds("f(x)[0]{}", { hit: "= f(x)[0]{}", miss: "= fx0" }),
  "a SQL fragment is text": finds("'; DROP TABLE", { hit: "x'; drop table y", miss: "drop table" }),
  "a NEAR is text": finds("NEAR(a b)", { hit: "near(a b)", miss: "a b" }),
  "a hyphen and a dot are themselves": finds("gpt-4.1", { hit: "gpt-4.1-mini", miss: "gpt 4 1" }),
  "spaces part words": finds("a  b", { hit: "b a", miss: "a c" }),
  "a line break parts words": finds("one\ntwo", { hit: "two, one", miss: "one" }),
  "K8 sharp s is a double s": finds("STRASSE", { hit: "Straße", miss: "Strase" }),
  "K8 a dotted capital is an i": finds("istanbul", { hit: "İstanbul", miss: "Stanbul" }),
  "K8 a final sigma is a sigma": finds("ΟΔΟΣ", { hit: "ΟΔΟΣΑ", miss: "ΟΔΟΝ" }),
  "a long term": finds("x".repeat(200), { hit: `a${"x".repeat(200)}b`, miss: "x".repeat(199) }),
  "K8 every word is looked for on its own": finds("brown quick", { hit: "quick and brown", miss: "quick and red" }),
  "a short word beside a long one": finds("quick ox", { hit: "the ox is quick", miss: "the fox-like is qick" }),
  "all fields the collection names are looked in": async (c) => {
    await asOwnerAndStranger(c, {
      given: [thing(1, { name: "needle" }), thing(2, { note: "needle" }), thing(3, { kind: "needle" })],
      ask: async (as) => ids(await as.find(things, { search: "needle", size: 9 })),
      owner: [idOf("thg", 2), idOf("thg", 1)],
      stranger: [],
    });
  },
  "hits come newest first and page by page": async (c) => {
    const given = manyThings(30, (n) => ({ createdAt: at(Math.floor(n / 10)), note: n % 2 === 0 ? "needle" : "" }));
    const hits = given
      .filter((one) => one.note !== "")
      .reverse()
      .map((one) => one.id);
    await asOwnerAndStranger(c, {
      given,
      ask: async (as) => {
        const pages: string[] = [];
        for (let page = 0; page < 5; page++)
          pages.push(...ids(await as.find(things, { search: "needle", size: 4, page })));
        const first = await as.find(things, { search: "needle", size: 6 });
        const rest = first.next ? ids(await as.find(things, { search: "needle", size: 99, after: first.next })) : [];
        return [pages, [...ids(first), ...rest], (await as.count(things, { search: "needle" })).count];
      },
      owner: [hits, hits, hits.length],
      stranger: [[], [], 0],
    });
  },
  "hits of a short term come newest first": async (c) => {
    const given = manyThings(12, (n) => ({ createdAt: at(100 - n), note: n % 3 === 0 ? "q" : "" }));
    await asOwnerAndStranger(c, {
      given,
      ask: async (as) => ids(await as.find(things, { search: "q", size: 3 })),
      owner: [3, 6, 9].map((n) => idOf("thg", n)),
      stranger: [],
    });
  },
  "a search within a filter": async (c) => {
    const given = manyThings(8, (n) => ({
      kind: n % 2 === 0 ? "tool" : "model",
      status: n > 4 ? "live" : "draft",
      note: n % 4 < 2 ? "needle q" : "hay",
    }));
    await asOwnerAndStranger(c, {
      given,
      ask: async (as) => [
        ids(await as.find(things, { search: "needle", where: { kind: "tool" }, size: 9 })),
        ids(await as.find(things, { search: "q", where: { kind: "model", status: "live" }, size: 9 })),
        (await as.list(things, { search: "needle", where: { kind: "tool" }, size: 1 })).total,
      ],
      owner: [[idOf("thg", 8), idOf("thg", 4)], [idOf("thg", 5)], { count: 2, exact: true }],
      stranger: [[], [], { count: 0, exact: true }],
    });
  },
  "a search within a range": async (c) => {
    await asOwnerAndStranger(c, {
      given: manyThings(6, () => ({ note: "needle" })),
      ask: async (as) =>
        ids(await as.find(things, { search: "needle", range: { from: at(2), before: at(4) }, size: 9 })),
      owner: [idOf("thg", 3), idOf("thg", 2)],
      stranger: [],
    });
  },
  "a search through a moment": async (c) => {
    await asOwnerAndStranger(c, {
      given: manyThings(6, () => ({ note: "needle" })),
      ask: async (as) =>
        ids(await as.find(things, { search: "needle", range: { from: at(2), through: at(3) }, size: 9 })),
      owner: [idOf("thg", 3), idOf("thg", 2)],
      stranger: [],
    });
  },
  "a replace is found by its new text only": async (c) => {
    const first = thing(1, { note: "before q" });
    await asOwnerAndStranger(c, {
      given: [first],
      change: (owner) => owner.replace(things, successor(first, { note: "after w" }), first),
      ask: async (as) => {
        const hits: string[][] = [];
        for (const search of ["before", "after", "q", "w"]) hits.push(ids(await as.find(things, { search, size: 9 })));
        return hits;
      },
      owner: [[], [first.id], [], [first.id]],
      stranger: [[], [], [], []],
      twin: [[first.id], [], [first.id], []],
    });
  },
  "a removed record is not found": async (c) => {
    await asOwnerAndStranger(c, {
      given: [thing(1, { note: "needle" }), thing(2, { note: "needle" })],
      change: (owner) => owner.remove(things, thing(2), at(9)),
      ask: async (as) => [
        ids(await as.find(things, { search: "needle", size: 9 })),
        (await as.count(things, { search: "needle" })).count,
      ],
      owner: [[idOf("thg", 1)], 1],
      stranger: [[], 0],
      twin: [[idOf("thg", 2), idOf("thg", 1)], 2],
    });
  },
  "a rollback leaves no trace in the search": async (c) => {
    const first = thing(1, { note: "before" });
    await asOwnerAndStranger(c, {
      given: [first],
      change: (owner) => {
        const work = c.store.transaction(owner.tenantId, async (tx) => {
          await tx.replace(things, successor(first, { note: "after" }), first);
          await tx.insert(things, thing(2, { note: "after" }));
          throw new Error("changed my mind");
        });
        return expect(work).rejects.toThrow("changed my mind");
      },
      ask: async (as) => [
        ids(await as.find(things, { search: "before", size: 9 })),
        ids(await as.find(things, { search: "after", size: 9 })),
      ],
      owner: [[first.id], []],
      stranger: [[], []],
    });
  },
  "a transaction finds what it wrote": async (c) => {
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, thing(1, { note: "needle" }));
      expect(ids(await tx.find(things, { search: "needle", size: 9 }))).toEqual([idOf("thg", 1)]);
      expect(ids(await tx.find(things, { search: "ne", size: 9 }))).toEqual([idOf("thg", 1)]);
    });
    expect(ids(await c.owner.find(things, { search: "needle", size: 9 }))).toEqual([idOf("thg", 1)]);
    expect(ids(await c.stranger.find(things, { search: "needle", size: 9 }))).toEqual([]);
  },
  "K2 a search within a filter finds what lies behind ten thousand newer matches outside of it": async (c) => {
    const rare = [1, 2, 3].map((n) => thing(n, { kind: "rare", note: "needle 東京" }));
    await c.owner.insertMany(things, rare);
    await insertNewer(c, () => ({ kind: "tool", note: "needle 東京" }));
    const hits = [idOf("thg", 3), idOf("thg", 2), idOf("thg", 1)];
    for (const search of ["needle", "ne", "東京"]) {
      const query = { search, where: { kind: "rare" } };
      expect(ids(await c.owner.find(things, { ...query, size: 9 })), search).toEqual(hits);
      const { count, total } = await c.owner.list(things, { ...query, size: 9 });
      expect([count, total], search).toEqual([3, { count: 3, exact: true }]);
    }
  },
  "K2 a cursor leads on to matches beyond ten thousand, and no exact total leaves them out": async (c) => {
    await insertNewer(c, () => ({ note: "needle" }));
    for (const search of ["needle", "ne"]) {
      const total = await c.owner.count(things, { search });
      expect(total.exact ? total.count === MANY : total.count > 0, search).toBe(true);
      const after = { by: at(100 + 553), id: idOf("thg", 1_000 + 552) };
      const rest = await c.owner.find(things, { search, size: 1_000, after });
      expect([rest.rows.length, ids(rest).at(-1), rest.next], search).toEqual([552, idOf("thg", 1_000), undefined]);
    }
  },
  "the same text of another tenant is never a hit": async (c) => {
    const flood = manyThings(SEARCH_COUNT_LIMIT, () => ({ note: "needle" }));
    await c.owner.insert(things, thing(1, { note: "needle", createdAt: at(-9) }));
    await c.stranger.insertMany(things, flood);
    expect(ids(await c.owner.find(things, { search: "needle", size: 9 }))).toEqual([idOf("thg", 1)]);
    expect(ids(await c.owner.find(things, { search: "ne", size: 9 }))).toEqual([idOf("thg", 1)]);
    expect(await c.owner.count(things, { search: "needle" })).toEqual({ count: 1, exact: true });
    expect(await c.stranger.count(things, { search: "needle" })).toEqual({ count: flood.length, exact: true });
    expect((await c.tenant().count(things, { search: "needle" })).count).toBe(0);
  },
};

/** More than the number of rows that a search examines at most. */
const MANY = 10_053;

/** Inserts records that are newer than all others. */
async function insertNewer({ owner }: Contract, patch: () => Partial<Thing>): Promise<void> {
  const flood = manyThings(MANY, (n) => ({ createdAt: at(100 + n), ...patch() })).map((one, n) => ({
    ...one,
    id: idOf("thg", 1_000 + n),
    name: `thing ${1_000 + n}`,
  }));
  for (let from = 0; from < MANY; from += 1_000) await owner.insertMany(things, flood.slice(from, from + 1_000));
}

/** One record must match, the other must not. */
function finds(term: string, { hit, miss }: { hit: string; miss: string }): Case {
  const given: readonly Thing[] = [thing(1, { name: "x", note: hit }), thing(2, { name: "x", note: miss })];
  return (c) =>
    asOwnerAndStranger(c, {
      given,
      ask: async (as) => ids(await as.find(things, { search: term, size: 9 })),
      owner: [idOf("thg", 1)],
      stranger: [],
    });
}
