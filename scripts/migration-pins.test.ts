import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { migrations } from "../packages/store-sql/src/index.js";
import { declaredTables, frozenTables, isReleased } from "./lib/freeze-tables.js";
import { PINS, pinsOf } from "./lib/migration-checksums.js";
import { root } from "./lib/workspace.mjs";

it("K17 the statements of each migration are those that databases have run", () => {
  const pinned = JSON.parse(readFileSync(`${root}/${PINS}`, "utf8"));
  const advice = "a database that ran it refuses this code: append a migration, or see `migrations:pin` in AGENTS.md";
  expect(pinsOf(), advice).toEqual(pinned);
});

it.skipIf(isReleased())(
  "the tables of migration 1 are those that the collections declare, until the first release",
  () => {
    expect(frozenTables(), "run `npm run migrations:pin`, then `npm run fixtures:make`").toEqual(declaredTables());
  },
);

it.each([
  [["unreleased.sqlite.gz", "runtimes.config.ts"], false],
  [["unreleased.sqlite.gz", "0.2.0.sqlite.gz"], true],
])("a database of a release, and no other file, says that there was one: %j", (files, released) => {
  expect(isReleased(files)).toBe(released);
});

it("K17 a pin sees another index, column, kernel statement and order", () => {
  const [first] = migrations;
  if (!first) throw new Error("there is no migration");
  const [table, ...others] = first.tables;
  if (!table) throw new Error("the first migration makes no table");
  const changed = [
    { ...first, tables: [{ ...table, indexes: [...table.indexes, { where: ["x"], by: "id" }] }, ...others] },
    { ...first, tables: [{ ...table, columns: { ...table.columns, x: "text" as const } }, ...others] },
    { ...first, tables: [...others, table] },
    { ...first, kernel: () => [] },
  ];
  const [kept] = pinsOf([first]);
  for (const [pin] of changed.map((migration) => pinsOf([migration]))) {
    expect(pin?.sqlite).not.toBe(kept?.sqlite);
    expect(pin?.postgres).not.toBe(kept?.postgres);
  }
});
