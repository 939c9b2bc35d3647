import type { AccessPolicy, AccessProfile } from "#families/access/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { AccessRequest, Conflict } from "../schema.js";
import { type Holding, holdingsOf, principalsOf } from "./holdings.js";
import { reachOf } from "./reach.js";
import { conflictsAmong, type NamedRule } from "./rules.js";

/** The rules about conflicts of some policies. */
export const rulesOf = (policies: readonly AccessPolicy[]): NamedRule[] =>
  policies.flatMap(({ id, conflicts }) => conflicts.map((rule) => ({ name: `${id}/${rule.key}`, rule })));

/** What access is looked at for: a request, or one assignment of it. */
export interface Wanted extends Pick<AccessRequest, "id" | "assetId" | "identityId" | "assignmentId"> {
  readonly items: readonly Pick<AccessRequest["items"][number], "accessProfileId" | "resourceId" | "assignmentId">[];
}

/** What a request conflicts with, and what its asset has already. */
export interface Look {
  readonly conflicts: Conflict[];
  readonly own: readonly Holding[];
  /** Whether some of it was left out, because it is too much. */
  readonly cut: boolean;
}

/**
 * Looks at what would come together with the access of a request: that of its asset, of all that it can call, and of
 * all that can call it.
 */
export async function lookAtConflicts(
  ctx: ReadContext,
  policies: readonly AccessPolicy[],
  { id, assetId, identityId, items, assignmentId }: Wanted,
  profiles: ReadonlyMap<string, AccessProfile>,
): Promise<Look> {
  const reach = await reachOf(ctx, [assetId], true);
  const all = [...new Set([...reach.groups.values()].flat())];
  // What it changes does not stand beside what it becomes.
  const except = new Set([id, ...(assignmentId === null ? [] : [assignmentId])]);
  for (const item of items) if (item.assignmentId !== null) except.add(item.assignmentId);
  const { byAsset, cut } = await holdingsOf(ctx, all, except);
  const principal = (await principalsOf(ctx, [identityId])).get(identityId) ?? "";
  const wanted = items.flatMap(({ accessProfileId, resourceId }) => {
    const profile = profiles.get(accessProfileId);
    return profile ? [{ assetId, identityId, principal, resourceId, profile, of: id }] : [];
  });
  const groups = new Map(
    [...reach.groups].map(([top, ids]) => [top, ids.flatMap((each) => [...(byAsset.get(each) ?? [])])] as const),
  );
  const conflicts = conflictsAmong(rulesOf(policies), wanted, groups);
  return { conflicts, own: byAsset.get(assetId) ?? [], cut: reach.cut || cut };
}
