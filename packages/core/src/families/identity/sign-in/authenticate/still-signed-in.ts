import type { Principal } from "../../../../kernel/config/principal.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { machineClients } from "../../clients/schema.js";
import { isRevoked } from "../../tokens/revoke/revoked.js";
import { credentials } from "../../users/passwords/credentials.js";

/**
 * Whether the sign-in behind a principal still counts, as the store says: its token was not revoked, and the password or
 * the credentials of the AI identity are the same. What roles are left is for the caller to ask. True without a token.
 */
export async function isStillSignedIn(
  ctx: Pick<ReadContext, "db">,
  { kind, userId, tokenId, securityVersion }: Principal,
): Promise<boolean> {
  if (tokenId === undefined) return true;
  if (await isRevoked(ctx, tokenId)) return false;
  if (securityVersion === undefined) return true;
  if (kind === "client") return (await ctx.db.get(machineClients, userId))?.value.securityVersion === securityVersion;
  const credential = (await ctx.db.get(credentials, userId))?.value;
  if (!credential) return false;
  return (credential.passwordVersion ?? 0) <= securityVersion || credential.keptToken === tokenId;
}
