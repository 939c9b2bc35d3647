import type { Context } from "#kernel/operation/context.js";
import type { Draft } from "#kernel/records/stamps.js";
import { timestamp } from "#ports/clock.js";
import { type Attempts, attempts } from "../schema.js";

/** A limit of attempts per window of milliseconds. The key is a keyed hash. */
export interface Budget {
  readonly key: string;
  readonly limit: number;
  readonly window: number;
}

interface Count {
  readonly endsAt: number;
  readonly used: number;
}

/** The counters of one transaction: read once, changed in memory, written once. */
export class AttemptCounters {
  readonly #stored: ReadonlyMap<string, Attempts>;
  readonly #counts = new Map<string, Count | undefined>();

  constructor(rows: readonly Attempts[]) {
    this.#stored = new Map(rows.map((row) => [row.id, row]));
    for (const { id, endsAt, used } of rows) this.#counts.set(id, { endsAt: Date.parse(endsAt), used });
  }

  /** Milliseconds until an attempt is left, 0 when one is. */
  wait({ key, limit }: Budget, now: number): number {
    const count = this.#current(key, now);
    return count && count.used >= limit ? count.endsAt - now : 0;
  }

  add({ key, window }: Budget, now: number): void {
    const count = this.#current(key, now) ?? { endsAt: now + window, used: 0 };
    this.#counts.set(key, { ...count, used: count.used + 1 });
  }

  subtract({ key }: Budget, now: number): void {
    const count = this.#current(key, now);
    if (count && count.used > 0) this.#counts.set(key, { ...count, used: count.used - 1 });
  }

  /** Whether a mark is set. */
  has({ key }: Budget, now: number): boolean {
    return this.#current(key, now) !== undefined;
  }

  /** Sets a mark for its window. One that lasts half of it yet is left as it is. */
  mark({ key, window }: Budget, now: number): void {
    const known = this.#current(key, now);
    if (!known || known.endsAt - now < window / 2) this.#counts.set(key, { endsAt: now + window, used: 1 });
  }

  clear({ key }: Budget): void {
    this.#counts.set(key, undefined);
  }

  async store(ctx: Context): Promise<void> {
    const fresh: Draft<Attempts>[] = [];
    for (const [id, count] of this.#counts) {
      const previous = this.#stored.get(id);
      if (!count) {
        if (previous) await ctx.remove(attempts, previous);
        continue;
      }
      const next = { endsAt: timestamp(count.endsAt), used: count.used };
      if (!previous) fresh.push({ id, ...next });
      else if (previous.endsAt !== next.endsAt || previous.used !== next.used)
        await ctx.update(attempts, previous, next);
    }
    await ctx.insertMany(attempts, fresh);
  }

  #current(key: string, now: number): Count | undefined {
    const count = this.#counts.get(key);
    return count && now < count.endsAt ? count : undefined;
  }
}
