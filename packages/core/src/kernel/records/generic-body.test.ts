import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergePatch, splitBody } from "./generic-body.js";

describe("mergePatch", () => {
  // The examples of RFC 7396, appendix A.
  it.each<[unknown, unknown, unknown]>([
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [
      ["a", "b"],
      ["c", "d"],
      ["c", "d"],
    ],
    [{ a: "b" }, ["c"], ["c"]],
    [{ a: "foo" }, null, null],
    [{ a: "foo" }, "bar", "bar"],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])("of %j with %j is %j", (target, patch, result) => {
    const before = JSON.stringify(target);
    expect(mergePatch(target, patch)).toEqual(result);
    expect(JSON.stringify(target)).toBe(before);
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
        const once = mergePatch(target, patch);
        expect(mergePatch(once, patch)).toEqual(once);
      }),
    );
  });
});

describe("splitBody", () => {
  it("sorts properties by who owns them; top level wins over configuration", () => {
    const body = {
      name: "n",
      colour: "red",
      size: 1,
      id: "x",
      configuration: { colour: "blue", weight: 2, free: true },
    };
    expect(splitBody(body, ["colour", "weight"], ["id"], { id: "x" })).toEqual({
      fields: { colour: "red", weight: 2 },
      configuration: { free: true },
      attributes: { size: 1 },
    });
    expect(splitBody({}, [], [])).toEqual({ fields: {}, configuration: undefined, attributes: undefined });
  });

  it("refuses read-only names that were changed, and attributes that are no object", () => {
    expect(() => splitBody({ id: "y" }, [], ["id"], { id: "x" })).toThrow(
      expect.objectContaining({ code: "read_only_property" }),
    );
    expect(() => splitBody({ attributes: [] }, [], [])).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});
