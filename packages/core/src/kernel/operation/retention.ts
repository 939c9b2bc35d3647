import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import type { StoredRecord } from "#store/collection.js";
import type { Where } from "#store/find-query.js";
import type { Environment } from "../config/environment.js";
import type { RetentionKind } from "../config/options.js";
import type { Collection } from "../records/collection.js";
import type { Context } from "./context.js";
import { forEachDue } from "./due-records.js";
import { type DueField, dueBy } from "./dues.js";

/** Milliseconds that records of a kind are kept; `undefined` for without limit. */
export function retentionOf(env: Environment, kind: RetentionKind): number | undefined {
  const days = env.options.retentionDays[kind];
  return days === null ? undefined : daysMs(days);
}

/** When the first of some records are to be dropped, by the time in a field. */
export function dueByAge<R extends StoredRecord>(
  kind: RetentionKind,
  collection: Collection<R>,
  by: string,
  where: Where = {},
): DueField {
  return dueBy(collection, by, { where, after: (env) => retentionOf(env, kind) });
}

/** The last moment of which records of a kind are dropped now; `undefined` for none. */
export function dropThrough(env: Environment, kind: RetentionKind): string | undefined {
  const kept = retentionOf(env, kind);
  return kept === undefined ? undefined : timestamp(env.clock.now() - kept);
}

/** Records of a kind that are dropped by age, which counts from the time in a field. */
export interface Aged<R extends StoredRecord> {
  readonly kind: RetentionKind;
  readonly collection: Collection<R>;
  readonly by: string;
  /** Which of them are dropped; all when absent. */
  readonly where?: Where;
  /** Drops what goes with a record. */
  readonly also?: (ctx: Context, record: R) => Promise<void>;
}

/** Drops records of a tenant that are older than their kind is kept. Returns how many. */
export async function dropAged<R extends StoredRecord>(
  env: Environment,
  tenantId: string,
  { kind, collection, by, where = {}, also }: Aged<R>,
): Promise<number> {
  const through = dropThrough(env, kind);
  if (through === undefined) return 0;
  return forEachDue(env, collection, { where, by, through }, tenantId, async (ctx, record) => {
    await also?.(ctx, record);
    await ctx.remove(collection, record, { event: false, forGood: true });
  });
}
