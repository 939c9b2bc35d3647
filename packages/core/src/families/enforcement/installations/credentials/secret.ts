import { randomBytes } from "node:crypto";
import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { installationKeys } from "../schema.js";

/** Marks of secrets, for secret scanners: a code that enrols, and the credential of an installation. */
const MARKS = { code: "rec_", credential: "rin_" } as const;
export type SecretKind = keyof typeof MARKS;

const SECRET_BYTES = 32;
const FORMS: Readonly<Record<SecretKind, RegExp>> = {
  code: /^rec_[A-Za-z0-9_-]{43}$/,
  credential: /^rin_[A-Za-z0-9_-]{43}$/,
};

/** Whether a text has the form of a code or a credential. Others need no query. */
export const isSecret = (kind: SecretKind, text: string): boolean => FORMS[kind].test(text);

/** The keyed hash that a secret is found by. The secret itself is kept nowhere. */
export const secretKey = ({ secretBox }: Pick<Environment, "secretBox">, secret: string): string =>
  secretBox.fingerprint(secret, "installation secret");

/** Makes a secret for a record and stores its keyed hash, within the transaction. */
export async function issueSecret(ctx: Context, kind: SecretKind, of: string, expiresAt: string): Promise<string> {
  const secret = MARKS[kind] + randomBytes(SECRET_BYTES).toString("base64url");
  const key = { id: secretKey(ctx.env, secret), version: 1, createdAt: ctx.now, of, expiresAt };
  await ctx.insert(installationKeys, key, { event: false });
  return secret;
}

/** The keys of a record: its secrets that still work, and the one that was replaced. */
export async function keysOf(ctx: Context, of: string) {
  const { rows } = await ctx.db.find(installationKeys, { where: { of }, size: 100 });
  return rows.map(({ value }) => value);
}

/** Takes every secret of a record away, within the transaction. */
export async function dropSecrets(ctx: Context, of: string): Promise<void> {
  for (const key of await keysOf(ctx, of)) await ctx.remove(installationKeys, key, { event: false });
}
