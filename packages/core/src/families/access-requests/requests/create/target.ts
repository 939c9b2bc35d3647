import { type AccessIdentity, accessIdentities, blockersOf } from "#families/access/index.js";
import { instances } from "#families/connectors/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { requireRequestable } from "./items.js";

/** The most identities of one asset that are looked at. */
const IDENTITIES = 100;

/** 400 unless there is such a target, 409 with the reason unless an asset can ask for access there now. */
export async function requireTarget(ctx: ReadContext, assetId: string, connectorInstanceId: string): Promise<void> {
  if (!(await ctx.db.get(instances, connectorInstanceId)))
    throw invalidProperty("/connectorInstanceId", "There is no such target.", "invalid_reference");
  requireRequestable(await blockersOf(ctx, { assetId, connectorInstanceId }, "create"));
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
