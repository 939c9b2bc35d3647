import { accessDrift, DRIFT_KINDS } from "#families/access-drift/index.js";
import { accessRequests, activeStage } from "#families/access-requests/index.js";
import { askedReviewers, certifications } from "#families/access-reviews/index.js";
import { erasures } from "#families/activity/index.js";
import { assessments } from "#families/assessments/index.js";
import { compliance } from "#families/compliance/index.js";
import { ASSET_CONTENT, assets, halts, mcpServers, tools } from "#families/estate/index.js";
import { findings } from "#families/findings/index.js";
import { decisionApprovals, exemptions, POLICY_CONTENT, policies } from "#families/governance/index.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { confirmsChange } from "./confirmed-change.js";
import { type AnyReviewKind, by, defineReviewKind, type Waiting } from "./review-kind.js";
import { type Review, reviews } from "./schema.js";

/** What is told of an asset: what people say of it, and how far it has come. */
const TOLD_OF_ASSETS = [...ASSET_CONTENT, "status"];

/** The only thing that waits about a record, or nothing. */
const when = (waits: boolean, one: Waiting): readonly Waiting[] => (waits ? [one] : []);

const certificationSubject = (id: string) => ({
  type: "access_certification",
  id,
  path: `/api/v1/access-certifications/${id}`,
});

/** Everything that can wait for somebody. A new kind is one entry here. */
export const REVIEW_KIND_TABLE: readonly AnyReviewKind[] = [
  defineReviewKind({
    kind: "asset_review",
    collection: assets,
    reads: "ai-asset:read",
    decides: "ai-governance:approve",
    asks: ["request_review", "request_renewal"],
    approves: by("approve", "approve_conditionally", "renew"),
    refuses: ["reject"],
    tells: TOLD_OF_ASSETS,
    waiting: ({ id, name, governanceState, requestedBy, reviewUntil }) =>
      when(governanceState === "under_review" || reviewUntil !== null, {
        name,
        requestedBy,
        assetId: id,
        dueAt: reviewUntil,
      }),
  }),
  defineReviewKind({
    kind: "condition",
    collection: assets,
    reads: "ai-asset:read",
    decides: "ai-governance:approve",
    takesAsker: true,
    asked: ({ decision }) => decision,
    approves: by("approve", "approve_conditionally", "renew"),
    refuses: ["reject"],
    tells: TOLD_OF_ASSETS,
    waiting: ({ id, governanceState, conditions, owner, decision }) =>
      governanceState === "conditionally_approved"
        ? conditions
            .filter(({ metAt }) => metAt === null)
            .map(({ key, text, dueAt }) => ({
              key,
              name: nameOf(text) || key,
              assetId: id,
              assignee: owner?.type === "user" ? owner.id : null,
              requestedBy: decision?.by ?? null,
              dueAt,
            }))
        : [],
  }),
  defineReviewKind({
    kind: "tool_review",
    collection: tools,
    reads: "ai-tool:read",
    decides: "ai-tool:approve",
    approves: by("approve", "renew"),
    refuses: ["block"],
    // What a server offers is approved with the server.
    waiting: ({ name, status, serverId, assetId, updatedBy }) =>
      when(serverId === null && (status === "pending_review" || status === "changed"), {
        name,
        assetId,
        requestedBy: updatedBy,
      }),
  }),
  defineReviewKind({
    kind: "mcp_manifest",
    collection: mcpServers,
    reads: "mcp-server:read",
    decides: "ai-tool:approve",
    approves: ({ type }) => type.endsWith(".mcp.tool.approved.v1"),
    waiting: ({ name, assetId, manifest }) =>
      when(manifest.current !== null && manifest.state !== "in_sync", { name, assetId, requestedBy: null }),
  }),
  defineReviewKind({
    kind: "finding_dismissal",
    collection: findings,
    reads: "ai-finding:read",
    decides: "ai-finding:dismiss",
    asked: ({ dismissalRequest }) => dismissalRequest,
    waiting: ({ title, assetId, dismissalRequest: asked, dueAt }) =>
      asked ? [{ name: nameOf(title), assetId, requestedBy: asked.by, dueAt }] : [],
  }),
  defineReviewKind({
    kind: "finding_severity",
    collection: findings,
    reads: "ai-finding:read",
    decides: "ai-finding:dismiss",
    asked: ({ severityRequest }) => severityRequest,
    waiting: ({ title, assetId, severityRequest: asked, dueAt }) =>
      asked ? [{ name: nameOf(title), assetId, requestedBy: asked.by, dueAt }] : [],
  }),
  defineReviewKind({
    kind: "exemption",
    collection: exemptions,
    reads: "ai-exemption:read",
    decides: "ai-exemption:approve",
    asked: ({ requestedBy, requestedAt, reason }) => ({ by: requestedBy, at: requestedAt, reason }),
    waiting: ({ name, status, onAssetId, requestedBy, expiresAt }) =>
      when(status === "requested", { name, assetId: onAssetId, requestedBy, endsAt: expiresAt }),
  }),
  defineReviewKind({
    kind: "action_approval",
    collection: decisionApprovals,
    reads: "ai-approval:read",
    decides: "ai-approval:decide",
    asked: ({ requestedBy, createdAt, reasons }) => ({
      ...{ by: requestedBy, at: createdAt },
      reason: reasons.map(({ message }) => message).join(" "),
    }),
    waiting: ({ name, status, assetIds, requestedBy, expiresAt }) =>
      when(status === "requested", { name, assetId: assetIds[0] ?? null, requestedBy, endsAt: expiresAt }),
  }),
  defineReviewKind({
    kind: "assessment",
    collection: assessments,
    reads: "ai-assessment:read",
    decides: "ai-assessment:approve",
    asks: ["submit"],
    approves: by("approve"),
    refuses: ["return"],
    waiting: ({ name, status, assetId, submittedBy }) =>
      when(status === "in_review", { name, assetId, requestedBy: submittedBy }),
  }),
  defineReviewKind({
    kind: "attestation",
    collection: compliance,
    reads: "ai-compliance:read",
    decides: "ai-compliance:attest",
    asks: ["submit"],
    approves: by("attest", "exempt", "exclude"),
    refuses: ["send_back"],
    waiting: ({ name, workflow, assetId, requestedBy, nextReviewAt }) =>
      when(workflow === "in_review", { name, assetId, requestedBy, dueAt: nextReviewAt }),
  }),
  defineReviewKind({
    kind: "halt_lift",
    collection: halts,
    reads: "ai-halt:read",
    decides: "ai-halt:lift",
    asked: ({ liftRequest }) => liftRequest,
    waiting: ({ name, scope, target, liftRequest: asked }) =>
      asked ? [{ name, assetId: scope === "mcp_server" ? target : null, requestedBy: asked.by }] : [],
  }),
  defineReviewKind({
    kind: "policy_change",
    collection: policies,
    reads: "ai-policy:read",
    decides: "ai-policy:activate",
    asked: ({ pending }) => pending,
    approves: (event) => by("activate")(event) || confirmsChange(event),
    tells: POLICY_CONTENT,
    waiting: ({ name, pending }) => (pending ? [{ name, assetId: null, requestedBy: pending.by }] : []),
  }),
  defineReviewKind({
    kind: "erasure",
    collection: erasures,
    reads: "ai-audit:read",
    decides: "ai-audit:approve",
    asked: ({ requestedBy, createdAt, reason }) => ({ by: requestedBy, at: createdAt, reason }),
    waiting: ({ name, status, requestedBy }) => when(status === "requested", { name, assetId: null, requestedBy }),
  }),
  defineReviewKind({
    kind: "access_request",
    collection: accessRequests,
    reads: "access:read",
    decides: "access-request:decide",
    isPersonal: true,
    asked: ({ requestedBy, createdAt, reason }) => ({ by: requestedBy, at: createdAt, reason }),
    // One for each who is asked, because others who hold the permission may not decide it.
    waiting: (request) => {
      const { name, assetId, requestedBy, pendingExpiresAt, votes, stages } = request;
      const stage = activeStage(request);
      const at = stage ? stages.indexOf(stage) : -1;
      const voted = votes.filter((vote) => vote.stage === at && vote.decision === "approve" && !vote.stale);
      return (stage?.candidates ?? [])
        .filter(({ userId }) => !voted.some(({ by }) => by === userId))
        .map(({ userId }) => ({
          ...{ key: userId, name, assetId, requestedBy, assignee: userId },
          ...{ dueAt: stage?.dueAt ?? null, endsAt: pendingExpiresAt },
        }));
    },
  }),
  defineReviewKind({
    kind: "certification",
    collection: askedReviewers,
    reads: "access-certification:review",
    decides: "access-certification:review",
    isPersonal: true,
    subject: ({ certificationId }) => certificationSubject(certificationId),
    waiting: ({ userId, name, ownerId, dueAt }) => [
      { key: userId, name, assetId: null, requestedBy: ownerId, assignee: userId, dueAt },
    ],
  }),
  defineReviewKind({
    kind: "certification_confirmation",
    collection: certifications,
    reads: "access:read",
    decides: "access-certification:confirm",
    waiting: ({ name, status, ownerId }) =>
      when(status === "awaiting_confirmation", { name, assetId: null, requestedBy: ownerId }),
  }),
  defineReviewKind({
    kind: "access_drift",
    collection: accessDrift,
    reads: "access:read",
    decides: "access-drift:decide",
    waiting: ({ kind, status, assetId }) =>
      when(status === "open", { name: DRIFT_KINDS[kind], assetId, requestedBy: null }),
  }),
  // It follows no record: a stop without a reason makes it, and the reason ends it.
  defineReviewKind({
    kind: "stop_reason",
    collection: reviews,
    reads: "review:read",
    decides: "review:read",
    isPersonal: true,
    waiting: () => [],
  }),
];

const BY_NAME = new Map(REVIEW_KIND_TABLE.map((kind) => [kind.kind, kind] as const));

/** The kind of a review. */
export function kindOf({ kind }: Pick<Review, "kind">): AnyReviewKind {
  const found = BY_NAME.get(kind);
  if (!found) throw new Error(`there is no kind of review ${kind}`);
  return found;
}
