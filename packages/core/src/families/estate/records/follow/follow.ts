import { defineFollower } from "#kernel/operation/area.js";
import { isSame } from "#kernel/records/is-same.js";
import { postureOf } from "../../assets/asset-posture.js";
import { stopOf } from "../../assets/machine.js";
import type { Link } from "../../assets/relations/link.js";
import { alignLinks } from "../../assets/relations/links.js";
import { type Asset, assets } from "../../assets/schema.js";
import { BLOCKS, type DECIDED_NAMES, type JoinedRecord, type RecordKind, type SHARED_NAMES } from "../declare/kind.js";
import { kindOf } from "../declare/kinds.js";

type Decided = Pick<JoinedRecord, (typeof DECIDED_NAMES)[number]>;
type Shared = Pick<JoinedRecord, "name" | "blockedBy" | (typeof SHARED_NAMES)[number]> & { readonly status?: string };

/** The fields of an asset that are copied to its record. */
export function sharedOf({ status }: RecordKind, asset: Asset): Shared {
  const { name, description, provider, environment, owner, sponsor } = asset;
  const shared = { name, blockedBy: blockOf(asset), description, provider, environment, owner, sponsor };
  return "of" in status ? { ...shared, status: status.of(asset) } : shared;
}

/** The decisions on an asset that are copied to its record. */
export function decidedOf({ status, governanceState, approvedUntil, reviewUntil, riskTier }: Asset): Decided {
  return { lifecycle: status, governanceState, approvedUntil, reviewUntil, riskTier };
}

/** Why an asset blocks its record. `null` when it does not. */
export function blockOf(
  asset: Pick<Asset, "status" | "governanceState" | "priorGovernanceState">,
): JoinedRecord["blockedBy"] {
  const reasons: readonly string[] = [`governance_state:${stopOf(asset)}`, `lifecycle:${asset.status}`];
  return BLOCKS.find((block) => reasons.includes(block)) ?? null;
}

/** Applies a change of an asset to its record and to the relation index, in the same transaction. */
export const followAssets = defineFollower<Asset>(assets, async (ctx, { before, after }) => {
  const asset = (after ?? before) as Asset;
  await alignLinks(ctx, asset.id, linksOf(before), linksOf(after));
  const kind = before && kindOf(ctx.env, before.assetType);
  const sharedChanged = kind && after && differ(sharedOf(kind, before), sharedOf(kind, after));
  if (!kind || !before.record || (after && !sharedChanged && !differ(decidedOf(before), decidedOf(after)))) return;
  const record: JoinedRecord = await ctx.getOrThrow(kind.collection, before.record.id);
  if (!after) return ctx.remove(kind.collection, record);
  const patch = { ...sharedOf(kind, after), ...decidedOf(after), ...postureOf(after) };
  // The asset's own event has the decision, and nobody changed the record. So the copy has no event.
  const options = sharedChanged ? {} : ({ event: false, copy: true } as const);
  const followed: JoinedRecord = await ctx.update(kind.collection, record, patch, options);
  if (after.status === "retired" && before.status !== "retired") await kind.retire?.(ctx, followed);
});

const differ = (one: object, other: object) => !isSame(one, other);

function linksOf(asset: Asset | undefined): Link[] {
  return (asset?.relations ?? []).map(({ type, targetId }) => ({ type, sourceId: asset?.id as string, targetId }));
}
