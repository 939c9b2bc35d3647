import { describe, expect, it } from "vitest";
import { isAnomalous } from "./rules.js";

describe("the circuit breaker", () => {
  it.each([
    [false, { found: 79, missing: 10, known: 40 }],
    [true, { found: 79, missing: 11, known: 40 }],
    [false, { found: 800, missing: 200, known: 1_000 }],
    [true, { found: 799, missing: 201, known: 1_000 }],
    [true, { found: 0, missing: 1, known: 1 }],
    [false, { found: 0, missing: 0, known: 0 }],
    [true, { found: 87, missing: 3, known: 90, recent: 19 }],
    [false, { found: 87, missing: 3, known: 90, recent: 18 }],
    [true, { found: 100, missing: 26, known: 100, part: 0.25 }],
    [false, { found: 100, missing: 25, known: 100, part: 0.25 }],
  ])("is %s for %j", (anomalous, counts) => expect(isAnomalous(counts)).toBe(anomalous));
});
