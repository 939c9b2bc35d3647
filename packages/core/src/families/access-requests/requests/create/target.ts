import { type AccessIdentity, accessIdentities, whyNotRequestable } from "#families/access/index.js";
import { type ConnectorInstance, instances } from "#families/connectors/index.js";
import { type Asset, effectiveOf } from "#families/estate/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { notRequestable } from "./items.js";

/** The most identities of one asset that are looked at. */
const IDENTITIES = 100;

/** The target, if access there can be requested now. 400 when there is none, 409 with the reason when it cannot. */
export async function requireTarget(ctx: ReadContext, id: string): Promise<ConnectorInstance> {
  const row = await ctx.db.get(instances, id);
  if (!row) throw invalidProperty("/connectorInstanceId", "There is no such target.", "invalid_reference");
  const instance = ctx.derived(instances, row);
  const reason = await whyNotRequestable(ctx, instance);
  if (reason !== undefined)
    throw notRequestable(`Access in "${instance.name}" cannot be requested: ${reason}.`, reason);
  return instance;
}

/** 409 unless an asset may have access at all. */
export async function requireAsset(ctx: ReadContext, { id, assetType, status }: Asset): Promise<void> {
  if (status === "retired") throw notRequestable("The asset is retired.", "asset_denied");
  const { decision } = await effectiveOf(ctx, id, assetType);
  if (decision === "deny") throw notRequestable("The asset may not be used now.", "asset_denied");
}

/** What the asset acts as in the target: the identity that is named, or its only one. */
export async function requireIdentity(
  ctx: ReadContext,
  assetId: string,
  connectorInstanceId: string,
  identityId: string | undefined,
): Promise<AccessIdentity> {
  const { rows } = await ctx.db.find(accessIdentities, { where: { assetId }, size: IDENTITIES });
  const own = rows.map(({ value }) => value).filter((one) => one.connectorInstanceId === connectorInstanceId);
  const [only, ...others] = identityId === undefined ? own : own.filter(({ id }) => id === identityId);
  if (only && others.length === 0) return only;
  const message = only ? "The asset acts as several there; name one." : "The asset does not act as this in the target.";
  throw invalidProperty("/identityId", message, "invalid_reference");
}
