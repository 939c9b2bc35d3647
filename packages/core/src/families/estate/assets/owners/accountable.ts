import { users } from "#families/identity/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import type { AssetFields } from "../fields.js";

/** Why nobody answers for an asset. `undefined` when its owner and sponsor are living people. */
export async function unaccountable(
  ctx: ReadContext,
  asset: Pick<AssetFields, "owner" | "sponsor">,
): Promise<string | undefined> {
  for (const role of ["owner", "sponsor"] as const) {
    const party = asset[role];
    if (!party) return "Owner and sponsor must both be named.";
    if (party.type === "team" || party.type === "service") return `The ${role} must be a person, not a ${party.type}.`;
    if (party.type === "external") continue;
    const user = isIdOf(users, party.id) ? await ctx.db.get(users, party.id) : undefined;
    if (user?.value.status !== "active") return `The ${role} must be an active user.`;
  }
  return undefined;
}
