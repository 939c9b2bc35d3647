import { expect, it } from "vitest";
import { z } from "zod";
import type { StoredRecord } from "../packages/core/src/store/index.js";
import { defineCollection } from "../packages/core/src/testing/index.js";
import { tableDialect as postgres } from "../packages/store-postgres/src/statement/dialect.js";
import {
  addFields,
  backfillsOf,
  checksumOf,
  collectionMigration,
  schemaDrift,
  settleKeys,
  settleShape,
  tablesOf,
} from "../packages/store-sql/src/index.js";
import { tableDialect as sqlite } from "../packages/store-sqlite/src/dialect.js";

const base = {
  name: "letters",
  prefix: null,
  schema: z.object({ id: z.string(), version: z.number(), createdAt: z.string() }),
} as const;
const keep = (stored: object) => stored;
const first = defineCollection<StoredRecord>({ ...base });
const second = defineCollection<StoredRecord>({
  ...base,
  fields: { region: { type: "text" }, dueAt: { type: "time" } },
  indexes: [{ where: ["region"] }, { where: [], by: "dueAt" }],
  shapeVersion: 3,
  upcasts: { 1: keep, 2: keep },
});
const made = collectionMigration(1, "letters", [first]);
const regions = addFields(2, "regions", second, { shape: 2, fields: ["region"] });
const dues = addFields(3, "dues", second, { shape: 3, fields: ["dueAt"] });
const settled = settleShape(4, "settled", second, 3);

it("K17 drift names what no migration adds, and nothing when all of it is added", () => {
  expect(schemaDrift([second], [made, regions, dues, settled])).toEqual([]);
  expect(schemaDrift([second], [made, regions])).toEqual([
    "letters: no migration makes column due_at time",
    "letters: no migration makes index ix_letters_by_due_at (tenant_id, due_at, id)",
    "letters: no migration makes trait shape 3",
    "letters: trait shape 2 is not declared",
  ]);
});

it("K17 a table gets its marks once, and each shape its index", () => {
  expect(regions.reshapes?.[0]).toMatchObject({ marks: true, columns: { region: "text" }, shape: 2 });
  expect(dues.reshapes?.[0]).toMatchObject({ marks: false, columns: { due_at: "time" }, shape: 3 });
  expect(tablesOf([made, regions])[0]?.columns).toEqual({ region: "text", shape: "integer", shape_of: "integer" });
  expect([regions, dues, settled].map(({ phase }) => phase)).toEqual(["expand", "expand", undefined]);
});

it("K17 a checksum sees columns, indexes and the shape, and no upcast", () => {
  for (const dialect of [sqlite, postgres]) {
    const sum = checksumOf(regions, dialect);
    const other = { ...second, upcasts: { 1: () => ({}), 2: keep } };
    expect(checksumOf(addFields(2, "regions", other, { shape: 2, fields: ["region"] }), dialect)).toBe(sum);
    for (const changed of [
      addFields(2, "regions", second, { shape: 2, fields: ["region", "dueAt"] }),
      addFields(2, "regions", second, { shape: 2, fields: ["region"], indexes: [] }),
      addFields(2, "regions", second, { shape: 3, fields: ["region"] }),
    ])
      expect(checksumOf(changed, dialect)).not.toBe(sum);
  }
});

it("K17 a unique key comes with its fields, and is settled before its shape", () => {
  const keyed = defineCollection<StoredRecord>({
    ...base,
    fields: { code: { type: "text" } },
    unique: { code: ["code"] },
    shapeVersion: 2,
    upcasts: { 1: keep },
    addedFields: ["code"],
  });
  const codes = addFields(2, "codes", keyed, { shape: 2, fields: ["code"] });
  expect(codes.reshapes?.[0]).toMatchObject({ unique: { code: ["code"] } });
  expect(schemaDrift([keyed], [made, codes])).toEqual([]);
  const [last, check] = [settleShape(4, "settled", keyed, 2), settleKeys(3, "codes settled", keyed, 2)];
  expect([check, last].map(({ phase }) => phase)).toEqual(["expand", undefined]);
  expect(backfillsOf([made, codes, check, last]).map(({ target }) => target.keys)).toEqual(Array(3).fill([["code"]]));
  expect(() => tablesOf([made, codes, last])).toThrow(
    "migration 4 settles letters, and none before it settles its keys",
  );
  for (const dialect of [sqlite, postgres])
    expect(checksumOf(codes, dialect)).not.toBe(
      checksumOf(addFields(2, "codes", { ...keyed, unique: {} }, { shape: 2, fields: ["code"] }), dialect),
    );
});

it("K17 a migration of fields that are not declared, or of a shape that is not, is refused", () => {
  const add = (added: Parameters<typeof addFields>[3]) => () => addFields(2, "regions", second, added);
  expect(add({ shape: 2, fields: ["size"] })).toThrow(
    'migration 2, collection letters: "size" is not a declared field',
  );
  expect(add({ shape: 4, fields: [] })).toThrow("migration 2, collection letters: shape 4 is none of 2 to 3");
  expect(add({ shape: 1, fields: [] })).toThrow("shape 1 is none of 2 to 3");
  expect(() => tablesOf([regions])).toThrow("no migration before makes the table letters");
});
