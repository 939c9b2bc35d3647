import { createHash } from "node:crypto";
import { recordEarlierId } from "#families/accountability/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { StoreError } from "#store/store-error.js";
import { type ForeignIdentity, foreignIdentities } from "../../users/foreign-identities.js";
import { foldUsername, type User, users } from "../../users/schema.js";
import type { ForeignToken } from "./foreign-tokens.js";

type Subject = Pick<ForeignIdentity, "issuer" | "subject">;

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
  if (!named) return undefined;
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

async function linkUser(ctx: Context, { id, name }: User, identity: Subject): Promise<void> {
  await ctx.insert(foreignIdentities, { ...identity, userId: id });
  await recordEarlierId(ctx, strangerId(identity.issuer, identity.subject), id);
  await ctx.emit({
    type: "user.identity_linked",
    subject: { id, type: "user", path: `/api/v1/users/${id}` },
    data: { entity: { type: "user", id, name }, ...identity },
  });
}

/** The id of a person without an account here, as long as the issuer keeps their subject. */
export function strangerId(issuer: string, subject: string): string {
  return `ext_${createHash("sha256").update(`${issuer}\n${subject}`).digest("hex").slice(0, 32)}`;
}

/** Whether the issuer has verified the user name as the subject's address. */
function isVerified({ trusted, claims }: ForeignToken, username: string): boolean {
  if (trusted.usernamesVerified) return true;
  return claims.email_verified === true && typeof claims.email === "string" && foldUsername(claims.email) === username;
}
