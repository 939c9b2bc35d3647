import { type Asset, answersFor, assets, identities } from "#families/estate/index.js";
import { roles, users } from "#families/identity/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import type { AgentToolToken } from "../schema.js";

/** The permission that opens the tools of every asset. */
const OF_ALL = "access-assignment:write";

/** 403 unless the caller answers for the asset now, or runs the estate. Who registered it once has no right to it. */
export function requireIssuer({ principal: { userId, permissions } }: Context, asset: Asset): void {
  if (permissions.has(OF_ALL) || answersFor(asset, userId)) return;
  throw new ReeveError("permission_denied", "Only those who answer for the asset may do this.");
}

/** Whether who issued a token might issue it now. Of people whom only the host knows, the host has told it then. */
export async function mayStillIssue(
  ctx: ReadContext,
  { assetId, issuedBy: { kind, id } }: Pick<AgentToolToken, "assetId" | "issuedBy">,
): Promise<boolean> {
  if (kind === "client") {
    const identity = (await ctx.db.get(identities, id))?.value;
    return identity?.status === "active" && identity.scopes.includes(OF_ALL);
  }
  if (kind === "system" || !isIdOf(users, id)) return true;
  const user = (await ctx.db.get(users, id))?.value;
  if (user?.status !== "active") return false;
  if (ctx.env.use(roles).permissionsOf(user.roles).has(OF_ALL)) return true;
  const asset = (await ctx.db.get(assets, assetId))?.value;
  return asset !== undefined && answersFor(asset, id);
}
