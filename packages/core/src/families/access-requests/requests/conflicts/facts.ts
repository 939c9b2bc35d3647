import { policiesInForce, sharedKey } from "#families/access/index.js";
import type { AccessAssignment } from "#families/access-grants/index.js";
import { type AccessFacts, accessFacts, accessPeople } from "#families/access-reviews/index.js";
import { extend } from "#kernel/config/extension.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { requestsBehind } from "../queries.js";
import { holdingsOf, profilesOf } from "./holdings.js";
import { rulesOf } from "./look.js";
import { reachOf } from "./reach.js";
import { conflictsAmong } from "./rules.js";

/** What requests know of access that is reviewed: who asked for it, who approved it, and what it conflicts with. */
export const requestFacts = extend(accessFacts, async (ctx, some) => {
  const [people, conflicts] = [await peopleOf(ctx, some), await conflictsOf(ctx, some)];
  return new Map(
    some.map((one) => [one.id, { ...people(one), conflicts: conflicts.get(one.id) ?? [] } satisfies AccessFacts]),
  );
});

/** The people of those facts alone, for access that nobody looks at in full. */
export const requestPeople = extend(accessPeople, async (ctx, some) => {
  const people = await peopleOf(ctx, some);
  return new Map(some.map((one) => [one.id, people(one)]));
});

async function peopleOf(ctx: ReadContext, some: readonly AccessAssignment[]) {
  const requestsOf = await requestsBehind(ctx, some);
  return (one: AccessAssignment): AccessFacts => {
    const requests = requestsOf(one);
    if (requests.length === 0) return {};
    const approvedBy = requests.map(({ votes }) => {
      const approvals = votes.filter(({ decision, stale }) => decision === "approve" && !stale);
      return [...new Set(approvals.map(({ by }) => by))];
    });
    return { requestedBy: [...new Set(requests.map(({ requestedBy }) => requestedBy))], approvedBy };
  };
}

/** What each of some assignments conflicts with, in words, with a fixed number of queries per step of relations. */
async function conflictsOf(
  ctx: ReadContext,
  some: readonly AccessAssignment[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rules = rulesOf(await policiesInForce(ctx));
  if (rules.length === 0) return new Map();
  const roots = [...new Set(some.map(({ assetId }) => assetId))];
  const { groups } = await reachOf(ctx, roots, false);
  const { byAsset } = await holdingsOf(ctx, [...new Set([...groups.values()].flat())].slice(0, MOST), new Set());
  const profiles = await profilesOf(ctx, [...new Set(some.map(({ accessProfileId }) => accessProfileId))]);
  return new Map(
    some.map((one): [string, readonly string[]] => {
      const { id, assetId, identityId, resourceId } = one;
      const profile = profiles.get(one.accessProfileId);
      if (!profile) return [id, []];
      const others = (groups.get(assetId) ?? [])
        .flatMap((each) => byAsset.get(each) ?? [])
        .filter(({ of }) => of !== id);
      const own = { assetId, identityId, principal: sharedKey(one), resourceId, profile, of: id };
      return [id, conflictsAmong(rules, [own], new Map([[assetId, others]])).map(({ text }) => text)] as const;
    }),
  );
}

/** The most assets whose access is looked at for one batch. */
const MOST = 1_000;
