import { timestamp } from "#ports/clock.js";
import { fieldValue, type StoredRecord } from "#store/collection.js";
import type { Where } from "#store/find-query.js";
import type { Reader } from "#store/store.js";
import { boundedGate } from "../async/bounded-gate.js";
import { defineService, type Environment } from "../config/environment.js";
import { storeOf } from "../config/store-access.js";
import type { Collection } from "../records/collection.js";

// biome-ignore lint/suspicious/noExplicitAny: collections of different records stand in one list
type AnyCollection = Collection<any>;

/** Jobs that are due by a field of their records. */
export interface DueField {
  readonly collection: AnyCollection;
  /** The time field. An index of `where` must be ordered by it. */
  readonly by: string;
  readonly where?: Where;
  /** Milliseconds after that time; `undefined` while no job looks at these records. */
  readonly after?: (env: Environment) => number | undefined;
}

/** Jobs whose time is found otherwise. */
export interface DueState {
  /** Each write of these makes the tenant due at once. */
  readonly watches?: readonly AnyCollection[];
  /** Whether each event of a tenant makes it due at once. `undefined` asks of any tenant. */
  readonly watchesEvents?: (env: Environment, tenantId: string | undefined) => boolean;
  /** Milliseconds after the removal of a record of a retaining collection; `undefined` for not because of it. */
  readonly removals?: (env: Environment) => number | undefined;
  /** When jobs have something to do next in this tenant; `null` when only a write can bring that about. */
  readonly next?: (env: Environment, reader: Reader, now: string) => Promise<string | null>;
}

/** When the jobs of an area have something to do. */
export type Due = DueField | DueState;

/** Jobs that are due by a field of their records. Throws when no index is ordered by it. */
export function dueBy<R extends StoredRecord>(
  collection: Collection<R>,
  by: string,
  { where = {}, after }: Pick<DueField, "where" | "after"> = {},
): DueField {
  const names = Object.keys(where).sort().join();
  const isOrdered = collection.indexes.some(
    (index) => (index.by ?? "createdAt") === by && [...index.where].sort().join() === names,
  );
  if (!isOrdered) throw new Error(`collection ${collection.name}: no index finds what is due by "${by}"`);
  return { collection, by, where, ...(after ? { after } : {}) };
}

/** What a write makes due. */
export interface MadeDue {
  /** From when on the tenant has something due. */
  readonly at: string | undefined;
  /** The times of fields by which jobs are due. */
  readonly fields?: readonly { readonly field: DueField; readonly first: string }[];
}

/** All that makes a tenant due. */
export class DueRules {
  readonly #fields = new Map<string, DueField[]>();
  readonly #watched = new Set<string>();
  readonly #watchingEvents: NonNullable<DueState["watchesEvents"]>[] = [];

  constructor(readonly all: readonly Due[]) {
    for (const due of all) {
      if (isField(due)) this.#fields.set(due.collection.name, [...this.fieldsOf(due.collection), due]);
      else {
        for (const { name } of due.watches ?? []) this.#watched.add(name);
        if (due.watchesEvents) this.#watchingEvents.push(due.watchesEvents);
      }
    }
  }

  fieldsOf({ name }: Pick<AnyCollection, "name">): readonly DueField[] {
    return this.#fields.get(name) ?? [];
  }

  /** From when on the tenant has something due because this record was stored, and what it has in its fields. */
  ofRecord<R extends StoredRecord>(env: Environment, collection: Collection<R>, record: R): MadeDue {
    const now = this.#watched.has(collection.name) ? [timestamp(env.clock.now())] : [];
    const fields = this.fieldsOf(collection).flatMap((field) => {
      const first = valueIn(field, record);
      return first === undefined ? [] : [{ field, first }];
    });
    const times = fields.flatMap(({ field, first }) => later(env, field, first) ?? []);
    return { at: earliest([...times, ...now]), fields };
  }

  /** From when on it has something due because a record was removed. */
  ofRemoval(env: Environment, { name, retain }: Pick<AnyCollection, "name" | "retain">): MadeDue {
    const now = env.clock.now();
    if (this.#watched.has(name)) return { at: timestamp(now) };
    const after = retain ? this.all.flatMap((due) => (isField(due) ? [] : (due.removals?.(env) ?? []))) : [];
    return { at: after.length > 0 ? timestamp(now + Math.min(...after)) : undefined };
  }

  /** From when on it has something due because of an event. */
  ofEvent(env: Environment, tenantId: string): MadeDue {
    return {
      at: this.#watchingEvents.some((watches) => watches(env, tenantId)) ? timestamp(env.clock.now()) : undefined,
    };
  }
}

/** The rules of a control plane. None in an environment without areas. */
export const dueRules = defineService("kernel.dueRules", () => new DueRules([]));

/** The rules of areas, with one for each time transition of a collection. */
export function composeDues(
  areas: readonly { readonly dues?: readonly Due[] }[],
  collections: readonly AnyCollection[],
) {
  const timed = collections.flatMap((collection) =>
    collection.timeTransition ? [dueBy(collection, collection.timeTransition.by)] : [],
  );
  return new DueRules([...timed, ...areas.flatMap(({ dues = [] }) => dues)]);
}

/**
 * How many tenants this process asks at once what is due there. One question reads some seventy tables, and a database
 * that locks each of them has room for so many locks of all clients.
 */
const LOOKS = 2;
const lookGate = defineService("kernel.dueLooks", () => boundedGate(LOOKS, Number.POSITIVE_INFINITY));

/** The time of what is never due, after all others. */
export const NEVER = "9999-12-31T23:59:59.999Z";

/**
 * When each rule next has something due in this tenant, by what is stored. All fields are asked in one statement.
 * `hear` gets the first time in each.
 */
export async function dueTimes(
  env: Environment,
  reader: Reader,
  now: string,
  hear: (field: DueField, first: string | undefined) => void = () => undefined,
): Promise<(string | undefined)[]> {
  const { all } = env.use(dueRules);
  const fields = all.filter((due) => isField(due) && (!due.after || due.after(env) !== undefined)) as DueField[];
  const nextOf = async (due: Due) => (isField(due) ? undefined : ((await due.next?.(env, reader, now)) ?? undefined));
  const asked = () => Promise.all([reader.firstTimes(fields), ...all.map(nextOf)]);
  const [firsts, ...times] = await env.use(lookGate)(asked);
  for (const [at, field] of fields.entries()) {
    const first = firsts[at];
    hear(field, first);
    times[all.indexOf(field)] = first === undefined ? undefined : later(env, field, first);
  }
  return times;
}

/** The first of these times, or `NEVER`. */
export function firstTime(times: readonly (string | undefined)[]): string {
  return earliest(times.flatMap((time) => time ?? [])) ?? NEVER;
}

/**
 * Ends the claim of a tenant whose jobs have run. What became due since the claim counts as well, so `next`, the first
 * time of what is due, may be of any moment since then. Without it, what is stored tells.
 */
export async function settleDue(
  env: Environment,
  tenantId: string,
  claim: number,
  now: string,
  next?: string,
): Promise<void> {
  // Asked before the transaction, which may wait for other writes of the tenant.
  const at = next ?? firstTime(await dueTimes(env, env.store.forTenant(tenantId), now));
  await storeOf(env).transaction(tenantId, (tx) => tx.settleDue(claim, at));
}

function isField(due: Due): due is DueField {
  return "by" in due;
}

/** The time of a record in a field; `undefined` when no job looks at it. */
function valueIn<R extends StoredRecord>({ collection, where = {}, by }: DueField, record: R): string | undefined {
  const isOf = Object.entries(where).every(([name, wanted]) => fieldValue(collection, record, name) === wanted);
  return isOf ? ((fieldValue(collection, record, by) as string | null) ?? undefined) : undefined;
}

function later(env: Environment, { after = () => 0 }: DueField, value: string): string | undefined {
  const ms = after(env);
  if (ms === undefined) return undefined;
  return ms === 0 ? value : timestamp(Date.parse(value) + ms);
}

function earliest(times: readonly string[]): string | undefined {
  return [...times].sort()[0];
}
