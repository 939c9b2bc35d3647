import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "./canonical.js";
import { schemaInOrder } from "./schema-order.js";

const same = (one: object, other: object) =>
  expect(canonical(schemaInOrder(one as never))).toBe(canonical(schemaInOrder(other as never)));
const differ = (one: object, other: object) =>
  expect(canonical(schemaInOrder(one as never))).not.toBe(canonical(schemaInOrder(other as never)));

describe("the order of a schema", () => {
  it("means nothing in lists of names, values, types and alternatives, at any depth", () => {
    const inner = (list: readonly string[], types: readonly string[]) => ({
      required: list,
      properties: { a: { enum: list, type: types }, required: { enum: [...list, 1, null] } },
      dependentRequired: { a: list },
      items: [{ anyOf: list.map((name) => ({ const: name })) }],
      $defs: { one: { oneOf: [{ allOf: [{ required: list }] }] } },
    });
    same(inner(["a", "b"], ["string", "null"]), inner(["b", "a"], ["null", "string"]));
  });

  it("means something in lists of positions, and in values that are data", () => {
    differ({ prefixItems: [{ type: "string" }, {}] }, { prefixItems: [{}, { type: "string" }] });
    differ({ items: [{ type: "string" }, {}] }, { items: [{}, { type: "string" }] });
    differ({ default: { required: ["a", "b"] } }, { default: { required: ["b", "a"] } });
    differ({ const: ["a", "b"] }, { const: ["b", "a"] });
    differ({ enum: [["a", "b"]] }, { enum: [["b", "a"]] });
    differ({ required: ["a"] }, { required: ["a", "b"] });
    differ({ properties: { required: { default: [1, 2] } } }, { properties: { required: { default: [2, 1] } } });
  });

  it("is found whatever the schema is, and once found stays", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const once = schemaInOrder(value);
        expect(canonical(schemaInOrder(once))).toBe(canonical(once));
        expect(Object.keys(once)).toEqual(Object.keys(value));
      }),
    );
  });
});
