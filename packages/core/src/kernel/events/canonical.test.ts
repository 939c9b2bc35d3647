import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "./canonical.js";

/** The example of RFC 8785, section 3.2.2, and its canonical form in section 3.2.4. */
const EXAMPLE = {
  numbers: [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
  string: "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
  literals: [null, true, false],
};
const CANONICAL =
  '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}';

describe("the canonical form", () => {
  it("of the example in RFC 8785", () => {
    expect(canonical(EXAMPLE)).toBe(CANONICAL);
  });

  it("has keys in the order of their code units, whatever order an object keeps", () => {
    const keys = ["\u20ac", "\r", "\ufb33", "1", "10", "2", "\ud83d\ude00", "\u0080", "\u00f6", "__proto__"];
    const text = `{${["\r", "1", "10", "2", "__proto__", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"]
      .map((key) => `${JSON.stringify(key)}:0`)
      .join(",")}}`;
    expect(canonical(Object.fromEntries(keys.map((key) => [key, 0])))).toBe(text);
  });

  it("leaves out properties without a value, and writes what says how it is written", () => {
    const date = new Date(0);
    expect(canonical({ b: undefined, a: [undefined, -0, date] })).toBe(`{"a":[null,0,"${date.toISOString()}"]}`);
  });

  it("is the same of a value whether its names stand in order or not", () => {
    class Point {
      constructor(
        readonly x: number,
        readonly y: number,
      ) {}
    }
    const values = [new Point(1, 2), new Map([[1, 2]]), Object(1), Object("text"), Object(false), Object.create(null)];
    for (const value of values) {
      const text = canonical({ a: 0, b: value });
      expect(canonical({ b: value, a: 0 })).toBe(text);
    }
  });

  it.each([
    ["nothing", undefined],
    ["no number", Number.NaN],
    ["no finite number", { a: [Number.POSITIVE_INFINITY] }],
    ["a function", { a: () => 1 }],
    ["a big integer", [1n]],
    ["half a surrogate pair", { a: "\ud800" }],
    ["a key with half a surrogate pair", { "\udc00": 1 }],
  ])("there is none of %s", (_what, value) => {
    expect(() => canonical(value)).toThrow(TypeError);
  });

  it("is what the reference implementation writes, for any JSON", () => {
    const json = fc.jsonValue({ stringUnit: "binary", depthSize: "medium" });
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalize(value) as string;
        expect(canonical(value)).toBe(text);
        // In order already.
        expect(canonical(JSON.parse(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });
});
