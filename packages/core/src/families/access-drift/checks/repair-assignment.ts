import { type AccessAssignment, accessAssignments, endingOf, wakeAssignment } from "#families/access-grants/index.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { invalidProperty } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { differenceOf } from "../drift/evaluate-drift.js";
import { openDriftOf } from "../drift/open-drift.js";
import { requireStillAllowed } from "../drift/repair/allowed.js";
import {
  PLAN_FIELDS,
  planInWords,
  planOf,
  REPAIR_FIELDS,
  type RepairPlan,
  repairDrift,
} from "../drift/repair/repair.js";
import { REMEDIES } from "../drift/rules.js";
import { type AccessDrift, accessDrift } from "../drift/schema.js";
import { type Look, recordLook } from "./verify-assignment.js";

export const RepairRequest = z
  .strictObject({
    ...REPAIR_FIELDS,
    driftId: z.string().max(200).optional().meta({
      description: "The difference to put right, where the assignment has several. The one that is seen when absent.",
    }),
  })
  .meta({ id: "AccessRepairRequest", example: { dryRun: true } });
type Wanted = z.output<typeof RepairRequest>;

export const AssignmentRepair = z
  .object({
    ...PLAN_FIELDS,
    assignmentId: z.string().meta({ description: "Id of the access assignment." }),
    driftId: z.string().nullable().meta({ description: "The difference that is put right, if there is one." }),
    followUpId: z.string().nullable().meta({ description: "The request or certification that was made of it." }),
  })
  .meta({ id: "AccessRepair" });

type Reported = z.output<typeof AssignmentRepair>;

type Source = Pick<AccessDrift, "id" | "repairs" | "followUpId">;

const reported = (one: AccessAssignment, plan: RepairPlan, drift?: Source): Reported => ({
  ...planInWords(plan),
  ...{ repairs: drift?.repairs ?? [], assignmentId: one.id, driftId: drift?.id ?? null },
  followUpId: drift?.followUpId ?? null,
});

/**
 * Has the target put right where it differs from an assignment, as its difference is put right, unless only the plan is
 * asked for. What the assignment waits for in the target anyway is asked for at once.
 */
export async function repair(ctx: Context, id: string, wanted: Wanted, look: Look): Promise<Reported> {
  if (wanted.dryRun) return planned(ctx, await ctx.getForUpdate(accessAssignments, id), wanted, look);
  requireReason(wanted.reason);
  const { one, driftId } = await recordLook(ctx, id, look);
  const drift = await driftOf(ctx, one, wanted.driftId ?? driftId ?? undefined);
  if (!drift) return hurry(ctx, one, wanted, look);
  const plan = planOf(drift, look.presence, wanted.action);
  const { reason, acceptAnomaly } = wanted;
  const { followUpId } = await repairDrift(ctx, drift, plan, { reason, acceptAnomaly });
  await reportRepair(ctx, one, plan, reason);
  return reported(one, plan, { ...drift, followUpId });
}

/** The plan, with nothing stored. */
async function planned(ctx: ReadContext, one: AccessAssignment, wanted: Wanted, look: Look): Promise<Reported> {
  const drift = await driftOf(ctx, one, wanted.driftId);
  if (drift) return reported(one, planOf(drift, look.presence, wanted.action), drift);
  const kind = look.failure === null ? await differenceOf(ctx, one, look) : undefined;
  if (kind === undefined) return { ...reported(one, waitingFor(one, look)), ...unasked(look) };
  const { repairs, advice } = REMEDIES[kind];
  const plan = planOf({ kind, repairs: [...repairs], advice }, look.presence, wanted.action);
  return { ...reported(one, plan), repairs: [...repairs] };
}

const unasked = ({ failure }: Look) => (failure === null ? {} : { effect: "The target could not be asked." });

/** The difference that is named, or the one of the assignment that is open. */
async function driftOf(
  ctx: ReadContext,
  one: AccessAssignment,
  driftId: string | undefined,
): Promise<AccessDrift | undefined> {
  if (driftId !== undefined) {
    const row = await ctx.db.get(accessDrift, driftId);
    if (row?.value.assignmentId !== one.id)
      throw invalidProperty("/driftId", "The assignment has no such difference.", "invalid_reference");
    return ctx.current(accessDrift, row);
  }
  const [open, ...others] = (await openDriftOf(ctx, [one.id])).get(one.id) ?? [];
  if (others.length > 0) throw invalidProperty("/driftId", "The assignment has several differences: name one.");
  return open && ctx.getOrThrow(accessDrift, open.id);
}

/** What is asked of the target for an assignment anyway, because it waits for that. */
function waitingFor(one: AccessAssignment, { presence, failure }: Look): RepairPlan {
  const isThere = presence !== "absent" && failure === null;
  if (endingOf(one)) return { action: isThere ? "revoke" : "none", presence };
  return { action: one.status === "pending" && presence === "absent" ? "grant" : "none", presence };
}

/** Has the reconciliation of an assignment go on at once. */
async function hurry(ctx: Context, one: AccessAssignment, { action, reason }: Wanted, look: Look): Promise<Reported> {
  const plan = waitingFor(one, look);
  if (action !== undefined && plan.action !== action && plan.action !== "none")
    throw invalidProperty("/action", `The repair there is: ${plan.action}.`);
  if (plan.action === "grant") await requireStillAllowed(ctx, one);
  await reportRepair(ctx, one, plan, reason);
  if (plan.action !== "none") await wakeAssignment(ctx, one);
  return { ...reported(one, plan), ...unasked(look) };
}

async function reportRepair(ctx: Context, one: AccessAssignment, { action, presence }: RepairPlan, reason = "") {
  await ctx.emit({
    type: "access.assignment.repair_started",
    subject: subjectOf(accessAssignments, one.id),
    related: [one.assetId, one.connectorInstanceId],
    data: { action, presence, reason },
  });
}
