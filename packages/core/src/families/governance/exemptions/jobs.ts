import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { dueBy } from "#kernel/operation/dues.js";
import { applyDueTimeTransitions } from "#kernel/operation/time-transitions.js";
import { noticesBy } from "./rules.js";
import { type Exemption, exemptions } from "./schema.js";

/** When there is timed work on exemptions, beside their expiry. */
export const exemptionDue = dueBy(exemptions, "noticeAt");

/**
 * Stores which exemptions have expired, and announces the end of others 14 and 3 days before. Returns how many of both.
 */
export async function runExemptionJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  const expired = await applyDueTimeTransitions(env, exemptions, tenantId, now);
  const due = { by: "noticeAt", through: now };
  return expired + (await forEachDue(env, exemptions, due, tenantId, announceEnd));
}

/** A late tick makes one announcement for all that are due. */
async function announceEnd(ctx: Context, before: Exemption): Promise<void> {
  const { id, name, expiresAt, requestedBy, approvedBy } = before;
  const data = { entity: { type: "exemption", id, name }, expiresAt, requestedBy, approvedBy };
  const event = { type: "exemption.expiring", severity: "WARN", data } as const;
  await ctx.update(exemptions, before, { notices: noticesBy(expiresAt, ctx.now) }, { event });
}
