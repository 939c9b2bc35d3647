import { tag } from "#families/access/index.js";
import {
  accessAssignments,
  assignmentView,
  ShownAssignment,
  unknownOf,
  unreported,
} from "#families/access-grants/index.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { REPAIR_ERRORS } from "../drift/repair/repair.js";
import { AttestRequest, attest } from "./attest-assignment.js";
import { AssignmentRepair, RepairRequest, repair } from "./repair-assignment.js";
import { AccessVerification, lookAt, recordLook } from "./verify-assignment.js";

const PATH = "/api/v1/access-assignments/{id}";
const may = (verb: "verify" | "write" | "attest") =>
  ({ permission: `access-assignment:${verb}`, capability: "access_governance" }) as const;

export const verifyAssignment = defineOperation({
  tag,
  id: "accessAssignments.verify",
  method: "POST",
  path: `${PATH}/verify`,
  summary: "Ask the target whether access is there now",
  description: "It changes nothing in the target. One that cannot be asked is answered as `unknown`.",
  access: may("verify"),
  params: ById,
  success: { status: 200, schema: AccessVerification },
  killSwitches: ["connectors.outbound"],
  expensive: true,
  prepare: async (ctx, { params }) => lookAt(ctx, await ctx.getOrThrow(accessAssignments, params.id)),
  async handler(ctx, { params }, look) {
    const { one, driftId } = await recordLook(ctx, params.id, look);
    const unknown = look.presence === "unknown" ? (unknownOf(one) ?? unreported(look.failure, ctx.now)) : null;
    const authoritative = look.authoritative && unknown === null;
    return { ...look, authoritative, assignmentId: one.id, targetState: one.targetState, unknown, driftId };
  },
});

export const repairAssignment = defineOperation({
  tag,
  id: "accessAssignments.repair",
  method: "POST",
  path: `${PATH}/repair`,
  summary: "Have a target agree with an assignment again",
  description:
    "The target is asked first, and what differs is put right as that difference is: with the same choices, checks and circuit breaker. With `dryRun` the plan is all that comes of it.",
  access: may("write"),
  params: ById,
  body: RepairRequest.optional(),
  success: { status: 200, schema: AssignmentRepair },
  errors: ["invalid_reference", ...REPAIR_ERRORS],
  killSwitches: ["connectors.outbound"],
  expensive: true,
  prepare: async (ctx, { params }) => lookAt(ctx, await ctx.getOrThrow(accessAssignments, params.id)),
  handler: (ctx, { params, body = {} }, look) => repair(ctx, params.id, body, look),
});

export const attestAssignment = defineOperation({
  tag,
  id: "accessAssignments.attest",
  method: "POST",
  path: `${PATH}/attest`,
  summary: "Say that a target has access no more which it does not confirm to have ended",
  description:
    "The target is asked first; where it says that it has none, it confirms that itself. What is critical takes two people, none of them a beneficiary. The first look that finds it there takes the word back.",
  access: may("attest"),
  extension: true,
  params: ById,
  body: AttestRequest,
  success: { status: 200, schema: ShownAssignment },
  errors: ["invalid_transition", "self_approval_forbidden", "transition_guard_failed"],
  killSwitches: ["connectors.outbound"],
  expensive: true,
  prepare: async (ctx, { params }) => lookAt(ctx, await ctx.getOrThrow(accessAssignments, params.id)),
  handler: async (ctx, { params, body }, look) => assignmentView(ctx)(await attest(ctx, params.id, body, look)),
});
