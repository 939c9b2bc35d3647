import type { Environment } from "../kernel/config/environment.js";

/** What a tick did: how much, and for how many tenants it failed. `"failed"` when it could not run at all. */
export type TickOutcome = { readonly done: number; readonly failed: number } | "failed";

/** How long `stop` waits for a running tick, in milliseconds. */
const LONGEST_WAIT = 10_000;

/** Ticks `tickSeconds` after the tick before has ended, so that two never overlap. */
export class Ticker {
  #stopping: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly env: Pick<Environment, "logger">,
    private readonly seconds: number,
    private readonly tick: (signal: AbortSignal) => Promise<Exclude<TickOutcome, string>>,
  ) {}

  /** Does nothing when it has started already. */
  start(onTick?: (outcome: TickOutcome) => void): void {
    if (this.#stopping) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    const schedule = () => {
      this.#timer = setTimeout(() => {
        this.#running = run().then(() => (stopping.signal.aborted ? undefined : schedule()));
      }, this.seconds * 1_000).unref();
    };
    const run = async () => {
      const outcome = await this.#outcome(stopping.signal);
      try {
        if (outcome !== undefined) onTick?.(outcome);
      } catch (error) {
        this.env.logger.error({ error: String(error) }, "what the host does after a tick failed");
      }
    };
    schedule();
  }

  /** Begins no more tick, and waits for the running one, up to ten seconds. */
  async stop(): Promise<void> {
    this.#stopping?.abort();
    this.#stopping = undefined;
    clearTimeout(this.#timer);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LONGEST_WAIT);
    });
    await Promise.race([this.#running, late]);
    clearTimeout(timer);
  }

  /** What a tick gave; `undefined` when it failed because of the stop. */
  async #outcome(signal: AbortSignal): Promise<TickOutcome | undefined> {
    try {
      return await this.tick(signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      this.env.logger.error({ error: String(error) }, "tick failed");
      return "failed";
    }
  }
}
