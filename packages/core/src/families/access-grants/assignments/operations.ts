import { OfAsset, reading, tag } from "#families/access/index.js";
import { assets } from "#families/estate/index.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { moveBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { wakeReconciliation } from "../reconciliation/follow-reconciliation.js";
import { endAssignment } from "./end/end.js";
import { assignmentStatus } from "./machine.js";
import { ModifyRequest, modify } from "./modify-assignment.js";
import { endingOf } from "./rules.js";
import { accessAssignments } from "./schema.js";
import { assignmentView, ShownAssignment } from "./view-assignment.js";

const PATH = "/api/v1/access-assignments/{id}";
const may = (verb: "write" | "revoke") =>
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

const Modification = z
  .object({
    outcome: z.enum(["modified", "request_created"]).meta({ description: "Whether it was narrowed, or asked for." }),
    requestId: z.string().nullable().meta({ description: "The request for what would permit more." }),
    assignmentId: z.string().meta({ description: "Id of the access assignment." }),
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
    const { assignment, ...reported } = await modify(ctx, params.id, body);
    return { ...reported, assignmentId: assignment.id };
  },
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
      throw transitionRefused(`It is ${one.status} already.`, { machine: assignmentStatus, current: one.status });
    const isOver = endingOf(one) !== null || one.status === "revoked";
    if (endingOf(one)) await wakeReconciliation(ctx, one.grantKey, undefined);
    const ended = isOver ? one : await endAssignment(ctx, one, { endReason: "revoked", reason, triggeredBy: "user" });
    return assignmentView(ctx)(ended);
  },
});
