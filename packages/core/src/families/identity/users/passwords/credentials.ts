import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const Credential = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  passwordHash: z.string().nullable(),
  /** Raised to revoke the user's tokens, when password, roles or status change. */
  securityVersion: z.int().min(1),
  /** The security version since which the password is what it is. Absent until it is changed. */
  passwordVersion: z.int().min(1).optional(),
  /** Id of the token that outlived the last change: the one that its owner changed the password with. */
  keptToken: z.string().nullable(),
});
export type Credential = z.output<typeof Credential>;

/**
 * A user's credential. It is separate from the user record, so that no answer, event or export contains it. The id is
 * the user's.
 */
export const credentials = defineCollection<Credential>({
  name: "credentials",
  prefix: null,
  broadcast: true,
  schema: Credential,
  secrets: ["passwordHash", "passwordVersion", "keptToken"],
});

export async function hasPassword(ctx: ReadContext, userId: string): Promise<boolean> {
  const row = await ctx.db.get(credentials, userId);
  return row !== undefined && row.value.passwordHash !== null;
}

/**
 * Revokes every token of a user but `keptToken`. Sets a new password hash when one is given, or removes it for `null`.
 */
export async function renewCredential(
  ctx: Context,
  userId: string,
  passwordHash?: string | null,
  keptToken: string | null = null,
): Promise<number> {
  const previous = (await ctx.db.get(credentials, userId))?.value;
  if (!previous) throw new Error(`user ${userId} has no credential record`);
  const securityVersion = previous.securityVersion + 1;
  const password = passwordHash === undefined ? {} : { passwordHash, passwordVersion: securityVersion };
  await ctx.update(credentials, previous, { securityVersion, keptToken, ...password });
  return securityVersion;
}
