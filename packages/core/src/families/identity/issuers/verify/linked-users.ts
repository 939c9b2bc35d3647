import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { StoreError } from "#store/store-error.js";
import { foreignIdentities } from "../../users/foreign-identities.js";
import { type User, users } from "../../users/schema.js";
import type { ForeignToken } from "./foreign-tokens.js";
import { isVerified, linkUser } from "./link-user.js";
import { addForeignUser } from "./new-users.js";

/**
 * The user linked with a token's issuer and subject. The first token links the user with the same name, if the issuer
 * has verified the address. Later only the link counts. `undefined` when no user has the name. 401 when the address is
 * not verified, or the user is linked with another subject of the issuer.
 */
export async function linkedUser(
  env: Environment,
  tenantId: string,
  token: ForeignToken,
  username: string,
): Promise<User | undefined> {
  const reader = env.store.forTenant(tenantId);
  const identity = { issuer: token.trusted.issuer, subject: token.subject };
  const link = await reader.lookup(foreignIdentities, "subject", identity);
  if (link) return (await reader.get(users, link.value.userId))?.value;
  const named = (await reader.lookup(users, "username", { username }))?.value;
  if (!named) return token.trusted.newUserRoles && addForeignUser(env, tenantId, token, username);
  if (!isVerified(token, username)) throw new ReeveError("invalid_token");
  const other = await reader.lookup(foreignIdentities, "user", { issuer: identity.issuer, userId: named.id });
  if (other && other.value.subject !== identity.subject) throw new ReeveError("invalid_token");
  // Another request has linked them since the first look.
  if (other) return named;
  const links = systemContext(env, tenantId, "link");
  try {
    await links.write((ctx) => linkUser(ctx, named, identity));
  } catch (error) {
    if (!StoreError.is(error) || error.code !== "duplicate") throw error;
    // Another request has linked one of the two. It is read in a transaction, because that may not be committed yet.
    const made = await links.write((ctx) => ctx.db.lookup(foreignIdentities, "subject", identity));
    if (made?.value.userId !== named.id) throw new ReeveError("invalid_token");
  }
  return named;
}
