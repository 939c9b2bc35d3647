import { assetNameOf } from "#families/access/index.js";
import {
  type AccessAssignment,
  type AccessReconciliation,
  accessAssignments,
  accessReconciliations,
  isOverdue,
  OVERDUE_AFTER,
  unknownOf,
} from "#families/access-grants/index.js";
import {
  type AccessRequest,
  accessRequests,
  activeStage,
  isShort,
  neededFor,
} from "#families/access-requests/index.js";
import { observe, observeEnd } from "#families/findings/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { hoursMs } from "#ports/durations.js";

/** What a grant is in its target, for people who put it right there by hand. */
const inTarget = ({
  profileExternalId,
  principal,
  resource,
  connectorInstanceId,
}: AccessAssignment | AccessReconciliation) => ({
  ...{ connectorInstanceId, profile: profileExternalId, principal: principal.externalId },
  ...{ resource: resource.externalId, resourceType: resource.type },
});

/** A revocation that the target does not confirm. It ends with the access, and stays where nobody asks any more. */
export const findStuckRevocations = defineFollower(accessAssignments, async (ctx, { before, after }) => {
  if (!after || before?.status === after.status) return;
  const at = { ruleKey: "revoke_failed", assetId: after.assetId, locus: after.id };
  if (after.status === "revoke_failed") {
    const { profile, principal, resource, resourceType } = inTarget(after);
    const failure = after.failure && { errorClass: after.failure.errorClass, code: after.failure.code };
    await observe(ctx, {
      ...{ ...at, assetName: await assetNameOf(ctx, after.assetId), severity: "critical" },
      title: "Access that was ended may be there still",
      message: `The target does not confirm the end of "${after.name}". It is asked again until it does.`,
      remediation: `Take "${profile}" away from "${principal}" on ${resourceType} "${resource}" in the target, or say that it is gone there.`,
      values: { assignmentId: after.id, ...inTarget(after), failure },
    });
  } else if (before?.status === "revoke_failed" && after.status !== "orphaned") await observeEnd(ctx, at);
});

/** Whether a target took something of an assignment, or its removal, and does not show it. */
const isUnseen = (one: AccessAssignment | undefined) => one?.targetState === "unknown" && one.unseenSince !== null;

/** What a target does not show nobody can check there: whether access is there, or whether it is gone. */
export const findUnseenAccess = defineFollower(accessAssignments, async (ctx, { before, after }) => {
  const isOver = (one: AccessAssignment | undefined) => one !== undefined && one.endedAt !== null;
  if (!after || (isUnseen(before) === isUnseen(after) && isOver(before) === isOver(after))) return;
  const at = { ruleKey: "target_hides", assetId: after.assetId, locus: after.id };
  const unknown = unknownOf(after);
  if (!isUnseen(after) || !unknown) return isUnseen(before) ? observeEnd(ctx, at) : undefined;
  const { profile, principal, resource, resourceType } = inTarget(after);
  await observe(ctx, {
    ...{ ...at, assetName: await assetNameOf(ctx, after.assetId), severity: isOver(after) ? "medium" : "low" },
    title: isOver(after)
      ? "A target does not show whether access is gone"
      : "A target does not show access that it took",
    message: isOver(after)
      ? `The target took the removal of "${after.name}", and has never shown that access.`
      : `The target took the grant of "${after.name}", and does not show it.`,
    remediation: `Look in the target itself who has "${profile}" on ${resourceType} "${resource}", and whether "${principal}" is among them.`,
    values: { assignmentId: after.id, ...inTarget(after), since: unknown.since, settledBy: unknown.settledBy },
  });
});

/** The active stage of a request that asks fewer people than it needs. */
function unmanned(request: AccessRequest | undefined) {
  const stage = request?.status === "pending_approval" ? activeStage(request) : undefined;
  return stage && isShort(stage) ? stage : undefined;
}

/** A request that waits for people who do not exist. It never approves itself. */
export const findUnmannedRequests = defineFollower(accessRequests, async (ctx, { before, after }) => {
  const stage = unmanned(after);
  const at = {
    ruleKey: "request_unmanned",
    assetId: (after ?? before)?.assetId ?? "",
    locus: (after ?? before)?.id ?? "",
  };
  if (!stage) {
    if (unmanned(before)) await observeEnd(ctx, at);
    return;
  }
  if (unmanned(before)?.name === stage.name) return;
  await observe(ctx, {
    ...{ ...at, assetName: await assetNameOf(ctx, at.assetId), severity: "medium" },
    title: "Nobody may decide about a request for access",
    message: `"${stage.name}" takes ${neededFor(stage)} to approve, and asks ${stage.candidates.length}.`,
    remediation: "Name other approvers or a fallback in the access policy, or cancel the request.",
    values: { requestId: at.locus, stage: stage.name, needed: neededFor(stage), candidates: stage.candidates.length },
  });
});

const HOURS = OVERDUE_AFTER / hoursMs(1);

/** What a target was asked to do, and has not done for a day. */
export const findOverdueWork = defineFollower(accessReconciliations, async (ctx, { before, after }) => {
  const isLate = after !== undefined && isOverdue(after, ctx.request.nowMs);
  const wasLate = before !== undefined && isOverdue(before, ctx.request.nowMs);
  if (!isLate && !wasLate) return;
  const reconciliation = (after ?? before) as AccessReconciliation;
  const assetId = await assetOf(ctx, reconciliation);
  if (assetId === undefined) return;
  const at = { ruleKey: "target_overdue", assetId, locus: reconciliation.id };
  if (!isLate) return observeEnd(ctx, at);
  const doing = reconciliation.acting ?? "change";
  await observe(ctx, {
    ...{ ...at, assetName: await assetNameOf(ctx, assetId), severity: doing === "revoke" ? "high" : "medium" },
    title: "A target has not done what it took on",
    message: `The target said that it would ${doing} it, and has not for more than ${HOURS} hours.`,
    remediation: "Ask those who run the target what became of it.",
    values: {
      assignmentId: reconciliation.assignmentId,
      ...inTarget(reconciliation),
      acting: reconciliation.acting,
      since: reconciliation.externalSince,
    },
  });
});

async function assetOf(ctx: Context, { assignmentId }: AccessReconciliation): Promise<string | undefined> {
  return assignmentId === null ? undefined : (await ctx.db.get(accessAssignments, assignmentId))?.value.assetId;
}
