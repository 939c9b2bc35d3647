import {
  COMBINATION_LIMIT,
  COUNT_LIMIT,
  type FindQuery,
  type Reader,
  SCAN_LIMIT,
  SEARCH_COUNT_LIMIT,
  type Writer,
} from "@reeve/core/store";
import fc from "fast-check";
import { expect } from "vitest";
import { at, ids, idsOf, ticket } from "../builders.js";
import { type Ticket, tickets } from "../collections.js";
import type { Case, CaseGroup, Contract } from "../contract.js";
import { expected } from "../model.js";
import { walkOf } from "../walk.js";

type Asked = Omit<FindQuery, "size">;

const team = fc.constantFrom(null, "red", "blue", "Ωmega");
const state = fc.constantFrom("new", "open", "done");
const grade = fc.constantFrom(null, "a", "b");
const open = fc.constantFrom(null, true, false);
const points = fc.option(fc.integer({ min: -2, max: 2 }));
const title = fc.constantFrom(null, "", "a", "A", "é", "\uFFFD", "😀");
const tag = fc.constantFrom("a", "A", "ab", "");
const tags = fc.uniqueArray(tag, { maxLength: 3 });
const text = fc.constantFrom("", "robot", "blue robot", "robots in a blue room", "ro bo", "ROBOT Straße");
const shape = fc.record({
  moment: fc.integer({ min: 0, max: 3 }),
  team,
  state,
  grade,
  open,
  points,
  title,
  tags,
  text,
});
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;
const shapes = fc.array(shape, { maxLength: 30 });

const several = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.uniqueArray(value, { minLength: 1, maxLength: 3 }));
const where = fc.record(
  {
    team: several(team),
    state: several(state),
    grade: several(grade),
    open: several(open),
    tags: several(fc.option(tag)),
  },
  { requiredKeys: [] },
);
const direction = fc.constantFrom("asc" as const, "desc" as const);
const order = fc
  .uniqueArray(fc.constantFrom("createdAt", "points", "title"), { minLength: 1, maxLength: 3 })
  .chain((names) => fc.tuple(...names.map((by) => direction.map((way) => ({ by, direction: way })))));
const search = fc.constantFrom("robot", "ro", "blue robot", "room robot blue", "strasse", "bo ro", "never");
const asked: fc.Arbitrary<Asked> = fc.record({ where, order, search }, { requiredKeys: [] });

const RUNS = { numRuns: 60 } as const;

export const publishedListCases: CaseGroup = {
  "a walk by cursor shows what the model shows, however little is looked at": async (c) => {
    await c.stranger.insertMany(tickets, twins());
    const property = fc.asyncProperty(
      shapes,
      asked,
      fc.constantFrom(1, 3, 25),
      bound(),
      async (made, query, size, most) => {
        const { owner, all } = await stocked(c, made);
        const seen = await walkOf(tickets, owner, { ...query, size, ...most });
        const wanted = idsOf(expected(tickets, all, query));
        // With more rows than the bound, only each run is in order.
        const isRuns = Array.isArray(query.order) && query.order.length > 1 && "bound" in most;
        expect(isRuns ? [...seen].sort() : seen).toEqual(isRuns ? [...wanted].sort() : wanted);
      },
    );
    await fc.assert(property, RUNS);
  },
  "a list is the text of its find, and its total is true": async (c) => {
    const property = fc.asyncProperty(shapes, asked, bound(), async (made, query, most) => {
      const { owner, all } = await stocked(c, made);
      const found = await owner.find(tickets, { ...query, size: 4, ...most });
      const listed = await owner.list(tickets, { ...query, size: 4, ...most });
      expect(listed.items).toBe(`[${found.rows.map((row) => row.text).join(",")}]`);
      expect(listed.next).toEqual(found.next);
      const { length } = expected(tickets, all, query);
      const counted = await owner.count(tickets, {
        ...(query.where ? { where: query.where } : {}),
        ...(query.search ? { search: query.search } : {}),
        ...most,
      });
      for (const total of [listed.total, counted]) {
        if (total.exact || !("bound" in most)) expect(total).toEqual({ count: length, exact: true });
        else expect(total.count).toBeLessThanOrEqual(length);
      }
    });
    await fc.assert(property, RUNS);
  },
  "a list and its total may be served by two indexes": async (c) => {
    const wanted = ticket(1, { team: "red", state: "new", points: 1 });
    await c.owner.insertMany(tickets, [wanted, ticket(2, { team: "red", state: "open" }), ticket(3, { state: "new" })]);
    const query: Asked = { where: { team: "red", state: "new" }, order: { by: "points", direction: "asc" } };
    const listed = await c.owner.list(tickets, { ...query, size: 4 });
    expect(listed).toMatchObject({ count: 1, total: { count: 1, exact: true } });
    expect(listed.items).toContain(wanted.id);
  },
  "pages cut the same row of rows as cursors": async (c) => {
    const property = fc.asyncProperty(shapes, asked, fc.constantFrom(1, 4), async (made, query, size) => {
      const { owner, all } = await stocked(c, made);
      const pages: string[] = [];
      for (let page = 0; page * size <= all.length; page++)
        pages.push(...ids(await owner.find(tickets, { ...query, size, page })));
      expect(pages).toEqual(idsOf(expected(tickets, all, query)));
    });
    await fc.assert(property, RUNS);
  },
  "several values of an index, newest first": shows({ where: { state: ["open", "done"] } }),
  "more values than are sought one by one": shows({
    where: { team: Array.from({ length: 12 }, (_none, n) => `team ${n}`) },
  }),
  "no value at all is a value": shows({ where: { team: [null, "team 1"] } }),
  "a filter that no index answers": shows({ where: { state: "open", grade: "a", open: true } }),
  "a filter by one of several texts of a record": shows({ where: { tags: ["x", "y"], open: true } }),
  "nothing is last in ascending order": shows({ order: { by: "points", direction: "asc" } }),
  "nothing is first in descending order": shows({ order: { by: "points", direction: "desc" } }),
  "an order within a filter": shows({
    where: { team: ["team 1", "team 2"] },
    order: { by: "title", direction: "asc" },
  }),
  "several orders": shows({ order: [{ by: "points" }, { by: "title", direction: "asc" }] }),
  "a search in another order": shows({ search: "blue robot", order: { by: "title", direction: "asc" } }),
  "rows beyond those that are looked at come on the next page": async (c) => {
    const rare = ticket(1, { grade: "rare", text: "needle robot" });
    await c.owner.insertMany(tickets, [rare]);
    await crowd(c.owner, SCAN_LIMIT + 50, (n) => ({ grade: "a", text: n % 2 ? "robot" : "ro" }));
    for (const query of [{ where: { grade: "rare" } }, { search: "ro ne" }] satisfies Asked[]) {
      const first = await c.owner.list(tickets, { ...query, size: 25 });
      expect(first).toMatchObject({ items: "[]", count: 0, total: { exact: false } });
      expect(first.next).toBeDefined();
      expect(await walkOf(tickets, c.owner, { ...query, size: 25 })).toEqual([rare.id]);
    }
  },
  "a rare word is found among many newer rows, within a filter too": async (c) => {
    const hits = [1, 2, 3].map((n) => ticket(n, { state: "open", text: `a needle ${n}` }));
    await c.owner.insertMany(tickets, hits);
    await crowd(c.owner, SCAN_LIMIT + 50, () => ({ state: "new", text: "hay" }));
    const owner = await c.owner.list(tickets, { search: "needle", where: { state: "open" }, size: 25 });
    expect(owner).toMatchObject({ count: 3, total: { count: 3, exact: true } });
    expect(owner.next).toBeUndefined();
  },
  "no filter hides behind newer hits of a common word": async (c) => {
    const hits = [1, 2, 3].map((n) => ticket(n, { state: "open", text: "needle" }));
    await c.owner.insertMany(tickets, hits);
    await crowd(c.owner, SCAN_LIMIT + 50, () => ({ state: "new", text: "needle" }));
    const query = { search: "needle", where: { state: "open" } };
    expect(ids(await c.owner.find(tickets, { ...query, size: 25 }))).toEqual(idsOf(hits).reverse());
    expect(await c.owner.count(tickets, query)).toEqual({ count: 3, exact: true });
    expect(await c.owner.count(tickets, { search: "needle" })).toEqual({ count: SEARCH_COUNT_LIMIT, exact: false });
  },
  "a count of rows that a filter leaves stops at its bounds": async (c) => {
    await crowd(c.owner, COUNT_LIMIT + 5, () => ({ state: "open", grade: "a" }));
    const query = { where: { grade: "a" } };
    expect(await c.owner.count(tickets, query)).toEqual({ count: COUNT_LIMIT, exact: false });
    expect(await c.owner.count(tickets, { ...query, bound: 10 })).toEqual({ count: 10, exact: false });
    const several = { where: { state: ["open", "new"] } };
    expect(await c.owner.count(tickets, several)).toEqual({ count: COUNT_LIMIT + 5, exact: true });
    expect((await c.stranger.list(tickets, { ...query, size: 1 })).total).toEqual({ count: 0, exact: true });
  },
  "two fields that are counted together have a whole total, however many": async (c) => {
    await crowd(c.owner, COUNT_LIMIT + 5, (n) => ({ state: n % 5 ? "open" : "new", grade: n < 4 ? null : "a" }));
    const total = (where: Record<string, string | null | (string | null)[]>, as: Reader = c.owner) =>
      as.count(tickets, { where });
    const open = { state: "open", grade: "a" };
    expect(await total(open)).toEqual({ count: 801, exact: true });
    expect(await total({ grade: ["b", "a"], state: ["new", "open", "done"] })).toEqual({
      count: COUNT_LIMIT + 1,
      exact: true,
    });
    expect(await total({ state: "open", grade: null })).toEqual({ count: 3, exact: true });
    expect(await total({ ...open, state: ["open", "open:a"] })).toEqual({ count: 801, exact: true });
    expect(await total(open, c.stranger)).toEqual({ count: 0, exact: true });
    const [row] = (await c.owner.find(tickets, { where: open, size: 1 })).rows;
    if (!row) throw new Error("there is none");
    await c.owner.replace(tickets, { ...row.value, grade: "b", version: 2 }, row.value);
    expect(await total(open)).toEqual({ count: 800, exact: true });
    expect((await c.owner.list(tickets, { where: { state: "open", grade: "b" }, size: 5 })).total).toEqual({
      count: 1,
      exact: true,
    });
  },
  "fields that are counted in all combinations have a whole total by any of them, however many": async (c) => {
    const made = (n: number) => ({ state: n % 5 ? "open" : "new", team: n < 4 ? null : "red", open: n % 2 === 0 });
    await crowd(c.owner, COUNT_LIMIT + 5, made);
    const total = (where: FindQuery["where"], as: Reader = c.owner) => as.count(tickets, { where });
    const all = Array.from({ length: COUNT_LIMIT + 5 }, (_, n) => made(n));
    const count = (is: (one: ReturnType<typeof made>) => boolean) => ({ count: all.filter(is).length, exact: true });
    const red = count(({ state, team }) => state === "open" && team === "red");
    expect(await total({ state: "open", team: "red" })).toEqual(red);
    expect((await c.owner.list(tickets, { where: { state: "open", team: "red" }, size: 5 })).total).toEqual(red);
    expect(await total({ open: true })).toEqual(count(({ open }) => open));
    expect(await total({ state: ["new", "done"], open: [true, false], team: ["blue", "red"] })).toEqual(
      count(({ state, team }) => state === "new" && team === "red"),
    );
    // No value of a field is found in another one, nor a part of one.
    for (const where of [
      { team: "open", open: true },
      { team: "re", open: true },
      { team: "1=open", open: true },
      { team: "null", open: true },
    ])
      expect(await total(where)).toEqual({ count: 0, exact: true });
    expect(await total({ team: null, open: true })).toEqual({ count: 2, exact: true });
    expect(await total({ open: true }, c.stranger)).toEqual({ count: 0, exact: true });
    const [row] = (await c.owner.find(tickets, { where: { state: "new", team: "red" }, size: 1 })).rows;
    if (!row) throw new Error("there is none");
    await c.owner.replace(tickets, { ...row.value, state: "open", version: 2 }, row.value);
    expect(await total({ state: "open", team: "red" })).toEqual({ ...red, count: red.count + 1 });
  },
  "beyond as many combinations as are summed a total is a lower bound": async (c) => {
    await crowd(c.owner, COMBINATION_LIMIT + 1, (n) => ({ team: `t${n}`, state: "open", open: true }));
    const { count, exact } = await c.owner.count(tickets, { where: { state: "open", open: true } });
    expect(exact).toBe(false);
    expect(count).toBeLessThanOrEqual(COMBINATION_LIMIT + 1);
    expect(count).toBeGreaterThan(0);
    const listed = await c.owner.list(tickets, { where: { open: true, team: "t7" }, size: 5 });
    expect([listed.count, listed.total.exact]).toEqual([1, false]);
  },
  "a total looks at no more rows than it may count": async (c) => {
    await c.owner.insert(tickets, ticket(1, { grade: "rare" }));
    await crowd(c.owner, COUNT_LIMIT, () => ({ grade: "a" }));
    const listed = await c.owner.list(tickets, { where: { grade: "rare" }, size: 25 });
    expect(listed).toMatchObject({ count: 1, total: { count: 1, exact: false } });
    expect(await c.owner.count(tickets, { where: { grade: "rare" } })).toMatchObject({ exact: false });
  },
  "another tenant's rows are never looked at, found or counted": async (c) => {
    await crowd(c.stranger, 60, () => ({ state: "open", grade: "a", team: "red", points: 1, text: "needle" }));
    const mine = ticket(1, { state: "open", grade: "a", team: "red", points: 1, text: "needle", createdAt: at(-1) });
    await c.owner.insert(tickets, mine);
    const queries: Asked[] = [
      { where: { state: ["open", "new"], grade: "a" } },
      { search: "needle" },
      { search: "ne" },
      { where: { team: "red" }, order: [{ by: "points" }, { by: "title" }] },
    ];
    for (const query of queries) {
      const listed = await c.owner.list(tickets, { ...query, size: 25, bound: 5 });
      expect(listed).toMatchObject({ count: 1, total: { count: 1, exact: true } });
      expect(listed.next).toBeUndefined();
    }
  },
  "an unpublished filter or order is refused": async (c) => {
    const refused: Asked[] = [
      { where: { title: "x" } },
      { where: { team: [] } },
      { order: { by: "team" } },
      { order: { by: "tags" } },
      { order: [{ by: "points" }, { by: "tags" }] },
      { where: { tags: 1 } },
      { where: { tags: [] } },
      { order: [{ by: "points" }, { by: "team" }] },
      { order: [{ by: "points" }, { by: "points" }] },
      { order: [] },
      { search: "robot", order: { by: "state" } },
      { bound: 0 },
    ];
    for (const query of refused) await expect(c.owner.find(tickets, { ...query, size: 1 })).rejects.toThrow(TypeError);
  },
};

/** The bound of examined rows: the default, or very few. */
function bound() {
  return fc.constantFrom({}, { bound: 2 }, { bound: 7 });
}

/** Queries a fixed set of tickets with all kinds of ties and gaps, page by page and at once. */
function shows(query: Asked): Case {
  const all = Array.from({ length: 40 }, (_none, n) =>
    ticket(n + 1, {
      createdAt: at(Math.floor(n / 3)),
      team: n % 5 === 0 ? null : `team ${n % 5}`,
      state: ["new", "open", "done"][n % 3] as string,
      grade: ["a", "b", null][n % 3 === 1 ? 0 : n % 2] as string | null,
      open: n % 2 === 1,
      points: n % 4 === 0 ? null : n % 4,
      tags: [["x"], ["y", "z"], [], ["xy"]][n % 4] as string[],
      title: n % 7 === 0 ? null : (["b", "B", "ä"][n % 3] as string),
      text: ["robot blue", "a red robot", "blue"][n % 3] as string,
    }),
  );
  return async (c) => {
    await c.owner.insertMany(tickets, all);
    await c.stranger.insertMany(tickets, twins());
    const wanted = idsOf(expected(tickets, all, query));
    expect(wanted.length).toBeGreaterThan(2);
    for (const size of [1, 3, 99]) expect(await walkOf(tickets, c.owner, { ...query, size })).toEqual(wanted);
  };
}

/** Tickets of another tenant with the same ids, which match every filter. */
function twins(): Ticket[] {
  return Array.from({ length: 30 }, (_none, n) => ticket(n + 1, { state: "open", team: "red", text: "blue robot" }));
}

async function crowd(owner: Writer, count: number, patch: (n: number) => Partial<Ticket>): Promise<void> {
  const all = Array.from({ length: count }, (_none, n) => ticket(n + 100, patch(n)));
  for (let start = 0; start < count; start += 1_000) await owner.insertMany(tickets, all.slice(start, start + 1_000));
}

async function stocked(c: Contract, made: readonly Shape[]): Promise<{ owner: Reader; all: Ticket[] }> {
  const owner = c.tenant();
  const all = made.map(({ moment, ...patch }, n) => ticket(n + 1, { ...patch, createdAt: at(moment) }));
  await owner.insertMany(tickets, all);
  return { owner, all };
}
