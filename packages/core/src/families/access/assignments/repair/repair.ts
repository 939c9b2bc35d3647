import { z } from "zod";
import { subjectOf } from "../../../../kernel/events/record-events.js";
import { type Context, requireReason } from "../../../../kernel/operation/context.js";
import { wakeAssignment } from "../../lanes/follow/follow.js";
import { holdingOf } from "../rules.js";
import { type AccessAssignment, accessAssignments } from "../schema.js";
import { type Look, recordLook } from "../verify/verify.js";

export const RepairRequest = z
  .strictObject({
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
    dryRun: z.boolean().optional().meta({ description: "Only say what would be done." }),
  })
  .meta({ id: "AccessRepairRequest", example: { dryRun: true } });

export const RepairPlan = z
  .object({
    action: z.enum(["none", "grant", "reapply", "revoke"]).meta({ description: "What puts the target right." }),
    effect: z.string().meta({ description: "The same in words." }),
    reversible: z.boolean().meta({ description: "Whether it can be undone." }),
    presence: z.enum(["present", "absent", "mismatch", "unknown"]).meta({ description: "What the target has now." }),
    assignmentId: z.string().meta({ description: "The assignment." }),
  })
  .meta({ id: "AccessRepair" });

const EFFECTS = {
  none: "The target has what it should have.",
  grant: "The target grants it again.",
  reapply: "The target has it as it was granted.",
  revoke: "The target takes it away.",
} as const;

type Action = keyof typeof EFFECTS;

function actionOf(one: Pick<AccessAssignment, "status" | "grantKey">, { presence }: Look): Action {
  const wanted = holdingOf(one) !== null;
  if (presence === "unknown") return "none";
  if (wanted) return presence === "absent" ? "grant" : presence === "mismatch" ? "reapply" : "none";
  return presence === "absent" ? "none" : "revoke";
}

/** What makes the target agree with an assignment again. */
export function repairPlan(one: Pick<AccessAssignment, "status" | "grantKey">, look: Look) {
  const action = actionOf(one, look);
  const effect = look.presence === "unknown" ? "The target could not be asked." : EFFECTS[action];
  return { action, effect, reversible: action !== "revoke" };
}

/** Has the lane of an assignment put the target right, unless only the plan is asked for. */
export async function repair(ctx: Context, id: string, { reason, dryRun }: z.output<typeof RepairRequest>, look: Look) {
  const told = (one: AccessAssignment) => ({ ...repairPlan(one, look), presence: look.presence, assignmentId: one.id });
  if (dryRun) return told(await ctx.getForUpdate(accessAssignments, id));
  const given = requireReason(reason);
  const { one } = await recordLook(ctx, id, look);
  const plan = told(one);
  const { action, presence } = plan;
  const { assetId, connectorInstanceId } = one;
  await ctx.emit({
    type: "access.assignment.repair_started",
    subject: subjectOf(accessAssignments, id),
    related: [assetId, connectorInstanceId],
    data: { action, presence, reason: given },
  });
  if (action !== "none") await wakeAssignment(ctx, one);
  return plan;
}
