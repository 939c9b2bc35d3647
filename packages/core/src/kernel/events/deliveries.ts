import { KeyedCoalescer } from "../async/keyed-coalescer.js";

/**
 * Runs of deliveries, one per tenant at a time, because two at once would deliver the same events twice. Closing waits
 * until those under way have ended.
 */
export class Deliveries<Run> {
  readonly #runs = new KeyedCoalescer<Run>();
  readonly #running = new Set<Promise<Run>>();
  #isClosed = false;

  /** `nothing` is what a run after the close comes to. */
  constructor(private readonly nothing: Run) {}

  /** Runs `work`, which asks before each delivery whether it may go on. */
  async run(tenantId: string, work: (isOpen: () => boolean) => Promise<Run>): Promise<Run> {
    const running = this.#runs.run(tenantId, async () => (this.#isClosed ? this.nothing : work(() => !this.#isClosed)));
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
  }
}
