import type { Principal } from "#kernel/config/principal.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { machineClients } from "../../clients/schema.js";
import { isRevoked } from "../../tokens/revoked-tokens.js";
import { credentials } from "../../users/passwords/credentials.js";

/**
 * Whether the sign-in behind a principal still counts, as the store says: its token was not revoked, and the password or
 * the credentials of the AI identity are the same. What roles are left is for the caller to ask. True without a token.
 */
export async function isStillSignedIn(ctx: Pick<ReadContext, "db">, who: Principal): Promise<boolean> {
  const { tokenId } = who;
  if (tokenId === undefined) return true;
  const [revoked, changed] = await Promise.all([isRevoked(ctx, tokenId), isChanged(ctx, who)]);
  return !revoked && !changed;
}

/** Whether a token of this state of the credential has outlived it. */
async function isChanged(
  { db }: Pick<ReadContext, "db">,
  { kind, userId, tokenId, securityVersion }: Principal,
): Promise<boolean> {
  if (securityVersion === undefined) return false;
  if (kind === "client") return (await db.get(machineClients, userId))?.value.securityVersion !== securityVersion;
  const credential = (await db.get(credentials, userId))?.value;
  return credential?.keptToken !== tokenId && (credential?.passwordVersion ?? 0) > securityVersion;
}
