import type { Environment } from "#kernel/config/environment.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { noticeDue } from "./notice-rules.js";
import { accessAssignments } from "./schema.js";

/** Tells of access that ends in a week, a day or an hour, once each. Returns how often it did. */
export function giveNotices(env: Environment, tenantId: string, now: string): Promise<number> {
  return forEachDue(env, accessAssignments, { by: "noticeAt", through: now }, tenantId, async (ctx, one) => {
    const left = noticeDue(one, ctx.request.nowMs);
    if (left === undefined || one.expiresAt === null) return;
    const { assetId, connectorInstanceId, expiresAt } = one;
    const data = { left, expiresAt, assetId, connectorInstanceId };
    const severity = left === "P7D" ? "INFO" : "WARN";
    const event = { type: "access.assignment.expiring", severity, data } as const;
    await ctx.update(accessAssignments, one, { noticed: { left, expiresAt, at: ctx.now } }, { event, copy: true });
  });
}
