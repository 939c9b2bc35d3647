import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { like } from "./functions.js";

/** The same match by a regular expression, which is correct but may be very slow. */
function naive(text: string, pattern: string): boolean {
  const pieces = pattern.split("*").map((piece) => piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${pieces.join("[^]*")}$`).test(text);
}

describe("like", () => {
  it("fits what a regular expression would", () => {
    const letters = fc.array(fc.constantFrom("a", "b", "."), { maxLength: 12 }).map((all) => all.join(""));
    const pattern = fc.array(fc.constantFrom("a", "b", ".", "*"), { maxLength: 8 }).map((all) => all.join(""));
    fc.assert(
      fc.property(letters, pattern, (text, wanted) => {
        expect(like(text, wanted)).toBe(naive(text, wanted));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["abc", "abc", true],
    ["abc", "", false],
    ["", "*", true],
    ["aba", "ab*ba", false],
    ["abba", "ab*ba", true],
    ["a.c", "a?c", false],
  ])("%j fits %j: %s", (text, pattern, expected) => {
    expect(like(text, pattern)).toBe(expected);
  });
});
