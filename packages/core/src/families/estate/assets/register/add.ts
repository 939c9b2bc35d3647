import type { Context } from "#kernel/operation/context.js";
import { NONE_INVOLVED, withInvolved } from "#kernel/records/involved.js";
import { NO_POSTURE } from "../asset-posture.js";
import { ASSET_DEFAULTS } from "../fields.js";
import { assessRisk } from "../rules.js";
import { type Asset, assets, type RecordReference } from "../schema.js";
import type { NewAsset } from "./body.js";

/** Stores a new asset in its first state, within the transaction. Without a name it gets one derived from its type. */
export async function addAsset(
  ctx: Context,
  { fields, free, status, baseline = false }: NewAsset,
  record: RecordReference | null,
): Promise<Asset> {
  const { id, version, ...marks } = ctx.stamp(assets);
  const given = { ...ASSET_DEFAULTS, ...fields };
  const seen =
    given.source === "manual"
      ? {}
      : { firstSeenAt: given.firstSeenAt ?? ctx.now, lastSeenAt: given.lastSeenAt ?? ctx.now };
  const initial = given.source === "discovery" || status === "discovered" ? "discovered" : "registered";
  return ctx.insert(assets, {
    id,
    name: free.name ?? `${given.assetType} ${id.slice(-6).toLowerCase()}`,
    status: initial,
    version,
    metadata: free.metadata ?? {},
    ...marks,
    governanceState: "unreviewed",
    ...given,
    ...seen,
    ...assessRisk({ ...given, status: initial }),
    approvedUntil: null,
    reviewUntil: null,
    conditions: [],
    decision: null,
    priorGovernanceState: null,
    requestedBy: null,
    classified: null,
    involved: withInvolved(NONE_INVOLVED, [ctx.principal.userId]),
    relatedParty: false,
    changedInReview: false,
    ...NO_POSTURE,
    baselineAt: baseline ? ctx.now : null,
    record,
    editVersion: version,
    configuration: free.configuration ?? {},
    attributes: free.attributes ?? {},
  });
}
