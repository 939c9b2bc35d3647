import { describe, expect, it } from "vitest";
import { percentile, waitedMinutes } from "./figure-rules.js";

describe("a percentile", () => {
  it.each([
    [50, [7], 7],
    [50, [1, 2, 3, 4], 2],
    [90, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 9],
    [95, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 10],
    [50, [], 0],
  ])("%i of %j is %i", (percent, values, expected) => expect(percentile(values, percent)).toBe(expected));
});

describe("time of waiting", () => {
  const AT = "2026-01-01T00:00:00.000Z";
  it.each([
    ["2026-01-01T00:00:00.000Z", 0],
    ["2026-01-01T00:00:00.001Z", 1],
    ["2026-01-01T01:00:00.000Z", 60],
    ["2025-12-31T00:00:00.000Z", undefined],
    [null, undefined],
  ])("until %s is %s minutes", (to, expected) => expect(waitedMinutes(AT, to)).toBe(expected));
});
