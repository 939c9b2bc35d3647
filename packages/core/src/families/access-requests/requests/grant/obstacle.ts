import { accessIdentities, accessResources, PROVISION, unmanagedAmong } from "#families/access/index.js";
import { Reviewers } from "#families/access-reviews/index.js";
import { instances } from "#families/connectors/index.js";
import { assets, effectiveOf, engagedSwitchesOf } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { profilesOf } from "../conflicts/holdings.js";
import { unresolvedConflicts } from "../conflicts/unresolved.js";
import { changeObstacle } from "../create/change.js";
import { DECIDE } from "../decide/candidates.js";
import { editedSince } from "../decide/edited-since.js";
import type { RESOLUTIONS } from "../fields.js";
import type { AccessRequest } from "../schema.js";

/**
 * Why approved access is not granted: the target is not ready (`wait`), people must decide again (`reopen`), or it can
 * no longer be granted at all (`refuse`).
 */
export type Obstacle =
  | { readonly next: "wait" | "reopen"; readonly why: string }
  | { readonly next: "refuse"; readonly why: string; readonly code: (typeof RESOLUTIONS)[number] };

/** Looks once more at all that an approval depends on, before access is granted. `undefined`: nothing is in its way. */
export async function obstacleOf(ctx: ReadContext, request: AccessRequest): Promise<Obstacle | undefined> {
  return (
    (await byAsset(ctx, request)) ??
    (await byMeaning(ctx, request)) ??
    (await byVoters(ctx, request)) ??
    (await byConflicts(ctx, request)) ??
    (await byTarget(ctx, request))
  );
}

async function byAsset(ctx: ReadContext, { assetId, identityId }: AccessRequest): Promise<Obstacle | undefined> {
  const row = await ctx.db.get(assets, assetId);
  const asset = row && ctx.derived(assets, row);
  if (!asset || asset.status === "retired")
    return { next: "refuse", why: "The asset is retired.", code: "asset_retired" };
  if (!(await ctx.db.get(accessIdentities, identityId)))
    return { next: "refuse", why: "The asset does not act as this in the target any more.", code: "not_requestable" };
  const { decision } = await effectiveOf(ctx, asset.id, asset.assetType);
  return decision === "deny" ? { next: "wait", why: "The asset may not be used now." } : undefined;
}

async function byMeaning(ctx: ReadContext, request: AccessRequest): Promise<Obstacle | undefined> {
  const profiles = await profilesOf(ctx, [...new Set(request.items.map(({ accessProfileId }) => accessProfileId))]);
  for (const { accessProfileId, definitionHash, profileName } of request.items) {
    const profile = profiles.get(accessProfileId);
    if (profile?.status !== "approved")
      return { next: "refuse", why: `The access profile "${profileName}" is not approved.`, code: "not_requestable" };
    if (profile.definitionHash !== definitionHash)
      return { next: "reopen", why: `The access profile "${profileName}" means something else by now.` };
  }
  const ids = [...new Set(request.items.map(({ resourceId }) => resourceId))];
  const resources = (await ctx.db.getMany(accessResources, ids)).map(({ value }) => value);
  const gone = resources.find(({ status }) => status !== "active");
  if (gone?.status === "retired")
    return { next: "refuse", why: `The target has "${gone.name}" no more.`, code: "not_requestable" };
  if (gone) return { next: "wait", why: `The resource "${gone.name}" is ${gone.status}.` };
  const [mark] = (await unmanagedAmong(ctx, resources)).values();
  if (mark) return { next: "wait", why: `"${mark.name}" is unmanaged.` };
  if (request.assignmentId === null) return undefined;
  const why = await changeObstacle(ctx, request.assignmentId, request);
  return why === undefined ? undefined : { next: "refuse", why, code: "not_requestable" };
}

async function byVoters(ctx: ReadContext, { votes }: AccessRequest): Promise<Obstacle | undefined> {
  const voters = [...new Set(votes.filter((vote) => !vote.stale && vote.decision === "approve").map(({ by }) => by))];
  const working = await new Reviewers(ctx, DECIDE).named(voters);
  if (working.length < voters.length)
    return { next: "reopen", why: "Somebody who has approved it may approve nothing any more." };
  if ((await editedSince(ctx, votes)).size === 0) return undefined;
  return { next: "reopen", why: "Somebody who has approved it has changed a policy since." };
}

async function byConflicts(ctx: ReadContext, request: AccessRequest): Promise<Obstacle | undefined> {
  const [conflict] = await unresolvedConflicts(ctx, request);
  return conflict && { next: "refuse", why: conflict.text, code: "conflict" };
}

async function byTarget(ctx: ReadContext, { connectorInstanceId }: AccessRequest): Promise<Obstacle | undefined> {
  if ((await engagedSwitchesOf(ctx)).has(PROVISION)) return { next: "wait", why: "Provisioning is switched off." };
  const row = await ctx.db.get(instances, connectorInstanceId);
  const target = row && ctx.derived(instances, row);
  if (!target) return { next: "refuse", why: "The target is gone.", code: "not_requestable" };
  if (target.status !== "active") return { next: "wait", why: `The target is ${target.status}.` };
  return target.governanceMode === "observe" ? { next: "wait", why: "The target is only observed." } : undefined;
}
