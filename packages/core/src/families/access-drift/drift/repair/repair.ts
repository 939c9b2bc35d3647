import {
  type AccessAssignment,
  accessAssignments,
  endAssignment,
  holdingOf,
  renewAssignment,
  wakeAssignment,
} from "#families/access-grants/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { z } from "#schema/z.js";
import { accessDriftStatus } from "../machine.js";
import { endDrift } from "../note-drift.js";
import { contradicts } from "../rules.js";
import { type AccessDrift, accessDrift, REPAIRS, type RepairAction } from "../schema.js";
import { requireStillAllowed } from "./allowed.js";
import { tripOnManyRepairs } from "./circuit-breaker.js";
import { followUp } from "./follow-up.js";
import { markSeen, revokeInTarget } from "./reconciliation.js";

/** What a repair of anything takes. */
export const REPAIR_FIELDS = {
  action: z.enum(REPAIRS).optional().meta({ description: "One of `repairs`; needed where there are several." }),
  reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  dryRun: z.boolean().optional().meta({ description: "Only say what would be done." }),
  acceptAnomaly: z.boolean().optional().meta({
    description: "Go on although more of the target was put right within an hour than is plausible.",
  }),
};

export const DriftRepairRequest = z
  .strictObject(REPAIR_FIELDS)
  .meta({ id: "AccessDriftRepairRequest", example: { dryRun: true } });

/** What any repair is told as. */
export const PLAN_FIELDS = {
  action: z.enum(["none", "choose", ...REPAIRS]).meta({
    description: "What is done: nothing, because the target agrees again; or `choose` one of `repairs`.",
  }),
  repairs: z.array(z.enum(REPAIRS)).meta({ description: "What can be done." }),
  effect: z.string().meta({ description: "The same in words." }),
  reversible: z.boolean().meta({ description: "Whether it can be undone." }),
  presence: z.enum(["present", "absent", "mismatch", "unknown"]).meta({ description: "What the target has now." }),
};

export const DriftRepair = z
  .object({
    driftId: z.string().meta({ description: "Id of the difference." }),
    ...PLAN_FIELDS,
    status: z.string().meta({ description: "`status` of the difference now." }),
    followUpId: z.string().nullable().meta({ description: "The request or certification that was made of it." }),
  })
  .meta({ id: "AccessDriftRepair" });

/** Codes that refuse a repair. */
export const REPAIR_ERRORS = [
  ...(["anomaly_pending", "capability_missing", "invalid_transition", "missing_reason"] as const),
  ...(["duplicate_request", "invalid_reference", "not_requestable", "rate_limited", "duration_exceeds_max"] as const),
  ...(["sod_conflict", "transition_guard_failed"] as const),
] as const;

const EFFECTS: Readonly<Record<z.output<typeof DriftRepair>["action"], string>> = {
  none: "The target agrees with what was granted.",
  choose: "Somebody has to choose.",
  grant: "The target grants it again.",
  reapply: "The target has it as it was granted.",
  renew: "The target sets the end that was granted.",
  revoke: "The target takes it away.",
  adopt: "Somebody asks for it as for any other access, and others decide. Nothing changes in the target.",
  certify:
    "The owners of the resource, or else of the target, decide whether the access stays. Nothing changes before.",
  end: "The access ends here, and the target is asked to confirm that it has none of it.",
};

export interface RepairPlan {
  readonly action: z.output<typeof DriftRepair>["action"];
  readonly presence: z.output<typeof DriftRepair>["presence"];
}

/** What is done about a difference, after the target was asked again. 409 where nothing of Reeve's mends it. */
export function planOf(
  one: Pick<AccessDrift, "kind" | "repairs" | "advice">,
  presence: RepairPlan["presence"],
  wanted: RepairAction | undefined,
): RepairPlan {
  if (contradicts(one.kind, presence)) return { action: "none", presence };
  if (one.repairs.length === 0) throw new ReeveError("transition_guard_failed", one.advice);
  if (wanted !== undefined && !one.repairs.includes(wanted))
    throw invalidProperty("/action", `The repairs there are: ${one.repairs.join(", ")}.`);
  const [only, ...others] = one.repairs;
  return { action: wanted ?? (others.length === 0 ? (only as RepairAction) : "choose"), presence };
}

const REVERSIBLE: ReadonlySet<RepairPlan["action"]> = new Set([
  "grant",
  "reapply",
  "renew",
  "none",
  "adopt",
  "certify",
]);

/** A plan in words. */
export const planInWords = ({ action, presence }: RepairPlan) => ({
  ...{ action, presence, effect: EFFECTS[action] },
  reversible: REVERSIBLE.has(action),
});

/** How a plan is told. */
export const reportedPlan = (one: AccessDrift, plan: RepairPlan): z.output<typeof DriftRepair> => ({
  ...{ driftId: one.id, repairs: one.repairs, status: one.status, followUpId: one.followUpId },
  ...planInWords(plan),
});

/** Who has something put right, and why. */
export interface RepairOrder {
  readonly reason: string | undefined;
  readonly acceptAnomaly: boolean | undefined;
}

/** Has a difference put right. What the target does comes afterwards, and ends the difference. */
export async function repairDrift(ctx: Context, one: AccessDrift, plan: RepairPlan, given: RepairOrder) {
  const { action } = plan;
  if (one.status === "resolved" || one.status === "dismissed")
    throw transitionRefused(`It is ${one.status}.`, { machine: accessDriftStatus, current: one.status });
  if (action === "none") return reportedPlan(one.status === "open" ? await endDrift(ctx, one) : one, plan);
  if (action === "choose") throw invalidProperty("/action", `Choose one of ${one.repairs.join(", ")}.`);
  const reason = requireReason(given.reason);
  if (one.status === "repairing") return reportedPlan(one, plan);
  if (action === "adopt" || action === "certify") return reportedPlan(await followUp(ctx, one, action, reason), plan);
  await tripOnManyRepairs(ctx, one.connectorInstanceId, given.acceptAnomaly ?? false);
  const patch = { repairedAt: ctx.now };
  const options = { reason, patch, data: { action, presence: plan.presence } };
  const repairing = await ctx.transition(accessDrift, accessDriftStatus, one, { to: "repairing" }, options);
  await carryOut(ctx, repairing, action, reason);
  return reportedPlan(await ctx.getOrThrow(accessDrift, one.id), plan);
}

async function carryOut(ctx: Context, one: AccessDrift, action: RepairAction, reason: string): Promise<unknown> {
  if (action === "revoke") return revokeInTarget(ctx, one);
  const assignment = await ctx.getOrThrow(accessAssignments, one.assignmentId ?? "");
  if (action === "end") return end(ctx, one, assignment, reason);
  await requireStillAllowed(ctx, assignment);
  if (action === "renew") return renewAssignment(ctx, assignment);
  await markSeen(ctx, one, action === "grant" ? "absent" : "mismatch");
  return wakeAssignment(ctx, assignment);
}

async function end(ctx: Context, one: AccessDrift, assignment: AccessAssignment, reason: string) {
  const reasons = { missing_in_target: "removed_externally", resource_missing: "resource_deleted" } as const;
  const endReason = one.kind in reasons ? reasons[one.kind as keyof typeof reasons] : "drift";
  if (holdingOf(assignment)) await endAssignment(ctx, assignment, { endReason, reason, triggeredBy: "user" });
  return endDrift(ctx, await ctx.getOrThrow(accessDrift, one.id));
}
