import type { z } from "zod";
import {
  type AccessIdentity,
  type AvailableAccessTarget,
  accessIdentities,
  accessProfiles,
  type NotRequestable,
} from "#families/access/index.js";
import { instances } from "#families/connectors/index.js";
import { assets, effectiveOf } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { targetView } from "./view-target.js";

/** The most identities of one asset, and the most profiles of a target, that are looked at. */
const IDENTITIES = 100;
const PROFILES = 1_000;

type Available = z.output<typeof AvailableAccessTarget>;

/** Targets where an asset acts as somebody, by name. One where it can get nothing says why. */
export async function availableTargets(ctx: ReadContext, assetId: string): Promise<Available[]> {
  const asset = await ctx.getOrThrow(assets, assetId);
  const { rows } = await ctx.db.find(accessIdentities, { where: { assetId: asset.id }, size: IDENTITIES });
  if (rows.length === 0) return [];
  const byTarget = new Map<string, AccessIdentity[]>();
  for (const { value } of rows)
    byTarget.set(value.connectorInstanceId, [...(byTarget.get(value.connectorInstanceId) ?? []), value]);
  const [found, view, { decision }] = await Promise.all([
    ctx.db.getMany(instances, [...byTarget.keys()]),
    targetView(ctx),
    effectiveOf(ctx, asset.id, asset.assetType),
  ]);
  const targets = found.map(async (row) => {
    const own = byTarget.get(row.id) as AccessIdentity[];
    const target = await view(ctx.derived(instances, row));
    const reason = target.notRequestableReason ?? (await deniedFor(ctx, row.id, own, decision));
    const identityIds = own.map(({ id }) => id);
    return { ...target, requestable: reason === null, notRequestableReason: reason, identityIds };
  });
  return (await Promise.all(targets)).sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function deniedFor(
  ctx: ReadContext,
  connectorInstanceId: string,
  own: readonly AccessIdentity[],
  decision: string,
): Promise<NotRequestable | null> {
  if (decision === "deny") return "asset_denied";
  const { rows } = await ctx.db.find(accessProfiles, { where: { connectorInstanceId }, size: PROFILES });
  const types = new Set(own.map(({ principal }) => principal.type));
  const some = rows.some(
    ({ value: { status, requestable, grantableTo } }) =>
      status === "approved" && requestable && grantableTo.some((type) => types.has(type)),
  );
  return some ? null : "no_profile";
}
