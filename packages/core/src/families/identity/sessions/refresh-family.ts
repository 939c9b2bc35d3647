import { createHash, randomBytes } from "node:crypto";
import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { timestamp } from "#ports/clock.js";
import type { Row } from "#store/row.js";
import { revokeToken } from "../tokens/revoked-tokens.js";
import { type RefreshToken, refreshTokens } from "./schema.js";

/** The prefix of refresh tokens, for secret scanners. */
const MARK = "reeve_rt_";
const SHAPE = /^reeve_rt_[\w-]{43}$/;
const BATCH = 1_000;

/** The access token issued with a refresh token. */
export interface Companion {
  readonly tokenId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Starts a family, within the transaction. Returns its first token, of which only a hash is stored. */
export async function startFamily(
  ctx: Context,
  user: { readonly id: string; readonly securityVersion: number; readonly withFactor: boolean },
  companion: Companion,
): Promise<{ refreshToken: string; refreshExpiresAt: string }> {
  const { refreshToken, tokenHash } = newToken();
  const id = ctx.newId("rft");
  const refreshExpiresAt = timestamp(ctx.request.nowMs + optionsOf(ctx.env).refreshTokenLifetime * 1_000);
  await ctx.insert(refreshTokens, {
    id,
    familyId: id,
    tokenHash,
    userId: user.id,
    securityVersion: user.securityVersion,
    scope: null,
    tokenId: companion.tokenId,
    tokenExpiresAt: timestamp(companion.expiresAt),
    authenticatedAt: ctx.now,
    withFactor: user.withFactor,
    expiresAt: refreshExpiresAt,
    spentAt: null,
  });
  return { refreshToken, refreshExpiresAt };
}

/** Whole seconds until a family ends, counted as tokens count them. */
export function secondsLeft({ expiresAt }: Pick<RefreshToken, "expiresAt">, nowMs: number): number {
  return Math.floor(Date.parse(expiresAt) / 1_000) - Math.floor(nowMs / 1_000);
}

/** Marks a token as used and stores its successor, within the transaction. */
export async function succeed(ctx: Context, spent: RefreshToken, companion: Companion): Promise<string> {
  const { refreshToken, tokenHash } = newToken();
  await ctx.update(refreshTokens, spent, { spentAt: ctx.now });
  await ctx.insert(refreshTokens, {
    ...spent,
    id: ctx.newId("rft"),
    version: 1,
    createdAt: ctx.now,
    tokenHash,
    tokenId: companion.tokenId,
    tokenExpiresAt: timestamp(companion.expiresAt),
  });
  return refreshToken;
}

/** Deletes the refresh tokens of a family and revokes its access tokens, within the transaction. */
export async function endFamily(ctx: Context, familyId: string): Promise<void> {
  for (;;) {
    const { rows } = await ctx.db.find(refreshTokens, { where: { familyId }, size: BATCH });
    for (const { value } of rows) {
      await revokeToken(ctx, value.tokenId, Date.parse(value.tokenExpiresAt));
      await ctx.remove(refreshTokens, value);
    }
    if (rows.length < BATCH) return;
  }
}

/** Ends a sign-in by one of its access tokens: the token, and the family that it came with. */
export async function endSignIn(ctx: Context, { tokenId, expiresAt }: Companion): Promise<void> {
  await revokeToken(ctx, tokenId, expiresAt);
  const family = await familyOf(ctx, tokenId);
  if (family) await endFamily(ctx, family);
}

/** Whether a text has the form of a refresh token. */
export function isRefreshToken(text: string): boolean {
  return SHAPE.test(text);
}

/** The stored token of any tenant, used or not. `undefined` for none. Texts of another form are not looked up. */
export async function presentedToken(env: Environment, token: string): Promise<Row<RefreshToken> | undefined> {
  if (!isRefreshToken(token)) return undefined;
  return env.store.platform.lookup(refreshTokens, "tokenHash", { tokenHash: hashOf(token) });
}

/** The family of an access token in the principal's tenant, or `undefined`. */
async function familyOf(ctx: Context, tokenId: string): Promise<string | undefined> {
  const { rows } = await ctx.db.find(refreshTokens, { where: { tokenId }, size: 1 });
  return rows[0]?.value.familyId;
}

/** Deletes expired families. Returns how many tokens. */
export async function dropExpiredFamilies(env: Environment, tenantId: string, now: string): Promise<number> {
  return forEachDue(env, refreshTokens, { by: "expiresAt", before: now }, tenantId, (ctx, token) =>
    ctx.remove(refreshTokens, token),
  );
}

function newToken(): { refreshToken: string; tokenHash: string } {
  const refreshToken = MARK + randomBytes(32).toString("base64url");
  return { refreshToken, tokenHash: hashOf(refreshToken) };
}

/** The token has 256 random bits, so one round of SHA-256 suffices against guessing. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
