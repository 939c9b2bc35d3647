import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { timestamp } from "#ports/clock.js";
import { isIdOf } from "#store/collection.js";
import type { Row } from "#store/row.js";
import { opaqueHash, opaqueKind } from "../tokens/opaque-token.js";
import { revokeToken } from "../tokens/revoked-tokens.js";
import { browserSessions } from "./browser/schema.js";
import { type RefreshToken, refreshTokens } from "./schema.js";

const refreshKind = opaqueKind("reeve_rt_");
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
  const { token: refreshToken, hash: tokenHash } = refreshKind.make();
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
  const { token: refreshToken, hash: tokenHash } = refreshKind.make();
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

/** Ends a sign-in by one of its access tokens with the family that it came with, or a browser session by its id. */
export async function endSignIn(ctx: Context, { tokenId, expiresAt }: Companion): Promise<void> {
  await revokeToken(ctx, tokenId, expiresAt);
  if (isIdOf(browserSessions, tokenId)) {
    const session = (await ctx.db.get(browserSessions, tokenId))?.value;
    if (session) await ctx.remove(browserSessions, session);
    return;
  }
  const family = await familyOf(ctx, tokenId);
  if (family) await endFamily(ctx, family);
}

/** Whether a text has the form of a refresh token. */
export function isRefreshToken(text: string): boolean {
  return refreshKind.isOne(text);
}

/** The stored token of any tenant, used or not. `undefined` for none. Texts of another form are not looked up. */
export async function presentedToken(env: Environment, token: string): Promise<Row<RefreshToken> | undefined> {
  if (!isRefreshToken(token)) return undefined;
  return env.store.platform.lookup(refreshTokens, "tokenHash", { tokenHash: opaqueHash(token) });
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
