import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCollection } from "../kernel/collection.js";
import { planCount, planFind } from "./query.js";

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

  it("folds the term of a search", () => {
    expect(planFind(jobs, { search: "ＡBc", size: 1 }).search).toBe("abc");
  });

  it("refuses to order by a boolean even where an index says so", () => {
    expect(() => planFind(jobs, { order: { by: "done" }, size: 1 })).toThrow("boolean");
  });

  it("counts rows where a range or a search narrows what the counters hold", () => {
    const range = { from: "2026-01-01T00:00:00.000Z" };
    expect(planFind(jobs, { where: { kind: "a" }, range, size: 1 }).total).toEqual({ from: "rows" });
    expect(planFind(jobs, { where: { kind: "a" }, search: "x", size: 1 }).total).toEqual({ from: "rows" });
  });
});

describe("planCount", () => {
  it("reads one counted value from its counter", () => {
    expect(planCount(jobs, { where: { kind: "a" } }).total).toEqual({ from: "counter", field: "kind", value: "a" });
  });

  it("counts rows for null, which no counter holds, and for two fields", () => {
    expect(planCount(jobs, { where: { kind: null } }).total).toEqual({ from: "rows" });
    expect(planCount(jobs, { where: { kind: "a", done: true } }).total).toEqual({ from: "rows" });
  });
});
