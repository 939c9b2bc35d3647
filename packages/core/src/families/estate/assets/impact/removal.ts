import { ReeveError } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { z } from "#schema/z.js";
import { refuseInUse } from "../rules.js";
import { type Asset, assets } from "../schema.js";
import { usersOf } from "./users.js";

/** How an asset is deleted. */
export const RemovalQuery = z.strictObject({
  force: z
    .stringbool({ truthy: ["true"], falsy: ["false"] })
    .optional()
    .meta({ description: "Delete it although others use it; needs `reason`." }),
  reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
});
type RemovalQuery = z.output<typeof RemovalQuery>;

/** The most users that a refusal names. */
const MOST_NAMED = 10;

/**
 * Deletes an asset within the transaction. 409 `in_use` in production, and while others use it unless that is forced
 * with a reason.
 */
export async function removeAsset(ctx: Context, asset: Asset, { force = false, reason }: RemovalQuery): Promise<void> {
  refuseInUse(asset);
  if (force) requireReason(reason, { parameter: "reason" });
  else await refuseUsed(ctx, asset);
  await ctx.remove(assets, asset, reason === undefined ? {} : { reason });
}

async function refuseUsed(ctx: Context, asset: Asset): Promise<void> {
  const { users } = await usersOf(ctx, [asset]);
  const distinct = [...new Map(users.map((user) => [user.asset.id, user])).values()];
  if (distinct.length === 0) return;
  const named = distinct.slice(0, MOST_NAMED);
  const more = distinct.length > named.length ? ` and ${distinct.length - named.length} more` : "";
  const names = named.map(({ asset: { name } }) => name).join(", ");
  throw new ReeveError("in_use", `It is used by ${names}${more}. Change those, or delete it with \`force=true\`.`, {
    members: { usedBy: named.map(({ asset: { id, name }, relation }) => ({ id, name, relation })) },
  });
}
