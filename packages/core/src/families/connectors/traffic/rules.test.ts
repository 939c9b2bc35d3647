import { describe, expect, it } from "vitest";
import { noCalls, percentile, sumOf, tallyWith, worstOf } from "./rules.js";

const calls = (...given: readonly (readonly [ms: number, failed?: "auth" | "transient"])[]) =>
  given.reduce((tally, [ms, failed]) => tallyWith(tally, ms, failed), noCalls());

describe("calls of an instance", () => {
  it("that are none say nothing", () => {
    expect(worstOf(noCalls())).toBe("none");
    expect(percentile(noCalls(), 0.5)).toBeNull();
  });

  it.each([
    ["healthy", calls([5], [7])],
    ["degraded", calls([5], [7, "transient"])],
    ["down", calls([5, "transient"])],
    ["misconfigured", calls([5], [5, "auth"])],
  ])("read %s", (worst, tally) => expect(worstOf(tally)).toBe(worst));

  it("keep classes of latency, beyond the last without a number", () => {
    const tally = calls([9], [10], [11], [60_000]);
    expect(tally.latency.reduce((sum, count) => sum + count, 0)).toBe(4);
    expect([0.25, 0.5, 0.75, 1].map((part) => percentile(tally, part))).toEqual([10, 10, 25, null]);
  });

  it("add up over hours", () => {
    const sum = sumOf([calls([5], [5, "auth"]), calls([5, "auth"], [5, "transient"])]);
    expect([sum.ok, sum.failed]).toEqual([1, { auth: 2, transient: 1 }]);
  });
});
