import type { Collection } from "@reeve/core/reference";
import { type StoredRecord, StoreError } from "@reeve/core/store";
import { defineCollection } from "@reeve/core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { consoleViews, migrations, requireReading } from "../src/index.js";
import { specOf } from "../src/schema/table-spec.js";

const RecordSchema = z.object({ id: z.string(), version: z.int(), createdAt: z.string(), key: z.string() });
type Kept = StoredRecord & { readonly key: string };

const declare = (more: Partial<Collection<Kept>>) =>
  defineCollection<Kept>({
    name: "kept",
    prefix: "kpt",
    schema: RecordSchema,
    fields: { key: { type: "text" }, ownName: { type: "text", of: () => "x" } },
    ...more,
  }) as unknown as Collection;

const viewOf = (collection: Collection, declared = [collection]) => consoleViews([specOf(collection)], declared).at(-1);

describe("views of the console", () => {
  const own = ["tenant_id", "id", "version", "created_at"];
  const resource = { type: "kept", event: "kept", path: "/api/v1/kept" };

  it("show ids and times where nobody said what is secret", () => {
    expect(viewOf(declare({}))).toEqual({ name: "kept", columns: own, removes: true });
    expect(viewOf(declare({ secrets: [] }), [])).toEqual({ name: "kept", columns: own, removes: true });
  });

  it("show a record that is served, and whatever says that nothing is secret", () => {
    const whole = { name: "kept", columns: [...own, "key", "own_name"], removes: true, without: [] };
    expect(viewOf(declare({ resource }))).toEqual(whole);
    expect(viewOf(declare({ secrets: [] }))).toEqual(whole);
  });

  it("leave a secret out, of columns as well", () => {
    const left = { name: "kept", columns: [...own, "own_name"], removes: true, without: ["key"] };
    expect(viewOf(declare({ secrets: ["key"] }))).toEqual(left);
    expect(viewOf(declare({ resource, secrets: ["key"] }))).toEqual(left);
    const renamed = viewOf(declare({ secrets: ["ownName"] }));
    expect(renamed?.columns).toEqual([...own, "key"]);
  });

  it("are one for each table there is", () => {
    const names = consoleViews(migrations.flatMap(({ tables }) => tables)).map(({ name }) => name);
    expect(names).toContain("events");
    expect(names).toContain("credentials");
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("requireReading", () => {
  it.each([
    "select 1",
    "SELECT 1",
    " \n\t\f\r select 1",
    "select*from x",
    "select(1)",
    "values (1)",
    "with a as (select 1) select * from a",
    "-- a note\nselect 1",
    "-- a note\r\n/* and\n another */ -- and one\n select 1",
    "/**/select 1",
    "/* it's -- this */ select 1",
  ])("takes %j", (statement) => {
    expect(() => requireReading(statement)).not.toThrow();
  });

  it.each([
    "",
    " ",
    "-- select 1",
    "/* select 1 */",
    "/* select 1",
    "/* /* */ select */ commit",
    "commit",
    "selection",
    "select1",
    "select_x",
    "select$x",
    "(select 1)",
    ";select 1",
    "\u00a0select 1",
    "\ufeffselect 1",
    "\vselect 1",
    "pragma x",
    "explain select 1",
    "table users",
    "ſelect 1",
    "select '\u0000'",
  ])("refuses %j", (statement) => {
    expect(() => requireReading(statement)).toThrow(StoreError);
  });
});
