import { assets, isParty } from "#families/estate/index.js";
import { changeFinding, type Finding, findingAt, findings } from "#families/findings/index.js";
import type { Context } from "#kernel/operation/context.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { actionsFrom, isAllowed, REVIEW_ACTIONS, type ReviewActionName } from "./perform/actions.js";
import { type ReviewRequest, ReviewRequestBody, readReviewBody } from "./perform/body.js";
import type { Effect } from "./perform/effect.js";
import { PERFORM_ON_EXEMPTION } from "./perform/exemptions.js";
import { PERFORM } from "./perform/perform.js";
import { findingReviews, Review } from "./schema.js";

const PATH = "/api/v1/ai-governance/findings/{id}";
const tag = "AI Governance";

export const reviewFinding = defineOperation({
  id: "aiFindings.review",
  method: "POST",
  path: `${PATH}/review-actions`,
  tag,
  summary: "Do something about a finding",
  description:
    "`action` says what, or `status` where it is to lead; the vocabularies (`reviewActions`) tell from where each is possible, what it needs and who may; owners may answer for their own assets. Nothing here resolves a finding: evaluations do.",
  access: { permission: "ai-finding:read", capability: "ai_governance" },
  params: ById,
  body: ReviewRequestBody,
  success: { status: 201, schema: Review },
  errors: [
    "invalid_transition",
    "transition_guard_failed",
    "missing_reason",
    "invalid_reference",
    "self_approval_forbidden",
    "precondition_required",
    "read_only_property",
  ],
  async handler(ctx, { params, body }) {
    const request = readReviewBody(body);
    const stored = await ctx.getForUpdate(findings, params.id);
    await requireReviewer(ctx, request.action, stored);
    const before = findingAt(stored, ctx.now);
    requireAllowed(request.action, before);
    const { after, outcome, payload } = await perform(ctx, stored, before, request);
    return record(ctx, request, { before, after, outcome, payload });
  },
});

/** 403 unless the caller may do this, by permission or as the owner of the asset. */
async function requireReviewer(ctx: Context, action: ReviewActionName, { assetId }: Finding): Promise<void> {
  const { permission, ownerMay = false } = REVIEW_ACTIONS[action];
  const asset = ownerMay && ctx.principal.kind === "user" ? await ctx.db.get(assets, assetId) : undefined;
  if (!(asset && isParty(asset.value.owner, ctx.principal.userId)))
    requirePermission(ctx.env, ctx.principal, permission);
}

/** Performs the requested action on the finding, or on an exemption of it. */
async function perform(ctx: Context, stored: Finding, before: Finding, request: ReviewRequest) {
  const { action, fields, reason } = request;
  const { action: _named, ...payload } = fields;
  if (action === "request_exemption" || action === "approve_exemption" || action === "reject_exemption") {
    const { id } = await PERFORM_ON_EXEMPTION[action](ctx, before, request);
    const after = await ctx.getOrThrow(findings, stored.id);
    return { after: findingAt(after, ctx.now), outcome: "done", payload: { ...payload, exemptionId: id } } as const;
  }
  const { patch, outcome }: Effect = await PERFORM[action](ctx, before, request);
  const after = await changeFinding(ctx, stored, patch, { action, reason: reason ?? null, triggeredBy: "user" });
  return { after, outcome, payload };
}

/** 409 with the actions that are allowed instead. */
function requireAllowed(action: ReviewActionName, { status }: Finding): void {
  if (isAllowed(action, status)) return;
  throw transitionRefused(`"${action}" is not possible from "${status}".`, {
    current: status,
    allowed: actionsFrom(status),
  });
}

interface Result {
  readonly before: Finding;
  readonly after: Finding;
  readonly outcome: Effect["outcome"];
  readonly payload: Readonly<Record<string, unknown>>;
}

async function record(ctx: Context, request: ReviewRequest, { before, after, outcome, payload }: Result) {
  const { action, reason = null, name = action, metadata, attributes } = request;
  const { id, version, ...marks } = ctx.stamp(findingReviews);
  const review: Review = {
    id,
    name,
    status: after.status,
    version,
    metadata: { ...metadata },
    ...marks,
    findingId: after.id,
    policyId: after.policyId,
    assetId: after.assetId,
    severity: after.effectiveSeverity,
    action,
    outcome,
    actor: { type: ctx.principal.kind, id: ctx.principal.userId },
    reason,
    payload: { ...payload },
    before: before.status,
    after: after.status,
    at: ctx.now,
    attributes: { ...attributes },
  };
  await ctx.insert(findingReviews, review);
  await ctx.emit({
    type: "review.recorded",
    subject: { id: after.id, type: "finding", path: `/api/v1/ai-governance/findings/${after.id}` },
    related: [after.assetId],
    data: { entity: { type: "finding", id: after.id, name: after.name }, review },
  });
  return review;
}

export const listReviews = defineOperation({
  id: "aiFindings.listReviews",
  method: "GET",
  path: `${PATH}/reviews`,
  tag,
  summary: "List what was done about a finding",
  access: { permission: "ai-finding:read", capability: "ai_governance" },
  params: ById,
  query: listQuery(findingReviews),
  success: { status: 200, schema: pageOf(Review) },
  async handler(ctx, { params, query }) {
    await ctx.getOrThrow(findings, params.id);
    return ctx.page(findingReviews, query, { where: { findingId: params.id } });
  },
});
