import { PLATFORM_TENANT, STATE_LIFETIME } from "#families/platform/index.js";
import { boundedCache } from "#kernel/async/bounded-cache.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { attempts } from "../schema.js";
import { AttemptCounters, type Budget } from "./counters.js";

/** The most attempts counted in one transaction. Each has a few budgets. */
const BATCH = 100;
const SPENT = 50_000;

interface Job {
  /** Changes the counters. Returns the milliseconds to wait. */
  readonly work: (counters: AttemptCounters) => number;
  readonly keys: readonly string[];
  readonly resolve: (wait: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Budgets counted in the store, so that all processes share them. Attempts that arrive during a transaction are counted
 * in order in the next one. A flood of attempts costs a few transactions and one connection.
 */
class Budgets {
  #waiting: Job[] = [];
  #counting = false;
  /** Spent budgets, and until when, so that a flood of attempts against one does not reach the store. */
  readonly #spent = boundedCache<string, { readonly endsAt: number; readonly seenAt: number }>(SPENT);

  /** Marks that were not set, and when that was seen. */
  readonly #unproven = boundedCache<string, number>(SPENT);

  constructor(readonly env: Environment) {}

  /**
   * Takes one from each budget, or from none when one is spent. With the mark `proven`, the budgets of `shared` are counted
   * and not asked. Returns the milliseconds to wait, 0 when it was counted.
   */
  async spend(own: readonly Budget[], shared: readonly Budget[] = [], proven?: Budget): Promise<number> {
    const now = this.env.clock.now();
    const budgets = [...own, ...shared];
    const asked = proven && !this.#isUnproven(proven.key, now) ? own : budgets;
    const known = Math.max(0, ...asked.map(({ key }) => this.#knownWait(key, now)));
    if (known > 0) return known;
    return this.#enter(proven ? [...budgets, proven] : budgets, (counters) => {
      const isProven = proven !== undefined && counters.has(proven, now);
      if (proven && !isProven) this.#unproven.set(proven.key, now);
      const spent = (isProven ? own : budgets)
        .map((budget) => ({ ...budget, wait: counters.wait(budget, now) }))
        .filter(({ wait }) => wait > 0);
      for (const { key, wait } of spent) this.#spent.set(key, { endsAt: now + wait, seenAt: now });
      if (spent.length === 0) for (const budget of budgets) counters.add(budget, now);
      return Math.max(0, ...spent.map(({ wait }) => wait));
    });
  }

  /** Returns one to each budget of `back`, resets each of `whole`, and sets the mark `proven`. */
  async giveBack(back: readonly Budget[], whole: readonly Budget[] = [], proven?: Budget): Promise<void> {
    const now = this.env.clock.now();
    await this.#enter([...back, ...whole, ...(proven ? [proven] : [])], (counters) => {
      for (const budget of back) counters.subtract(budget, now);
      for (const budget of whole) counters.clear(budget);
      if (proven) counters.mark(proven, now);
      return 0;
    });
    if (proven) this.#unproven.delete(proven.key);
    for (const { key } of [...back, ...whole]) this.#spent.delete(key);
  }

  #isUnproven(key: string, now: number): boolean {
    const seenAt = this.#unproven.get(key);
    return seenAt !== undefined && now - seenAt < STATE_LIFETIME;
  }

  #knownWait(key: string, now: number): number {
    const known = this.#spent.get(key);
    return known && now - known.seenAt < STATE_LIFETIME ? known.endsAt - now : 0;
  }

  #enter(budgets: readonly Budget[], work: Job["work"]): Promise<number> {
    return new Promise<number>((resolve, reject) => {
      this.#waiting.push({ work, keys: budgets.map(({ key }) => key), resolve, reject });
      if (!this.#counting) void this.#countQueued();
    });
  }

  async #countQueued(): Promise<void> {
    this.#counting = true;
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting.splice(0, BATCH);
      try {
        const waits = await systemContext(this.env, PLATFORM_TENANT, "budgets").write((ctx) => countedBy(ctx, jobs));
        for (const [index, job] of jobs.entries()) job.resolve(waits[index] as number);
      } catch (error) {
        for (const job of jobs) job.reject(error);
      }
    }
    this.#counting = false;
  }
}

async function countedBy(ctx: Context, jobs: readonly Job[]): Promise<number[]> {
  const keys = [...new Set(jobs.flatMap((job) => job.keys))];
  const counters = new AttemptCounters((await ctx.db.getMany(attempts, keys)).map((row) => row.value));
  const waits = jobs.map((job) => job.work(counters));
  await counters.store(ctx);
  return waits;
}

export const budgets = defineService("identity.budgets", (env) => new Budgets(env));
