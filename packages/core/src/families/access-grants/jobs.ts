import type { Environment } from "#kernel/config/environment.js";
import { type Due, dueBy } from "#kernel/operation/dues.js";
import { applyDueTimeTransitions } from "#kernel/operation/time-transitions.js";
import { giveNotices } from "./assignments/give-notices.js";
import { accessAssignments } from "./assignments/schema.js";
import { accessReconciliations } from "./reconciliation/schema.js";

/** When this area has timed work. The areas that read targets do that of its reconciliations, before and after they read. */
export const accessGrantsDues: readonly Due[] = [
  dueBy(accessAssignments, "noticeAt"),
  dueBy(accessReconciliations, "urgentAt"),
  dueBy(accessReconciliations, "dueAt"),
];

/** Ends access that is over, and tells of access that ends soon. */
export async function runAccessGrantsJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  const ended = await applyDueTimeTransitions(env, accessAssignments, tenantId, now);
  return ended + (await giveNotices(env, tenantId, now));
}
