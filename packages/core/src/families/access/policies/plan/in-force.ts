import type { ReadContext } from "#kernel/operation/read-context.js";
import { type AccessPolicy, accessPolicies, MOST_POLICIES } from "../schema.js";

/** The policies that are in force now, the one that decides first. */
export async function policiesInForce(ctx: ReadContext): Promise<AccessPolicy[]> {
  const { rows } = await ctx.db.find(accessPolicies, { where: { inForce: "yes" }, size: MOST_POLICIES });
  return rows
    .map(({ value }) => value)
    .filter(({ endsAt }) => endsAt === null || endsAt > ctx.now)
    .sort((one, other) => other.priority - one.priority || (one.id < other.id ? -1 : 1));
}
