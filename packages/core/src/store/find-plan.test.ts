import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCollection } from "../kernel/records/collection.js";
import { fieldValue } from "./collection.js";
import { planCount, planFind } from "./find-plan.js";
import type { Filters } from "./find-query.js";

const jobs = defineCollection({
  name: "jobs",
  prefix: "job",
  schema: z.object({
    id: z.string(),
    version: z.number(),
    createdAt: z.string(),
    kind: z.string().nullable(),
    done: z.boolean(),
  }),
  fields: { kind: { type: "text" }, done: { type: "boolean" } },
  indexes: [{ where: ["kind"] }, { where: ["done", "kind"] }, { where: [], by: "done" }],
  counted: ["kind"],
  retain: true,
  search: (job) => job.kind ?? "",
});

describe("planFind", () => {
  it("fills in newest first, and the total of all records from its counter", () => {
    expect(planFind(jobs, { size: 25 })).toMatchObject({
      where: [],
      by: "createdAt",
      direction: "desc",
      range: {},
      total: { from: "total" },
    });
  });

  it("refuses a range with two upper bounds", () => {
    const range = { before: "2026-11-21T10:00:00.000Z", through: "2026-11-21T10:00:00.000Z" };
    expect(() => planFind(jobs, { range, size: 1 })).toThrow("before and through exclude each other");
  });

  it("names the conditions in the order of the index", () => {
    const { where } = planFind(jobs, { where: { kind: "a", done: true }, size: 1 });
    expect(where).toEqual([
      ["done", true],
      ["kind", "a"],
    ]);
  });

  it("folds the words of a search", () => {
    expect(planFind(jobs, { search: " ＡBc  straße abc", size: 1 }).words).toEqual(["abc", "strasse"]);
  });

  it("refuses to order by a boolean even where an index says so", () => {
    expect(() => planFind(jobs, { order: { by: "done" }, size: 1 })).toThrow("boolean");
  });

  it("counts rows where a range or a search narrows what the counters hold", () => {
    const range = { from: "2026-01-01T00:00:00.000Z" };
    expect(planFind(jobs, { where: { kind: "a" }, range, size: 1 }).total).toMatchObject({ from: "rows" });
    expect(planFind(jobs, { where: { kind: "a" }, search: "x", size: 1 }).total).toMatchObject({ from: "rows" });
  });
});

const listed = defineCollection({
  ...{ name: "listed", prefix: "lst", schema: jobs.schema, retain: true, counted: ["kind", "ownerAndDone"] },
  search: (job: { kind: string | null }) => job.kind ?? "",
  fields: {
    kind: { type: "text" },
    done: { type: "boolean" },
    owner: { type: "text" },
    rank: { type: "integer" },
    ownerAndDone: { type: "text", combines: ["owner", "done"] },
    tags: { type: "texts" },
  },
  indexes: [{ where: ["kind"] }, { where: ["owner"] }, { where: [], by: "rank" }],
  filters: { kind: {}, owner: {}, done: {}, tag: { field: "tags" } },
  orders: { rank: "rank" },
});

describe("a plan of published filters and orders", () => {
  it("seeks by the index that answers most, with fewest seeks, the first declared of equal ones", () => {
    const by = (where: Record<string, string | string[]>) => planFind(listed, { where, size: 1 }).index.where;
    expect(by({ owner: "o", kind: "k" })).toEqual(["kind"]);
    expect(by({ owner: "o", kind: ["k", "l"] })).toEqual(["owner"]);
    expect(by({ kind: ["k", "l"] })).toEqual(["kind"]);
    expect(by({ kind: Array.from({ length: 9 }, (_none, n) => `${n}`) })).toEqual([]);
  });

  it("leaves to the rows what the index does not answer", () => {
    const plan = planFind(listed, { where: { done: true, kind: ["k", "l"] }, size: 1 });
    expect(plan.anyOf).toEqual(["kind", ["k", "l"]]);
    expect(plan.residual).toEqual([["done", [true]]]);
  });

  it("gathers what a filter finds where the order is of another index, and what long words find", () => {
    const order = { by: "rank" };
    expect(planFind(listed, { where: { owner: "o" }, order, size: 1 }).gather).toMatchObject({ from: "index" });
    expect(planFind(listed, { where: { done: true }, order, size: 1 }).gather).toBeUndefined();
    expect(planFind(listed, { search: "ab abc", size: 1 }).gather).toEqual({ from: "search" });
    expect(planFind(listed, { search: "ab", size: 1 }).gather).toBeUndefined();
  });

  it("adds the counters of several values up", () => {
    const total = { from: "counters", field: "kind", values: ["k", "l"] };
    expect(planFind(listed, { where: { kind: ["k", "l", "k"] }, size: 1 }).total).toEqual(total);
  });

  it("takes the total of two filters from the counters of both together, and of no more and no fewer", () => {
    const total = (where: Filters) => planFind(listed, { where, size: 1 }).total;
    const values = ["o:true", "p:true"];
    expect(total({ done: true, owner: ["o", "p"] })).toEqual({ from: "counters", field: "ownerAndDone", values });
    const others: readonly Filters[] = [
      { owner: "o" },
      { owner: "o", kind: "k" },
      { owner: "o", done: true, kind: "k" },
      { owner: null, done: true },
    ];
    for (const where of others) expect(total(where)).toMatchObject({ from: "rows" });
  });

  it("leaves several texts of a record to the rows, and has them in no order, index or counter", () => {
    const { where, residual } = planFind(listed, { where: { tags: "a\nb", kind: "k" }, size: 1 });
    expect(where).toEqual([["kind", "k"]]);
    expect(residual).toEqual([["tags", ['\n"a\\nb"\n'], "texts"]]);
    expect(() => planFind(listed, { order: { by: "tags" }, size: 1 })).toThrow('cannot be ordered by the texts "tags"');
    const { name, prefix, schema, fields } = listed;
    for (const spec of [{ indexes: [{ where: ["tags"] }] }, { counted: ["tags"] }, { unique: { tags: ["tags"] } }])
      expect(() => defineCollection({ name, prefix, schema, fields, ...spec })).toThrow('the texts "tags"');
  });

  it("refuses an order that no index has from end to end", () => {
    const { name, prefix, schema } = jobs;
    const spec = { name, prefix, schema, fields: { kind: { type: "text" } }, orders: { kind: "kind" } } as const;
    expect(() => defineCollection(spec)).toThrow('no index has all records in the order by "kind"');
  });
});

describe("planCount", () => {
  it("a partial index serves a range of its time, and nothing else", () => {
    const timed = defineCollection({
      ...{ name: "timed", prefix: null, schema: jobs.schema, fields: { dueAt: { type: "time" } } },
      indexes: [{ where: [], by: "dueAt", partial: true }],
    } as never);
    const order = { by: "dueAt", direction: "asc" } as const;
    const through = "2026-01-01T00:00:00.000Z";
    expect(planFind(timed, { order, range: { through }, size: 1 }).index).toMatchObject({ by: "dueAt", partial: true });
    for (const range of [{}, { from: undefined }])
      expect(() => planFind(timed, { order, range: range as never, size: 1 })).toThrow(
        "no index for an order by dueAt",
      );
    const [indexes, orders] = [[{ where: [], by: "dueAt", partial: true }], { dueAt: "dueAt" }];
    expect(() => defineCollection({ ...timed, indexes, orders } as never)).toThrow(
      'an order by "dueAt" needs the records without it too',
    );
  });

  it("reads one counted value from its counter", () => {
    expect(planCount(jobs, { where: { kind: "a" } }).total).toEqual({ from: "counters", field: "kind", values: ["a"] });
  });

  it("sums counters of combinations for any of their fields, and for no field beyond them", () => {
    const traits = { type: "text", combines: ["owner", "done"], partly: true } as const;
    const mixed = defineCollection({ ...listed, counted: ["kind", "traits"], fields: { ...listed.fields, traits } });
    const marks = [['\n"1=true"\n'], ['\n"0=a"\n', '\n"0=b"\n']];
    const of = (where: object) => planCount(mixed, { where: where as never }).total;
    expect(of({ done: true, owner: ["a", "b"] })).toEqual({ from: "combinations", field: "traits", marks });
    expect(of({ done: true })).toMatchObject({ from: "combinations" });
    expect(of({ kind: "a" })).toMatchObject({ from: "counters", field: "kind" });
    for (const where of [
      { done: true, kind: "a" },
      { done: null, owner: "a" },
    ])
      expect(of(where), JSON.stringify(where)).toMatchObject({ from: "rows" });
    expect(fieldValue(mixed, { id: "1", version: 1, createdAt: "", owner: "a\n", done: null } as never, "traits")).toBe(
      '\n"0=a\\n"\n"1"\n',
    );
  });

  it("counts rows for null, which no counter holds, and for two fields", () => {
    expect(planCount(jobs, { where: { kind: null } }).total).toMatchObject({ from: "rows" });
    expect(planCount(jobs, { where: { kind: "a", done: true } }).total).toMatchObject({ from: "rows" });
  });
});
