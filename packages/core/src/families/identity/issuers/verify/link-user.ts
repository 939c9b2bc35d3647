import { createHash } from "node:crypto";
import { recordEarlierId } from "#families/accountability/index.js";
import type { Context } from "#kernel/operation/context.js";
import { type ForeignIdentity, foreignIdentities } from "../../users/foreign-identities.js";
import { foldUsername, type User } from "../../users/schema.js";
import type { ForeignToken } from "./foreign-tokens.js";

type Subject = Pick<ForeignIdentity, "issuer" | "subject">;

/** Links a user with a subject of an issuer, within the transaction. */
export async function linkUser(ctx: Context, { id, name }: User, identity: Subject): Promise<void> {
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
export function isVerified({ trusted, claims }: ForeignToken, username: string): boolean {
  if (trusted.usernamesVerified) return true;
  return claims.email_verified === true && typeof claims.email === "string" && foldUsername(claims.email) === username;
}
