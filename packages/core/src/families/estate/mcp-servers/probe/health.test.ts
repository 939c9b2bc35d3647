import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hoursMs, minutesMs } from "#ports/durations.js";
import { type Health, healthAfter, pauseAfter } from "./health.js";

const fresh: Health = { connection: "unknown", consecutiveFailures: 0 };
const after = (health: Health, ...failures: Parameters<typeof healthAfter>[1][]) =>
  failures.reduce((current, failure) => healthAfter(current, failure, 3), health);

describe("the health of a server", () => {
  it("is lost at the threshold and regained at once", () => {
    expect(after(fresh, "timeout").connection).toBe("degraded");
    expect(after(fresh, "timeout", "unreachable").connection).toBe("degraded");
    expect(after(fresh, "timeout", "unreachable", "protocol_error")).toEqual({
      connection: "unreachable",
      consecutiveFailures: 3,
    });
    expect(after(fresh, "timeout", "timeout", "timeout", undefined)).toEqual({
      connection: "reachable",
      consecutiveFailures: 0,
    });
  });

  it("tells a server that wants credentials from one that is gone", () => {
    expect(after(fresh, "auth_required", "auth_required", "auth_required", "auth_required").connection).toBe(
      "auth_required",
    );
    expect(after(fresh, "auth_required", "auth_required", "auth_required", "timeout").connection).toBe("degraded");
    expect(after(fresh, "target_not_allowed").connection).toBe("misconfigured");
    expect(after(fresh, "misconfigured").connection).toBe("misconfigured");
  });
});

describe("the pause between probes", () => {
  it("grows with failures, is spread, and stays in its bounds", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 2_592_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (intervalSec, failures, chance) => {
          const pause = pauseAfter(intervalSec, failures, chance);
          expect(pause).toBeGreaterThanOrEqual(intervalSec * 900);
          expect(pause).toBeLessThanOrEqual(Math.max(intervalSec * 1_000, hoursMs(1)));
          expect(pauseAfter(intervalSec, failures + 1, chance)).toBeGreaterThanOrEqual(pause);
        },
      ),
    );
    expect(pauseAfter(60, 0, 1)).toBe(minutesMs(1));
    expect(pauseAfter(60, 2, 1)).toBe(240_000);
    expect(pauseAfter(60, 2, 0)).toBe(216_000);
  });
});
