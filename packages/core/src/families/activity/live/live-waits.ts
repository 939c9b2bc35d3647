import { chunksOf } from "#kernel/async/in-chunks.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { headOf } from "../chain/verify/compare.js";

/** How often the store is asked for events of other processes while somebody waits, in milliseconds. */
const PAUSE = 1_000;
/** The most requests of one tenant, and of all tenants together, that wait in one process. */
const MOST_OF_TENANT = 200;
const MOST = 2_000;
/** The most tenants whose newest events are read at once. */
const AT_ONCE = 8;

interface Wait {
  /** The sequence after which an event is waited for. */
  readonly after: number;
  readonly end: () => void;
}

/** Requests that wait for the next event of their tenant. */
class LiveWaits {
  readonly #waits = new Map<string, Set<Wait>>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(private readonly env: Environment) {
    env.onCommit(({ tenantId }) => this.#endAll(tenantId));
  }

  /**
   * Resolves once the tenant may have an event after a sequence, after `ms` at the latest. Where too many wait already,
   * and while closing, it resolves at once, to `false`.
   */
  async wait(tenantId: string, after: number, ms: number): Promise<boolean> {
    const waits = this.#waits.get(tenantId) ?? new Set<Wait>();
    if (this.#closed || this.#count >= MOST || waits.size >= MOST_OF_TENANT) return false;
    this.#waits.set(tenantId, waits);
    this.#lookLater();
    let wait: Wait | undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((end) => {
        wait = { after, end };
        waits.add(wait);
        this.#count += 1;
        timer = setTimeout(end, ms);
        // An event that came before this wait began ends it too.
        this.#look(tenantId, waits).catch(end);
      });
      return true;
    } finally {
      clearTimeout(timer);
      if (wait) waits.delete(wait);
      this.#count -= 1;
      if (waits.size === 0) this.#waits.delete(tenantId);
    }
  }

  /** Ends all waits, so that their requests are answered. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const tenantId of this.#waits.keys()) this.#endAll(tenantId);
  }

  #endAll(tenantId: string): void {
    for (const { end } of this.#waits.get(tenantId) ?? []) end();
  }

  async #look(tenantId: string, waits: ReadonlySet<Wait>): Promise<void> {
    const newest = await headOf(this.env.store.forTenant(tenantId));
    for (const { after, end } of waits) if (newest > after) end();
  }

  /** Ends waits for events that other processes have stored. */
  async #lookEverywhere(): Promise<void> {
    try {
      for (const some of chunksOf([...this.#waits], AT_ONCE))
        await Promise.all(some.map(([tenantId, waits]) => this.#look(tenantId, waits)));
    } catch (error) {
      this.env.logger.warn({ error: String(error) }, "events cannot be read for requests that wait for them");
    }
    this.#timer = undefined;
    if (this.#count > 0 && !this.#closed) this.#lookLater();
  }

  #lookLater(): void {
    this.#timer ??= setTimeout(() => void this.#lookEverywhere(), PAUSE).unref();
  }
}

export const liveWaits = defineService("activity.liveWaits", (env) => new LiveWaits(env));
