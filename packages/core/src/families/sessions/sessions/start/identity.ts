import { assets, deniedBecause, effectiveOf, identities } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";

/** The id of an AI identity, given by it or by its asset. `undefined` for anything else. */
export async function identityRecord(ctx: ReadContext, id: string): Promise<string | undefined> {
  if (isIdOf(identities, id)) return (await ctx.db.get(identities, id))?.id;
  return isIdOf(assets, id) ? (await ctx.db.lookup(identities, "asset", { assetId: id }))?.id : undefined;
}

/** Why an AI identity may not be used now, by its record, itself and what it depends on. `undefined` when it may be. */
export async function identityDenial(ctx: ReadContext, id: string): Promise<string | undefined> {
  const row = await ctx.db.get(identities, id);
  if (!row) return "not_found";
  const { status, blockedBy, assetId } = ctx.derived(identities, row);
  const decided = await effectiveOf(ctx, assetId, "identity");
  if (decided.decision === "deny") return deniedBecause(decided);
  return status === "active" && blockedBy === null ? undefined : (blockedBy ?? status);
}
