import { policiesInForce } from "#families/access/index.js";
import type { AccessAssignment } from "#families/access-grants/index.js";
import { Reviewers } from "#families/access-reviews/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { EXEMPT } from "../decide/exempt.js";
import { requestsBehind } from "../queries.js";
import { exemptionsInForce } from "../rules.js";
import type { AccessRequest, Conflict, ConflictExemption } from "../schema.js";
import { profilesOf } from "./holdings.js";
import { lookAtConflicts, type Wanted } from "./look.js";

/**
 * What a request conflicts with at this moment, and that nobody has permitted who may still do so. Warnings are not among
 * it.
 */
export async function unresolvedConflicts(ctx: ReadContext, request: AccessRequest): Promise<Conflict[]> {
  const given = exemptionsInForce(request, ctx.now);
  const people = await new Reviewers(ctx, EXEMPT).named([...new Set(given.map(({ by }) => by))]);
  const may = new Set(people.map(({ id }) => id));
  return conflictsBeyond(
    ctx,
    request,
    given.filter(({ by }) => may.has(by)),
  );
}

/** What access that was granted conflicts with at this moment. What its requests were permitted stays permitted. */
export async function conflictsOfAssignment(ctx: ReadContext, one: AccessAssignment): Promise<Conflict[]> {
  const { assetId, identityId, accessProfileId, resourceId, id: assignmentId } = one;
  const requests = (await requestsBehind(ctx, [one]))(one);
  const items = [{ accessProfileId, resourceId, assignmentId }];
  return conflictsBeyond(
    ctx,
    { id: one.requestId ?? one.id, assetId, identityId, items, assignmentId },
    requests.flatMap((request) => exemptionsInForce(request, ctx.now)),
  );
}

async function conflictsBeyond(
  ctx: ReadContext,
  wanted: Wanted,
  exemptions: readonly ConflictExemption[],
): Promise<Conflict[]> {
  const profiles = await profilesOf(ctx, [...new Set(wanted.items.map(({ accessProfileId }) => accessProfileId))]);
  const { conflicts } = await lookAtConflicts(ctx, await policiesInForce(ctx), wanted, profiles);
  const exempted = new Set(exemptions.map(({ rule }) => rule));
  return conflicts.filter(
    ({ onHit, rule }) => onHit === "deny" || (onHit === "require_exemption" && !exempted.has(rule)),
  );
}
