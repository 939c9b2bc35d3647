import type { QuotaClaim, QuotaGrant } from "@reeve/core/store";
import type { Rows } from "./dialect.js";

/** After how many calls of `take` a store forgets quotas whose window has passed, and how many at most. */
export const SWEEP_EVERY = 50;
export const SWEPT = 500;

/** What of a quota that is already known counts in the window of the claim. */
const BASE = "(case when excluded.until > q.until then 0 else q.used end)";
/** The row to insert says what is used and granted when nothing is known, so that they differ by what was spent. */
const SPENT = "(excluded.used - excluded.granted)";

/** What meets a claim that finds its quota known. `least` and `greatest` are what the database calls these functions. */
export function quotaUpdate({ least, greatest }: { readonly least: string; readonly greatest: string }): string {
  const granted = `${greatest}(0, ${least}(excluded.granted, excluded.quota - ${BASE} - ${SPENT}))`;
  return `on conflict (tenant_id, key) do update set until = ${greatest}(q.until, excluded.until), quota = excluded.quota,
  used = ${BASE} + ${SPENT} + ${granted}, granted = ${granted}`;
}

/** The row of a claim when nothing is known of its quota: key, until, quota, used, granted. */
export function quotaRow({ key, until, limit, spent, wanted }: QuotaClaim): readonly [string, ...number[]] {
  const granted = Math.max(0, Math.min(wanted, limit - spent));
  return [key, until, limit, spent + granted, granted];
}

/** Reads the columns key, granted, left, in any order of rows. */
export function grantsOf(keys: readonly string[], rows: Rows): QuotaGrant[] {
  const byKey = new Map(rows.map(([key, granted, left]) => [key, { granted, left } as QuotaGrant]));
  return keys.map((key) => byKey.get(key) as QuotaGrant);
}
