import type { ReadContext } from "#kernel/operation/read-context.js";
import { delegations } from "./schema.js";

/** The most delegations in force of a tenant, and of one person. */
export const MOST_OF_TENANT = 1_000;
export const MOST_OF_PERSON = 5;

/** Who stands in for whom now, in one read. */
export async function standInsNow(ctx: ReadContext): Promise<(userId: string) => readonly string[]> {
  const { rows } = await ctx.db.find(delegations, { where: { status: "active" }, size: MOST_OF_TENANT });
  const found = new Map<string, string[]>();
  for (const { value } of rows)
    if (value.endsAt > ctx.now) found.set(value.fromId, [...(found.get(value.fromId) ?? []), value.toId]);
  return (userId) => found.get(userId) ?? [];
}
