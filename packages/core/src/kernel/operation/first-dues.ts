import type { StoredRecord } from "#store/collection.js";
import type { Where } from "#store/find-query.js";
import { defineService, type Environment } from "../config/environment.js";
import type { Collection } from "../records/collection.js";
import { type DueField, dueTimes, firstTime, type MadeDue } from "./dues.js";

/** Which records are due: those with `by` before a moment, or up to and including it (`through`). */
export type Due = { readonly where?: Where; readonly by: string } & (
  | { readonly before: string }
  | { readonly through: string }
);

/** What is known of a tenant. */
interface Known {
  /** The first time in each field by which jobs are due; `null` where no record has one. */
  readonly firsts: Map<string, string | null>;
  /** When anything is due first, by fields and otherwise; `undefined` when that is not known. */
  next: string | undefined;
}

const unknown = (): Known => ({ firsts: new Map(), next: undefined });

const keyOf = ({ name }: { readonly name: string }, { by, where = {} }: Pick<Due, "by" | "where">) =>
  `${name} ${by} ${JSON.stringify(where)}`;

/**
 * What is due first in the tenants whose jobs run, found by reads that are asked for together. A job without work then
 * makes no read of its own. What this process stores meanwhile is noted. What another process stores makes the tenant due
 * again.
 */
class FirstDues {
  readonly #known = new Map<string, Known>();

  /** Looks at a tenant. When that fails, nothing is known, and jobs look for themselves. */
  async look(env: Environment, tenantId: string, now: string): Promise<void> {
    const looking = unknown();
    this.#known.set(tenantId, looking);
    const found = await look(env, tenantId, now).catch(unknown);
    // Something may have become due while it looked.
    if (this.#known.get(tenantId) === looking) this.#known.set(tenantId, found);
  }

  /** Call when a write makes something due in a tenant. */
  note(tenantId: string, { at, fields = [] }: MadeDue): void {
    const known = this.#known.get(tenantId);
    if (known === undefined) return;
    // A look that is under way may miss it.
    if (known.next === undefined) this.#known.set(tenantId, unknown());
    if (known.next !== undefined && at !== undefined && at < known.next) known.next = at;
    for (const { field, first } of fields) {
      const key = keyOf(field.collection, field);
      const held = known.firsts.get(key);
      if (held !== undefined && (held === null || first < held)) known.firsts.set(key, first);
    }
  }

  /** Call when the jobs of a tenant have run. */
  forget(tenantId: string): void {
    this.#known.delete(tenantId);
  }

  /** When the tenant has something due next, if nothing was due when it was looked at, nor became so since. */
  nextAfter(tenantId: string, now: string): string | undefined {
    const next = this.#known.get(tenantId)?.next;
    return next !== undefined && next > now ? next : undefined;
  }

  /** Whether nothing is due, as far as is known. */
  isQuiet(tenantId: string, collection: { readonly name: string }, due: Due): boolean {
    const first = this.#known.get(tenantId)?.firsts.get(keyOf(collection, due));
    if (first === undefined) return false;
    return first === null || ("before" in due ? first >= due.before : first > due.through);
  }
}

export const firstDues = defineService("kernel.firstDues", () => new FirstDues());

/** Whether a job has nothing to do with these records of a tenant, as far as is known without a read. */
export function isQuiet<R extends StoredRecord>(
  env: Environment,
  tenantId: string,
  collection: Collection<R>,
  due: Due,
): boolean {
  return env.use(firstDues).isQuiet(tenantId, collection, due);
}

async function look(env: Environment, tenantId: string, now: string): Promise<Known> {
  const firsts = new Map<string, string | null>();
  const hear = (field: DueField, first: string | undefined) =>
    void firsts.set(keyOf(field.collection, field), first ?? null);
  const times = await dueTimes(env, env.store.forTenant(tenantId), now, hear);
  return { firsts, next: firstTime(times) };
}
