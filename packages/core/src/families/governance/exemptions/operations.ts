import { readEstateBody, refuseUnknown } from "#families/estate/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { ById, readOperation } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { moveBody, openBody } from "#kernel/records/open-body.js";
import { READ_ONLY } from "#kernel/records/record.js";
import { approveExemption, rejectExemption, revokeExemption, withdrawExemption } from "./decide-exemption.js";
import { ExemptionFields } from "./fields.js";
import { reachForApproval } from "./request/reach.js";
import { type ExemptionRequest, prepareRequest, requestExemption } from "./request/request.js";
import { Exemption, exemptions } from "./schema.js";

const PATH = "/api/v1/ai-governance/exemptions";
const tag = "AI Governance";
const may = (verb: "read" | "request" | "approve" | "revoke") =>
  ({ permission: `ai-exemption:${verb}`, capability: "ai_governance" }) as const;

export const listExemptions = defineOperation({
  id: "aiExemptions.list",
  method: "GET",
  path: PATH,
  tag,
  summary: "List exemptions",
  access: may("read"),
  query: listQuery(exemptions),
  success: { status: 200, schema: pageOf(Exemption) },
  handler: (ctx, { query }) => ctx.page(exemptions, query),
});

export const readExemption = readOperation({
  id: "aiExemptions.read",
  tag,
  path: PATH,
  summary: "Read one exemption",
  access: may("read"),
  collection: exemptions,
  schema: Exemption,
});

const GivenFields = ExemptionFields.partial();
const READ_ONLY_FIELDS = [
  ...READ_ONLY,
  "policyId",
  "findingId",
  "onAssetId",
  "matchedFindings",
  "requestedBy",
  "requestedAt",
  "approvedBy",
  "approvedAt",
  "relatedParty",
  "revokedBy",
  "revokedAt",
  "revokedReason",
  "notices",
];

const ExemptionRequestBody = openBody({
  id: "ExemptionRequest",
  fields: ExemptionFields,
  states: ["requested"],
  closed: true,
  example: {
    scope: { policyKey: "has-owner", selector: { environments: ["development"] } },
    reason: "Nothing of development is in use yet.",
  },
});

/** Reads a generic body as a request for an exemption. 400 for unknown members of its configuration. */
function readExemptionBody(body: GenericBody): ExemptionRequest {
  const { fields, free, reason } = readEstateBody(body, GivenFields, READ_ONLY_FIELDS);
  refuseUnknown(free.configuration, "Exemptions", Object.keys(GivenFields.shape));
  const { name, metadata, attributes } = free;
  return { fields, name, reason, metadata, attributes };
}

export const createExemption = defineOperation({
  id: "aiExemptions.create",
  agents: "request",
  method: "POST",
  path: PATH,
  tag,
  extension: true,
  summary: "Ask for an exemption",
  description:
    "`scope` names one finding by its fingerprint, or a policy with an asset or a selector of assets; a renewal names `renewalOf` instead. Somebody else approves it. Without `expiresAt` it ends after 90 days, or 30 where `maxSeverity` is `critical`.",
  access: may("request"),
  body: ExemptionRequestBody,
  expensive: true,
  success: { status: 201, schema: Exemption },
  errors: [
    "invalid_reference",
    "invalid_transition",
    "missing_reason",
    "read_only_property",
    "transition_guard_failed",
  ],
  prepare: (ctx, { body }) => prepareRequest(ctx, readExemptionBody(body)),
  handler(ctx, { body }, prepared) {
    if (body.status !== undefined && body.status !== "requested")
      throw transitionRefused("A new exemption is a request.", { current: "requested" });
    return requestExemption(ctx, readExemptionBody(body), prepared);
  },
});

const decision = {
  method: "PATCH",
  tag,
  params: ById,
  success: { status: 200, schema: Exemption },
} as const;

/** The reason for a decision. A status in the body must be the one that the decision leads to. */
function reasonOf(body: Pick<GenericBody, "reason" | "status"> | undefined, to: string): string | undefined {
  if (body?.status !== undefined && body.status !== to)
    throw invalidProperty("/status", `This leads to "${to}" and nowhere else.`);
  return body?.reason;
}

const target = (ctx: Context, id: string) => ctx.getForUpdate(exemptions, id);

export const approveExemptionRequest = defineOperation({
  ...decision,
  id: "aiExemptions.approve",
  path: `${PATH}/{id}/approve`,
  body: moveBody({
    id: "ExemptionApproval",
    to: "approved",
    example: { reason: "The risk is known and taken." },
  }).optional(),
  extension: true,
  summary: "Approve an exemption that somebody else asks for",
  description: "The findings it takes in are exempted in the same transaction, from its start to its end.",
  access: may("approve"),
  errors: ["invalid_transition", "transition_guard_failed", "self_approval_forbidden"],
  prepare: async (ctx, { params }) => reachForApproval(ctx, await ctx.getOrThrow(exemptions, params.id)),
  handler: async (ctx, { params, body }, reach) =>
    approveExemption(ctx, await target(ctx, params.id), reach, reasonOf(body, "approved")),
});

export const rejectExemptionRequest = defineOperation({
  ...decision,
  id: "aiExemptions.reject",
  path: `${PATH}/{id}/reject`,
  body: moveBody({ id: "ExemptionRejection", to: "rejected", example: { reason: "The risk is too high." } }).optional(),
  extension: true,
  summary: "Reject a request for an exemption",
  access: may("approve"),
  errors: ["invalid_transition", "missing_reason"],
  handler: async (ctx, { params, body }) =>
    rejectExemption(ctx, await target(ctx, params.id), reasonOf(body, "rejected")),
});

export const withdrawExemptionRequest = defineOperation({
  ...decision,
  id: "aiExemptions.withdraw",
  path: `${PATH}/{id}/withdraw`,
  body: moveBody({ id: "ExemptionWithdrawal", to: "withdrawn", example: { reason: "It is mended." } }).optional(),
  extension: true,
  summary: "Take back a request for an exemption",
  description: "One's own; another's takes the permission to decide about it as well.",
  access: may("request"),
  errors: ["invalid_transition"],
  handler: async (ctx, { params, body }) =>
    withdrawExemption(ctx, await target(ctx, params.id), reasonOf(body, "withdrawn")),
});

export const revokeApprovedExemption = defineOperation({
  ...decision,
  id: "aiExemptions.revoke",
  stops: true,
  path: `${PATH}/{id}/revoke`,
  body: moveBody({
    id: "ExemptionRevocation",
    to: "revoked",
    example: { reason: "The asset is in use now." },
  }).optional(),
  summary: "Revoke an approved exemption",
  description: "Its findings are open again in the same transaction, unless another exemption covers them.",
  access: may("revoke"),
  errors: ["invalid_transition"],
  handler: async (ctx, { params, body }) =>
    revokeExemption(ctx, await target(ctx, params.id), reasonOf(body, "revoked")),
});
