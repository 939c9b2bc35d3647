import type { BackfillStatus } from "@reeve/core/store";

/** How far a backfill is, for people. */
export function backfillText({ name, done, total, finished }: BackfillStatus): string {
  if (finished) return `the backfill ${name} is finished`;
  if (total === 0) return `the backfill ${name} has not begun`;
  return `the backfill ${name} is at ${Math.min(99, Math.floor((100 * done) / total))} %`;
}
