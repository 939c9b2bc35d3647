import { expect, it } from "vitest";
import { z } from "zod";
import { defineCollection } from "../kernel/records/collection.js";
import { advanced } from "../kernel/records/stamps.js";
import { usesAddedFields } from "./added-fields.js";
import type { StoredRecord } from "./collection.js";
import { markedShape, upcast } from "./shape.js";

const base = {
  name: "letters",
  prefix: null,
  schema: z.object({ id: z.string(), version: z.number(), createdAt: z.string() }),
  fields: { region: { type: "text" }, city: { type: "text" } },
  indexes: [{ where: ["region"] }],
} as const;

const define = (more: object) => defineCollection<StoredRecord>({ ...base, ...more } as never);
const add = (more: object) => (stored: object) => ({ ...stored, ...more });
const letter = { id: "a", version: 3, createdAt: "2026-01-01T00:00:00.000Z" };
const letters = define({ shapeVersion: 3, upcasts: { 1: add({ two: 2 }), 2: add({ three: 3 }) } });

it("K17 a record is brought to the present shape step by step, and one of a newer shape stays as it is", () => {
  expect(upcast(letters, letter, 1)).toEqual({ ...letter, two: 2, three: 3 });
  expect(upcast(letters, letter, 2)).toEqual({ ...letter, three: 3 });
  expect(upcast(letters, letter, 1, 2)).toEqual({ ...letter, two: 2 });
  expect(upcast(letters, letter, 3)).toBe(letter);
  expect(upcast(letters, letter, 4)).toBe(letter);
});

it("K17 a row whose marks are of another version was written by code that knows no shapes", () => {
  expect(markedShape(3, null, null)).toBe(1);
  expect(markedShape(3, 2, 2)).toBe(1);
  expect(markedShape(3, 2, 3)).toBe(2);
});

it.each([
  [
    "fails",
    () => {
      throw new Error("a secret");
    },
  ],
  ["changes the id", add({ id: "b" })],
  ["changes the version", add({ version: 9 })],
  ["gives nothing", () => undefined],
])("K17 an upcast that %s is refused, and names the record alone", (_name, broken) => {
  const collection = define({ shapeVersion: 2, upcasts: { 1: broken } });
  expect(() => upcast(collection, letter, 1)).toThrow(expect.objectContaining({ code: "schema" }));
  expect(() => upcast(collection, letter, 1)).toThrow(/^letters: the record a cannot be read: its upcast from shape 1/);
});

it("K17 a shape whose upcast is gone is refused", () => {
  const collection = define({ shapeVersion: 3, upcasts: { 2: add({}) } });
  expect(() => upcast(collection, letter, 1)).toThrow("letters: the record a cannot be read: no upcast from shape 1");
});

const added = (field: string) => ({ shapeVersion: 2, upcasts: { 1: add({}) }, addedFields: [field] });
const together = { fields: { ...base.fields, place: { type: "text", combines: ["region", "city"] } } };

it("K17 an added field may be counted, and an added one that serves no list may be unique", () => {
  expect(define({ ...added("region"), counted: ["region"] }).counted).toEqual(["region"]);
  expect(define({ ...added("city"), unique: { city: ["city"] } }).unique).toEqual({ city: ["city"] });
});

it.each([
  [{ shapeVersion: 0 }, "a shape version is a number from 1"],
  [{ shapeVersion: 1.5 }, "a shape version is a number from 1"],
  [{ shapeVersion: 2 }, "no upcast from shape 1"],
  [{ shapeVersion: 4, upcasts: { 1: add({}), 3: add({}) } }, "no upcast from shape 2"],
  [{ shapeVersion: 2, upcasts: { 1: add({}), 2: add({}) } }, "an upcast leads past shape 2"],
  [{ upcasts: { 1: add({}) } }, "an upcast leads past shape 1"],
  [{ addedFields: ["region"] }, "added fields need a shape version above 1"],
  [{ shapeVersion: 2, upcasts: { 1: add({}) }, addedFields: ["no"] }, 'the added "no" is not a declared field'],
  [
    { shapeVersion: 2, upcasts: { 1: add({}) }, addedFields: ["region"], unique: { region: ["region"] } },
    'the added "region" of the key "region" cannot serve lists or counts too',
  ],
  [{ ...added("city"), counted: ["city"] }, 'the added "city" is counted, and has no index'],
  [
    { ...added("region"), ...together, counted: ["place"] },
    'the counted "place" combines the added "region", so it is added itself',
  ],
  [
    { ...added("city"), unique: { place: ["city", "region"] } },
    'the added key "place" needs a field of its own in place of "region", which older code writes',
  ],
  [
    { ...added("city"), unique: { city: ["city"] }, scope: "platform" },
    'the added key "city" cannot hold across tenants',
  ],
])("K17 a collection with %o is refused", (more, why) => {
  expect(() => define(more)).toThrow(`collection letters: ${why}`);
});

it("K17 a query uses an added field by its filter, its orders or its search", () => {
  const collection = define({ shapeVersion: 2, upcasts: { 1: add({}) }, addedFields: ["region"] });
  expect(usesAddedFields(collection, { where: { region: ["eu"] } })).toBe(true);
  expect(usesAddedFields(collection, { order: { by: "region" } })).toBe(true);
  expect(usesAddedFields(collection, { order: [{ by: "city" }, { by: "region" }] })).toBe(true);
  expect(usesAddedFields(collection, { search: "word" })).toBe(true);
  expect(usesAddedFields(collection, { where: { city: "x" }, order: { by: "city" } })).toBe(false);
  expect(usesAddedFields(letters, { where: { region: "eu" } })).toBe(false);
});

it("K17 a change of a record keeps properties that this code does not know", () => {
  expect(advanced({ ...letter, later: { known: "by newer code" } }, {}, undefined)).toEqual({
    ...letter,
    version: 4,
    later: { known: "by newer code" },
  });
});
