import { type AccessProfile, accessProfiles } from "#families/access/index.js";
import type { AccessAssignment } from "#families/access-grants/index.js";
import { assets } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { factsOf } from "./certification-facts.js";
import { type CertificationItem, certificationItems } from "./items/schema.js";
import { changesBetween, recommendationFor, snapshotOf } from "./take-snapshot.js";

/** What an item shows of access at one moment. */
export type Looked = Pick<CertificationItem, "snapshot" | "previous" | "changes" | "recommendation" | "assetName">;

const byId = <T extends { readonly id: string }>(rows: readonly { readonly value: T }[]) =>
  new Map(rows.map(({ value }) => [value.id, value] as const));
const distinct = (ids: readonly string[]) => [...new Set(ids)];

/** The profiles of some assignments. */
export async function profilesOf(ctx: ReadContext, some: readonly Pick<AccessAssignment, "accessProfileId">[]) {
  const ids = distinct(some.map(({ accessProfileId }) => accessProfileId));
  return byId<AccessProfile>(await ctx.db.getMany(accessProfiles, ids));
}

/** Looks at some assignments as reviewers will see them, with a few queries for all of them. */
export async function lookAtAll(
  ctx: ReadContext,
  some: readonly AccessAssignment[],
): Promise<(one: AccessAssignment) => Looked> {
  const assetIds = distinct(some.map(({ assetId }) => assetId));
  const values = some.map(({ id }) => id);
  const [profiles, names, facts, before] = await Promise.all([
    profilesOf(ctx, some),
    ctx.db.getMany(assets, assetIds).then((rows) => byId(rows)),
    factsOf(ctx, some),
    ctx.db.findTopPerKey(certificationItems, { field: "finishedFor", values, size: 1 }),
  ]);
  return (one) => {
    const profile = profiles.get(one.accessProfileId);
    const snapshot = snapshotOf(one, profile, facts(one), ctx.now);
    const last = before.get(one.id)?.[0]?.value;
    const changes = last ? changesBetween(last.snapshot, snapshot) : [];
    const assetName = names.get(one.assetId)?.name ?? one.assetId;
    const recommendation = recommendationFor(snapshot, changes, profile?.status);
    return { snapshot, previous: last ? wordOf(last) : null, changes, recommendation, assetName };
  };
}

function wordOf({ certificationId, outcome, decidedAt, updatedAt, decisions }: CertificationItem) {
  const by = distinct(decisions.map((one) => one.by));
  return { certificationId, outcome, at: decidedAt ?? updatedAt, by };
}
