import { assets } from "#families/estate/index.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { isIdOf } from "#store/collection.js";
import { type Owning, ownersOf } from "./find-owners.js";
import type { Matter, MatterSource } from "./matter.js";

/** How long before its end an approval is told of. Shorter approvals are not. */
export const ENDING = daysMs(7);

/** What becomes of these assets, for their owners: found, suspended, or approved for no more than a week. */
export const findOwnAssets: MatterSource = async (asked) => {
  const { ctx, ids } = asked;
  const owned = await ownersOf(
    asked,
    ids.filter((id) => isIdOf(assets, id)),
    "ai-asset:read",
  );
  return [...owned.values()].flatMap((owning) => mattersIn(owning, ctx.now));
};

function mattersIn({ asset, whose, people }: Owning, now: string): Matter[] {
  const { id, name, status, governanceState, approvedUntil, decision } = asset;
  const path = `${assets.resource?.path}/${id}`;
  const shown = {
    ...{ name, matter: null, subject: { type: "ai_asset", id, path }, assetId: id, page: `estate/assets/${id}` },
    ...{ dueAt: null, whose, key: id },
  };
  // Whoever suspends an asset of one's own knows of it.
  const others = people.filter((user) => user.id !== asset.updatedBy);
  const isEnding =
    approvedUntil !== null &&
    approvedUntil > now &&
    approvedUntil <= timestamp(Date.parse(now) + ENDING) &&
    (governanceState === "approved" || governanceState === "conditionally_approved") &&
    (decision?.at ?? "") < timestamp(Date.parse(approvedUntil) - ENDING);
  return [
    ...(status === "discovered" ? [{ ...shown, kind: "asset_found" as const, people }] : []),
    ...(governanceState === "suspended" ? [{ ...shown, kind: "asset_suspended" as const, people: others }] : []),
    ...(isEnding
      ? [{ ...shown, kind: "approval_ending" as const, key: `${id} ${approvedUntil}`, dueAt: approvedUntil, people }]
      : []),
  ];
}
