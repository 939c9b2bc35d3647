import { afterEach, describe, expect, it, vi } from "vitest";
import { startTicks, type TickOutcome } from "../src/service/ticks.js";

const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn(), debug: vi.fn() };

/** Ticks every second of a clock that the test moves. */
function ticking(tick: () => Promise<{ done: number; failed: number }>, ticked?: (outcome: TickOutcome) => void) {
  vi.useFakeTimers();
  return startTicks(tick, 1, log, ticked);
}

afterEach(() => vi.useRealTimers());

describe("the jobs of the server", () => {
  it("run also where nobody counts them", async () => {
    const tick = vi.fn(async () => ({ done: 1, failed: 0 }));
    const stop = ticking(tick);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(tick).toHaveBeenCalledTimes(3);
    stop();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(tick).toHaveBeenCalledTimes(3);
  });

  it("wait for the round before them, and go on after one that failed", async () => {
    let end = (): void => undefined;
    const outcomes: TickOutcome[] = [];
    let rounds = 0;
    const stop = ticking(
      () => {
        rounds += 1;
        if (rounds === 1) return Promise.reject(new Error("no store"));
        return new Promise((resolve) => {
          end = () => resolve({ done: rounds, failed: 0 });
        });
      },
      (outcome) => outcomes.push(outcome),
    );
    await vi.advanceTimersByTimeAsync(10_000);
    expect([rounds, outcomes]).toEqual([2, ["failed"]]);
    end();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([rounds, outcomes]).toEqual([3, ["failed", { done: 2, failed: 0 }]]);
    stop();
  });
});
