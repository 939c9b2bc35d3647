import { afterEach, describe, expect, it, vi } from "vitest";
import { Ticker, type TickOutcome } from "#control-plane/ticker.js";

const logger = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };
const nothing = { done: 0, failed: 0 };

/** A ticker that ticks every second of a clock that the test moves. */
function tickerOf(tick: (signal: AbortSignal) => Promise<typeof nothing>): Ticker {
  vi.useFakeTimers();
  return new Ticker({ logger }, 1, tick);
}

afterEach(() => vi.useRealTimers());

describe("ticks", () => {
  it("run once per period however often they are started, until they are stopped, and can start again", async () => {
    const tick = vi.fn(async () => nothing);
    const ticker = tickerOf(tick);
    ticker.start();
    ticker.start();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(tick).toHaveBeenCalledTimes(3);
    await ticker.stop();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(tick).toHaveBeenCalledTimes(3);
    ticker.start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(tick).toHaveBeenCalledTimes(4);
    await ticker.stop();
  });

  it("wait for the tick before them, and go on after one that failed", async () => {
    let end = (): void => undefined;
    const outcomes: TickOutcome[] = [];
    let rounds = 0;
    const ticker = tickerOf(() => {
      rounds += 1;
      if (rounds === 1) return Promise.reject(new Error("no store"));
      return new Promise((resolve) => {
        end = () => resolve({ done: rounds, failed: 0 });
      });
    });
    ticker.start((outcome) => outcomes.push(outcome));
    await vi.advanceTimersByTimeAsync(10_000);
    expect([rounds, outcomes]).toEqual([2, ["failed"]]);
    end();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([rounds, outcomes]).toEqual([3, ["failed", { done: 2, failed: 0 }]]);
    end();
    await ticker.stop();
  });

  it("go on when what the host does with the outcome fails", async () => {
    const tick = vi.fn(async () => nothing);
    const ticker = tickerOf(tick);
    ticker.start(() => {
      throw new Error("no counter");
    });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(tick).toHaveBeenCalledTimes(2);
    await ticker.stop();
  });

  it("are waited for when they are stopped, but not for ever", async () => {
    let end = (): void => undefined;
    let signal: AbortSignal | undefined;
    const ticker = tickerOf((given) => {
      signal = given;
      return new Promise((resolve) => {
        end = () => resolve(nothing);
      });
    });
    const stopped = vi.fn();
    ticker.start();
    await vi.advanceTimersByTimeAsync(1_000);
    const first = ticker.stop().then(stopped);
    await vi.advanceTimersByTimeAsync(9_000);
    expect([signal?.aborted, stopped.mock.calls.length]).toEqual([true, 0]);
    end();
    await first;
    ticker.start();
    await vi.advanceTimersByTimeAsync(1_000);
    const second = ticker.stop().then(stopped);
    await vi.advanceTimersByTimeAsync(10_000);
    await second;
    expect(stopped).toHaveBeenCalledTimes(2);
  });
});
