import { accessAssignments } from "#families/access-grants/index.js";
import type { Context } from "#kernel/operation/context.js";
import { certificationItemStatus } from "../items/machine.js";
import { type CertificationItem, certificationItems } from "../items/schema.js";
import { lookAtAll } from "../snapshot-look.js";
import { BATCH } from "./continue.js";

/** Looks again at access that has changed, so that it can be decided. Returns how many were. */
export async function refreshStale(ctx: Context, certificationId: string): Promise<number> {
  const { rows } = await ctx.db.find(certificationItems, { where: { staleOf: certificationId }, size: BATCH });
  const items = rows.map(({ value }) => value);
  if (items.length === 0) return 0;
  const ids = [...new Set(items.map(({ assignmentId }) => assignmentId))];
  const found = await ctx.db.getMany(accessAssignments, ids);
  const assignments = found.map((row) => ctx.derived(accessAssignments, row));
  const looked = await lookAtAll(ctx, assignments);
  const byId = new Map(assignments.map((one) => [one.id, one] as const));
  for (const item of items) {
    const one = byId.get(item.assignmentId);
    if (one) await refresh(ctx, item, looked(one));
  }
  return items.length;
}

async function refresh(ctx: Context, item: CertificationItem, looked: Partial<CertificationItem>): Promise<void> {
  const snapshotVersion = item.snapshotVersion + 1;
  const patch = { ...looked, snapshotVersion, outcome: null, decidedAt: null };
  const options = { triggeredBy: "system", reason: "The access was looked at again.", patch } as const;
  await ctx.transition(certificationItems, certificationItemStatus, item, { event: "refresh" }, options);
}
