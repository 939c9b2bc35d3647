import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import type { AccessAssignment } from "../../assignments/schema.js";
import { policiesInForce } from "../../policies/plan/in-force.js";
import { type AccessRequest, accessRequests, type Conflict } from "../schema.js";
import { profilesOf } from "./holdings.js";
import { lookAtConflicts, type Wanted } from "./look.js";

/** What a request conflicts with at this moment, and that nobody has permitted. Warnings are not among it. */
export async function unresolvedConflicts(
  ctx: ReadContext,
  request: Wanted & Pick<AccessRequest, "exemptions">,
): Promise<Conflict[]> {
  const profiles = await profilesOf(ctx, [...new Set(request.items.map(({ accessProfileId }) => accessProfileId))]);
  const { conflicts } = await lookAtConflicts(ctx, await policiesInForce(ctx), request, profiles);
  const exempted = new Set(request.exemptions.filter(({ expiresAt }) => expiresAt > ctx.now).map(({ rule }) => rule));
  return conflicts.filter(
    ({ onHit, rule }) => onHit === "deny" || (onHit === "require_exemption" && !exempted.has(rule)),
  );
}

/** What access that was granted conflicts with at this moment. What its request was permitted stays permitted. */
export async function conflictsOfAssignment(ctx: ReadContext, one: AccessAssignment): Promise<Conflict[]> {
  const { assetId, identityId, accessProfileId, resourceId, id: assignmentId } = one;
  const request = one.requestId === null ? undefined : (await ctx.db.get(accessRequests, one.requestId))?.value;
  const items = [{ accessProfileId, resourceId, assignmentId }];
  const exemptions = request?.exemptions ?? [];
  return unresolvedConflicts(ctx, {
    id: one.requestId ?? one.id,
    assetId,
    identityId,
    items,
    assignmentId,
    exemptions,
  });
}
