import type { Environment } from "../../../../kernel/config/environment.js";
import { ReeveError } from "../../../../kernel/http/errors.js";
import type { Context } from "../../../../kernel/operation/context.js";
import { systemContext } from "../../../../kernel/operation/system-context.js";
import { StoreError } from "../../../../store/store-error.js";
import { foldUsername, type User, users } from "../../users/schema.js";
import { type ForeignIdentity, foreignIdentities } from "../schema.js";
import type { ForeignToken } from "./foreign-tokens.js";

type Subject = Pick<ForeignIdentity, "issuer" | "subject">;

/** Issuers that one user may be linked with. */
const MOST_LINKS = 100;

/**
 * The user of the tenant that a token's issuer and subject stand for. The first time that is the user of the same name, if
 * the issuer has verified the address; from then on the link alone counts. `undefined` when nobody has the name. 401 when
 * somebody has it whom the token does not stand for: the address is not verified, or was another subject's before.
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
  if (other) throw new ReeveError("invalid_token");
  try {
    await systemContext(env, tenantId, "link").write((ctx) => linkUser(ctx, named, identity));
  } catch (error) {
    // Another request has linked one of the two at the same time: what it stored decides.
    if (!StoreError.is(error) || error.code !== "duplicate") throw error;
    const made = await reader.lookup(foreignIdentities, "subject", identity);
    if (made?.value.userId !== named.id) throw new ReeveError("invalid_token");
  }
  return named;
}

async function linkUser(ctx: Context, { id, name }: User, identity: Subject): Promise<void> {
  await ctx.insert(foreignIdentities, { ...identity, userId: id });
  await ctx.emit({
    type: "user.identity_linked",
    subject: { id, type: "user", path: `/api/v1/users/${id}` },
    data: { entity: { type: "user", id, name }, ...identity },
  });
}

/** Whether the issuer has verified that the user name is an address of the subject. */
function isVerified({ trusted, claims }: ForeignToken, username: string): boolean {
  if (trusted.usernamesVerified) return true;
  return claims.email_verified === true && typeof claims.email === "string" && foldUsername(claims.email) === username;
}

/** Takes the links of a user out, who is removed. */
export async function unlinkUser(ctx: Context, userId: string): Promise<void> {
  const { rows } = await ctx.db.find(foreignIdentities, { where: { userId }, size: MOST_LINKS });
  for (const { value } of rows) await ctx.remove(foreignIdentities, value);
}
