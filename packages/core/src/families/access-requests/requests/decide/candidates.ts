import {
  type Approver,
  accessIdentities,
  policiesInForce,
  policyEditors,
  resourceOwners,
} from "#families/access/index.js";
import { isAmong, Reviewers } from "#families/access-reviews/index.js";
import { refusedDeciders } from "#families/accountability/index.js";
import { instances } from "#families/connectors/index.js";
import { assets } from "#families/estate/index.js";
import { type User, users } from "#families/identity/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { profilesOf } from "../conflicts/holdings.js";
import type { AccessRequest, Candidate, RequestStage } from "../schema.js";

/** The permission that deciding takes. */
export const DECIDE = "access-request:decide";
/** The most people of a role who are asked by name. Others of it may decide as well. */
const MOST = 50;

/**
 * Ids and names of who may decide nothing about a request, each with why. Editors of policies are those of when it was
 * evaluated and those of now, because who waits may remove what stands in the way.
 */
export async function involvedInRequest(
  ctx: ReadContext,
  { requestedBy, identityId, editors, votes }: Pick<AccessRequest, "requestedBy" | "identityId" | "editors" | "votes">,
  stage: number,
): Promise<ReadonlyMap<string, string>> {
  const principal = (await ctx.db.get(accessIdentities, identityId))?.value.principal;
  const holder = principal?.type === "user" ? [principal.externalId, principal.displayName ?? ""] : [];
  const now = await policyEditors(ctx, await policiesInForce(ctx));
  return new Map<string, string>([
    ...votes
      .filter((one) => !one.stale && one.decision === "approve" && one.stage !== stage)
      .map(({ by }) => [by, "has approved it in another round"] as const),
    ...[...editors, ...now].map((id) => [id, "has changed a policy within a day"] as const),
    ...holder.filter((name) => name !== "").map((name) => [name, "is who has the access"] as const),
    [requestedBy, "has asked for it"],
  ]);
}

/** The people of a stage of a request who may decide, and those who may not, each with why. */
export async function peopleOf(
  ctx: ReadContext,
  request: AccessRequest,
  stage: RequestStage,
  at: number,
): Promise<Pick<RequestStage, "candidates" | "excluded">> {
  const involved = await involvedInRequest(ctx, request, at);
  const found = await named(ctx, request, stage, stage.escalated ? stage.escalateTo : stage.approvers);
  const first = await sorted(ctx, request, found, involved);
  const isEnough = first.candidates.length >= Math.max(1, stage.mode === "quorum" ? (stage.approveThreshold ?? 1) : 1);
  if (isEnough || stage.fallback.length === 0) return first;
  const more = await sorted(ctx, request, await named(ctx, request, stage, stage.fallback), involved);
  const known = new Set(first.candidates.map(({ userId }) => userId));
  return {
    candidates: [...first.candidates, ...more.candidates.filter(({ userId }) => !known.has(userId))].slice(0, MOST),
    excluded: [...first.excluded, ...more.excluded].slice(0, MOST),
  };
}

interface Found {
  readonly user: User;
  readonly why: string;
}

/** Whom approvers name, each once. */
async function named(
  ctx: ReadContext,
  request: AccessRequest,
  { items }: RequestStage,
  approvers: readonly Approver[],
): Promise<Found[]> {
  const people = new Map<string, Found>();
  const add = (some: readonly User[], why: string) => {
    for (const user of some) if (!people.has(user.id)) people.set(user.id, { user, why });
  };
  const byIds = async (ids: readonly string[], why: string) =>
    add(
      (await ctx.db.getMany(users, [...new Set(ids)])).map(({ value }) => value),
      why,
    );
  const wanted = request.items.filter(({ key }) => items.includes(key));
  for (const { kind, id = "" } of approvers) {
    if (kind === "user") await byIds([id], "is named by the policy");
    else if (kind === "role") add(await ofRole(ctx, id), `has the role ${id}`);
    else if (kind === "target_owner") {
      const target = await ctx.db.get(instances, request.connectorInstanceId);
      await byIds(target?.value.ownerIds ?? [], "owns the connected system");
    } else if (kind === "asset_owner") {
      const owner = (await ctx.db.get(assets, request.assetId))?.value.owner;
      await byIds(owner?.type === "user" ? [owner.id] : [], "owns the asset");
    } else if (kind === "resource_owner") {
      const { connectorInstanceId } = request;
      const resources = wanted.map(({ resourceId }) => ({ resourceId, connectorInstanceId }));
      const owners = await resourceOwners(ctx, resources);
      await byIds(resources.flatMap(owners), "owns the resource");
    } else {
      const profiles = await profilesOf(ctx, [...new Set(wanted.map(({ accessProfileId }) => accessProfileId))]);
      await byIds(
        [...profiles.values()].flatMap(({ curatedBy }) => (curatedBy === null ? [] : [curatedBy])),
        "has approved the kind of access",
      );
    }
  }
  return [...people.values()];
}

async function ofRole(ctx: ReadContext, role: string): Promise<User[]> {
  const { rows } = await ctx.db.find(users, { where: { roles: role }, size: MOST });
  return rows.map(({ value }) => value);
}

async function sorted(
  ctx: ReadContext,
  { requestedBy }: AccessRequest,
  found: readonly Found[],
  involved: ReadonlyMap<string, string>,
): Promise<Pick<RequestStage, "candidates" | "excluded">> {
  const people = new Reviewers(ctx, DECIDE);
  const working = new Set((await people.named(found.map(({ user }) => user.id))).map(({ id }) => id));
  const all = found.map(({ user }) => user);
  const refused = await refusedDeciders(ctx, all, [requestedBy]);
  const [candidates, excluded]: [Candidate[], Candidate[]] = [[], []];
  for (const { user, why } of found) {
    const { id: userId, name } = user;
    const conflict = [...involved].find(([one]) => isAmong(user, [one]))?.[1];
    const against = conflict ?? (working.has(userId) ? refused.get(userId) : "may decide nothing");
    if (against === undefined) candidates.push({ userId, name, why });
    else excluded.push({ userId, name, why: against });
  }
  return { candidates: candidates.slice(0, MOST), excluded: excluded.slice(0, MOST) };
}

/** Whether somebody is asked by a stage: by name, or by a role of it. */
export function isAsked(
  { candidates, approvers, escalated, escalateTo, fallback }: RequestStage,
  { userId, roles }: { readonly userId: string; readonly roles: readonly string[] },
): boolean {
  if (candidates.some((one) => one.userId === userId)) return true;
  const byRole = [...(escalated ? escalateTo : approvers), ...(candidates.length === 0 ? fallback : [])];
  return byRole.some(({ kind, id = "" }) => kind === "role" && roles.includes(id));
}
