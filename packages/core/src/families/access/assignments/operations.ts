import { z } from "zod";
import { assets } from "#families/estate/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { moveBody } from "#kernel/records/open-body.js";
import { REPAIR_ERRORS } from "../drift/repair/repair.js";
import { wakeLane } from "../lanes/follow/follow.js";
import { OfAsset, reading, tag } from "../targets/view/path.js";
import { AttestRequest, attest } from "./attest/attest.js";
import { endAssignment } from "./end/end.js";
import { ModifyRequest, modify } from "./modify/modify.js";
import { AssignmentRepair, RepairRequest, repair } from "./repair/repair.js";
import { endingOf } from "./rules.js";
import { accessAssignments } from "./schema.js";
import { unknownOf, untold } from "./unknown/unknown.js";
import { AccessVerification, lookAt, recordLook } from "./verify/verify.js";
import { assignmentView, ShownAssignment } from "./view/view.js";

const PATH = "/api/v1/access-assignments/{id}";
const may = (verb: "verify" | "write" | "revoke" | "attest") =>
  ({ permission: `access-assignment:${verb}`, capability: "access_governance" }) as const;

export const listAssignments = defineOperation({
  ...reading,
  tag,
  id: "accessAssignments.list",
  path: "/api/v1/ai-assets/{assetId}/access-assignments",
  summary: "List the access of an AI asset, past and present",
  params: OfAsset,
  query: listQuery(accessAssignments),
  success: { status: 200, schema: pageOf(ShownAssignment) },
  async handler(ctx, { params, query }) {
    const { id: assetId } = await ctx.getOrThrow(assets, params.assetId);
    return ctx.page(accessAssignments, query, { where: { assetId } }, assignmentView(ctx));
  },
});

export const readAssignment = defineOperation({
  ...reading,
  tag,
  id: "accessAssignments.read",
  path: PATH,
  summary: "Read one assignment, and whether it is in force",
  extension: true,
  params: ById,
  success: { status: 200, schema: ShownAssignment },
  handler: async (ctx, { params }) => assignmentView(ctx)(await ctx.getOrThrow(accessAssignments, params.id)),
});

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
    const unknown = look.presence === "unknown" ? (unknownOf(one) ?? untold(look.failure, ctx.now)) : null;
    const authoritative = look.authoritative && unknown === null;
    return { ...look, authoritative, assignmentId: one.id, targetState: one.targetState, unknown, driftId };
  },
});

const Modification = z
  .object({
    outcome: z.enum(["modified", "request_created"]).meta({ description: "Whether it was narrowed, or asked for." }),
    requestId: z.string().nullable().meta({ description: "The request for what would permit more." }),
    assignmentId: z.string().meta({ description: "The assignment." }),
  })
  .meta({ id: "AccessModificationResult" });

export const modifyAssignment = defineOperation({
  tag,
  id: "accessAssignments.modify",
  method: "POST",
  path: `${PATH}/modify`,
  summary: "Narrow access, or ask for more",
  description: "A shorter time, a lesser profile and shorter lists of parameters apply at once.",
  access: may("write"),
  params: ById,
  body: ModifyRequest,
  success: { status: 200, schema: Modification },
  errors: [
    ...(["duplicate_request", "duration_exceeds_max", "invalid_reference", "invalid_transition"] as const),
    ...(["missing_reason", "not_requestable", "rate_limited", "transition_guard_failed"] as const),
  ],
  async handler(ctx, { params, body }) {
    const { assignment, ...told } = await modify(ctx, params.id, body);
    return { ...told, assignmentId: assignment.id };
  },
});

export const repairAssignment = defineOperation({
  tag,
  id: "accessAssignments.repair",
  method: "POST",
  path: `${PATH}/repair`,
  summary: "Have a target agree with an assignment again",
  description:
    "The target is asked first, and what differs is put right as that difference is: with the same choices, checks and brake. With `dryRun` the plan is all that comes of it.",
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

export const revokeAssignment = defineOperation({
  tag,
  id: "accessAssignments.revoke",
  stops: true,
  method: "POST",
  path: `${PATH}/revoke`,
  summary: "End access",
  description:
    "It is not in force from then on. It is `revoked` once the target has confirmed that, which is asked for until it does; the same again asks at once.",
  access: may("revoke"),
  params: ById,
  body: moveBody({
    id: "AccessRevocation",
    to: "revoked",
    example: { reason: "The agent does not need it any more." },
  }),
  success: { status: 200, schema: ShownAssignment },
  errors: ["invalid_transition"],
  async handler(ctx, { params, body: { reason } }) {
    const one = await ctx.getForUpdate(accessAssignments, params.id);
    if (one.status === "expired" || one.status === "failed")
      throw new ReeveError("invalid_transition", `It is ${one.status} already.`);
    const isOver = endingOf(one) !== null || one.status === "revoked";
    if (endingOf(one)) await wakeLane(ctx, one.grantKey, undefined);
    const ended = isOver ? one : await endAssignment(ctx, one, { endReason: "revoked", reason, triggeredBy: "user" });
    return assignmentView(ctx)(ended);
  },
});
