import { columnValues } from "@reeve/core/store";
import { type Table, tableOf, type Write } from "@reeve/store-sql";
import { event, setting, settings, successor, thing, things } from "@reeve/testkit";
import { expect, it } from "vitest";
import { batches } from "../src/write/batch.js";

const table = tableOf(things) as unknown as Table;
const insert = (n: number, patch = {}, tenantId = "t"): Write => ({
  kind: "insert",
  tenantId,
  table,
  records: [thing(n, patch)],
  values: [columnValues(things, thing(n, patch))],
});
const replace = (n: number, before = {}, after = {}): Write => {
  const previous = thing(n, before);
  const next = successor(previous, after);
  return { kind: "replace", tenantId: "t", table, previous, next, values: columnValues(things, next) };
};
const remove = (n: number): Write => ({ kind: "remove", tenantId: "t", table, previous: thing(n), at: "now" });
const append: Write = { kind: "append", tenantId: "t", events: [event(1)] };
const sizes = (...writes: Write[]) => batches(writes).map((batch) => batch.length);

it("puts what does not touch into one statement", () => {
  const other: Write = {
    kind: "insert",
    tenantId: "t",
    table: tableOf(settings) as unknown as Table,
    records: [setting("a", 1)],
    values: [columnValues(settings, setting("a", 1))],
  };
  expect(sizes(insert(1), append, other, insert(2), append, replace(3), remove(4))).toEqual([7]);
  expect(sizes()).toEqual([]);
});

it("writes a record once in a statement", () => {
  expect(sizes(insert(1), replace(1), remove(1))).toEqual([1, 1, 1]);
});

it("does not free a key and take it in one statement", () => {
  expect(sizes(remove(1), insert(2, { slug: "s" }))).toEqual([1, 1]);
  expect(sizes(replace(1, { slug: "s" }, { slug: null }), replace(2, {}, { slug: "s" }))).toEqual([1, 1]);
  expect(sizes(remove(1), remove(2), replace(3))).toEqual([3]);
});

it("is of one tenant", () => {
  expect(sizes(insert(1), insert(1, {}, "u"), insert(2, {}, "u"), insert(2))).toEqual([1, 2, 1]);
});
