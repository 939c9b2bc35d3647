import { OfAsset, reading, tag } from "#families/access/index.js";
import { readEstateBody, refuseUnknown } from "#families/estate/index.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { openBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { cancel } from "./cancel-request.js";
import { createRequest } from "./create/create.js";
import { previewRequest, RequestPreview } from "./create/preview.js";
import { approve, reject } from "./decide/approve.js";
import { RequestApproval, RequestCancellation, RequestRejection } from "./decide/body.js";
import { evaluate } from "./evaluate/evaluate.js";
import { RequestFields } from "./fields.js";
import { grant } from "./grant/grant.js";
import { accessRequestStatus } from "./machine.js";
import { askedPage } from "./queries.js";
import { accessRequests, REQUEST_READ_ONLY } from "./schema.js";
import { DetailedRequest, detailOf } from "./view/detail.js";
import { requestView, ShownRequest } from "./view/view.js";

const PATH = "/api/v1/access-requests";
const may = (verb: "write" | "decide" | "provision") =>
  ({ permission: `access-request:${verb}`, capability: "access_governance" }) as const;
const success = { status: 200, schema: ShownRequest } as const;
const Given = RequestFields.partial();

const NewRequest = openBody({
  id: "AccessRequestBody",
  fields: RequestFields,
  closed: true,
  example: {
    connectorInstanceId: "ci_01JD3Z6T5W8Y9X7V4R2Q1P0N6M",
    items: [{ accessProfileId: "apf_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", resourceId: "ars_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }],
    duration: "P7D",
    reason: "The agent sorts claims by what they say.",
  },
});

export const createAccessRequest = defineOperation({
  tag,
  id: "accessRequests.create",
  agents: "request",
  method: "POST",
  path: "/api/v1/ai-assets/{assetId}/access-requests",
  summary: "Ask for access for an AI asset",
  description: "It is looked at at once: policies allow it, deny it, or say who approves it.",
  access: may("write"),
  params: OfAsset,
  body: NewRequest,
  success,
  errors: [
    ...(["duplicate_request", "duration_exceeds_max", "invalid_reference", "invalid_transition"] as const),
    ...(["missing_reason", "not_requestable", "rate_limited", "read_only_property"] as const),
  ],
  async handler(ctx, { params, body }) {
    const { fields, free, reason } = readEstateBody(body, Given, REQUEST_READ_ONLY);
    refuseUnknown(free.configuration, "Access requests", Object.keys(Given.shape));
    const { name, metadata, attributes } = free;
    const own = { ...(name ? { name } : {}), ...(metadata ? { metadata } : {}), ...(attributes ? { attributes } : {}) };
    return requestView(ctx)(await createRequest(ctx, params.assetId, { fields, reason, free: own }));
  },
});

export const previewAccessRequest = defineOperation({
  tag,
  id: "accessRequests.preview",
  agents: "explain",
  method: "POST",
  path: "/api/v1/ai-assets/{assetId}/access-requests/preview",
  summary: "See what a request would permit and what it would take, without asking",
  description: "It is refused as the request itself would be. Nothing is stored.",
  access: may("write"),
  extension: true,
  effect: "read",
  params: OfAsset,
  body: NewRequest,
  success: { status: 200, schema: RequestPreview },
  errors: [
    ...(["duplicate_request", "duration_exceeds_max", "invalid_reference", "invalid_transition"] as const),
    ...(["not_requestable", "read_only_property"] as const),
  ],
  async handler(ctx, { params, body }) {
    const { fields, free } = readEstateBody(body, Given, REQUEST_READ_ONLY);
    refuseUnknown(free.configuration, "Access requests", Object.keys(Given.shape));
    return previewRequest(ctx, params.assetId, fields);
  },
});

export const listAccessRequests = defineOperation({
  ...reading,
  tag,
  id: "accessRequests.list",
  path: PATH,
  summary: "List requests for access, newest first",
  query: listQuery(accessRequests, undefined, {
    approverId: z.string().max(64).optional().meta({
      description:
        "Those that wait for this user; `me`: for the caller. With `assetId` and `connectorInstanceId` only.",
    }),
  }),
  success: { status: 200, schema: pageOf(ShownRequest) },
  handler: (ctx, { query: { approverId, ...query } }) =>
    approverId === undefined
      ? ctx.page(accessRequests, query, {}, requestView(ctx))
      : askedPage(ctx, approverId, query, requestView(ctx)),
});

export const readAccessRequest = defineOperation({
  ...reading,
  tag,
  id: "accessRequests.read",
  path: `${PATH}/{id}`,
  summary: "Read a request: what it waits for, what it would permit, and what there is already",
  params: ById,
  success: { status: 200, schema: DetailedRequest },
  handler: async (ctx, { params }) => detailOf(ctx, await ctx.getOrThrow(accessRequests, params.id)),
});

export const evaluateAccessRequest = defineOperation({
  tag,
  id: "accessRequests.evaluate",
  method: "POST",
  path: `${PATH}/{id}/evaluate`,
  summary: "Look at what a request takes now",
  description: "While nothing has changed nothing happens. Otherwise people are asked anew.",
  access: may("write"),
  params: ById,
  success,
  errors: ["invalid_transition", "not_requestable"],
  handler: async (ctx, { params }) =>
    requestView(ctx)(await evaluate(ctx, await ctx.getForUpdate(accessRequests, params.id))),
});

export const approveAccessRequest = defineOperation({
  tag,
  id: "accessRequests.approve",
  method: "POST",
  path: `${PATH}/{id}/approve`,
  summary: "Approve a request, or less than it asks for",
  description:
    "Only those who are asked may, and nobody who asked for it or has it. With a remark it counts for nothing.",
  access: may("decide"),
  params: ById,
  body: RequestApproval,
  success,
  errors: [
    ...([
      "approver_not_eligible",
      "invalid_transition",
      "limit_exceeded",
      "missing_reason",
      "related_party_forbidden",
    ] as const),
    ...(["scope_changed", "self_approval_forbidden", "sod_conflict"] as const),
  ],
  handler: async (ctx, { params, body }) => requestView(ctx)(await approve(ctx, params.id, body)),
});

export const rejectAccessRequest = defineOperation({
  tag,
  id: "accessRequests.reject",
  method: "POST",
  path: `${PATH}/{id}/reject`,
  summary: "Refuse a request",
  access: may("decide"),
  params: ById,
  body: RequestRejection,
  success,
  errors: [
    ...(["approver_not_eligible", "invalid_transition", "missing_reason", "related_party_forbidden"] as const),
    ...(["scope_changed", "self_approval_forbidden"] as const),
  ],
  handler: async (ctx, { params, body }) => requestView(ctx)(await reject(ctx, params.id, body)),
});

export const cancelAccessRequest = defineOperation({
  tag,
  id: "accessRequests.cancel",
  method: "POST",
  path: `${PATH}/{id}/cancel`,
  summary: "Take a request back, and what was granted of it",
  description: "Whoever asked and the owner of the asset may. Anybody else's takes `access-request:cancel-any`.",
  access: may("write"),
  params: ById,
  body: RequestCancellation,
  success,
  errors: ["invalid_transition", "missing_reason"],
  handler: async (ctx, { params, body }) => requestView(ctx)(await cancel(ctx, params.id, body)),
});

const UNDER_WAY: ReadonlySet<string> = new Set(["provisioning", "provisioned"]);

export const provisionAccessRequest = defineOperation({
  tag,
  id: "accessRequests.provision",
  method: "POST",
  path: `${PATH}/{id}/provision`,
  summary: "Have approved access granted now, or again where that failed",
  description: "It is granted by itself as well. What is under way or done is answered as it is.",
  access: may("provision"),
  params: ById,
  success,
  killSwitches: ["access.provision"],
  errors: ["invalid_transition", "transition_guard_failed"],
  async handler(ctx, { params }) {
    const request = await ctx.getForUpdate(accessRequests, params.id);
    if (request.status === "submitted" || request.status === "pending_approval")
      throw transitionRefused("It is not approved.", { machine: accessRequestStatus, current: request.status });
    return requestView(ctx)(UNDER_WAY.has(request.status) ? request : await grant(ctx, request, true));
  },
});
