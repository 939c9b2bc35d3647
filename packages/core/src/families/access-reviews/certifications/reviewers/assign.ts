import { resourceOwners } from "#families/access/index.js";
import type { AccessAssignment } from "#families/access-grants/index.js";
import { assets } from "#families/estate/index.js";
import type { User } from "#families/identity/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { factsOf } from "../certification-facts.js";
import type { CertificationStage } from "../fields.js";
import type { CertificationItem } from "../items/schema.js";
import type { Certification } from "../schema.js";
import { profilesOf } from "../snapshot-look.js";
import { involvedInAccess } from "./involved-in-access.js";
import { panelsOf } from "./panels.js";
import { isAmong, Reviewers } from "./people.js";

/** Who reviews access in a stage. */
export type Assigned = Pick<CertificationItem, "panelId" | "reviewers">;

/** An item with its assignment, as it is now. */
export interface Reviewed {
  readonly item: Pick<CertificationItem, "decisions">;
  readonly assignment: AccessAssignment;
}

/**
 * Finds who reviews each of some items in a stage, with a few queries for all of them. Nobody reviews access that is
 * for them, that they asked for or that they approved alone, and nobody decides about the same access twice.
 */
export async function assign(
  ctx: Context,
  campaign: Certification,
  stage: CertificationStage,
  some: readonly Reviewed[],
): Promise<Assigned[]> {
  const all = some.map(({ assignment }) => assignment);
  const facts = await factsOf(ctx, all);
  const named = await candidatesOf(ctx, stage, all);
  const people = new Reviewers(ctx);
  // Whoever has begun a campaign and answers for it has made themself its reviewer.
  const owner = campaign.ownerId === campaign.createdBy ? [] : [campaign.ownerId];
  const fallback = [...stage.fallbackUserIds, ...owner];
  const sets = await Promise.all(
    some.map(async ({ item, assignment }) => {
      const involved = [...involvedInAccess(assignment, facts(assignment)), ...item.decisions.map(({ by }) => by)];
      const free = (found: readonly User[]) => found.filter((user) => !isAmong(user, involved)).map(({ id }) => id);
      const chosen = free(
        campaign.escalated && owner.length > 0
          ? await people.named(owner)
          : stage.reviewer === "group"
            ? await people.ofRole(stage.group ?? "")
            : await people.named(named(assignment)),
      );
      if (chosen.length > 0 || stage.onNoReviewer === "hold") return chosen;
      return free(await people.named(fallback));
    }),
  );
  const panels = await panelsOf(ctx, sets);
  return sets.map((reviewers, at) => ({ panelId: panels[at] ?? null, reviewers: [...new Set(reviewers)].sort() }));
}

/** Ids and addresses of whom a stage names for each of some assignments. */
async function candidatesOf(
  ctx: ReadContext,
  { reviewer, userIds = [] }: CertificationStage,
  all: readonly AccessAssignment[],
): Promise<(one: AccessAssignment) => readonly string[]> {
  if (reviewer === "asset_owner") {
    const rows = await ctx.db.getMany(assets, [...new Set(all.map(({ assetId }) => assetId))]);
    const owners = new Map(rows.map(({ id, value: { owner } }) => [id, owner?.type === "user" ? [owner.id] : []]));
    return ({ assetId }) => owners.get(assetId) ?? [];
  }
  if (reviewer === "resource_owner") return resourceOwners(ctx, all);
  if (reviewer === "profile_owner") {
    const profiles = await profilesOf(ctx, all);
    return ({ accessProfileId }) => {
      const approver = profiles.get(accessProfileId)?.curatedBy;
      return approver ? [approver] : [];
    };
  }
  return () => userIds;
}
