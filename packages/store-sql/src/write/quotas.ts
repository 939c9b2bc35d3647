import type { QuotaClaim, QuotaGrant } from "@reeve/core/store";
import type { Rows } from "../schema/dialect.js";

/** A store deletes expired quotas after this many calls of `reserve`, and at most this many at a time. */
export const SWEEP_EVERY = 50;
export const SWEPT = 500;

/** How much of a stored quota counts in the window of the claim. */
const BASE = "(case when excluded.until > q.until then 0 else q.used end)";
/** The inserted row has used and granted of a new quota, so their difference is what was spent. */
const SPENT = "(excluded.used - excluded.granted)";

/** The update for a claim on a stored quota. `least` and `greatest` are the database's names for these functions. */
export function quotaUpdate({ least, greatest }: { readonly least: string; readonly greatest: string }): string {
  const granted = `${greatest}(0, ${least}(excluded.granted, excluded.quota - ${BASE} - ${SPENT}))`;
  return `on conflict (tenant_id, key) do update set until = ${greatest}(q.until, excluded.until), quota = excluded.quota,
  used = ${BASE} + ${SPENT} + ${granted}, granted = ${granted}`;
}

/** The row of a claim on a new quota: key, until, quota, used, granted. */
export function quotaRow({ key, until, limit, spent, wanted }: QuotaClaim): readonly [string, ...number[]] {
  const granted = Math.max(0, Math.min(wanted, limit - spent));
  return [key, until, limit, spent + granted, granted];
}

/** The grants in the order of `keys`, from rows of key, granted and left in any order. */
export function grantsOf(keys: readonly string[], rows: Rows): QuotaGrant[] {
  const byKey = new Map(rows.map(([key, granted, left]) => [key, { granted, left } as QuotaGrant]));
  return keys.map((key) => byKey.get(key) as QuotaGrant);
}
