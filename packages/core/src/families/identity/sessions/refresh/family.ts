import { createHash, randomBytes } from "node:crypto";
import type { Environment } from "../../../../kernel/config/environment.js";
import type { Context } from "../../../../kernel/operation/context.js";
import { forEachDue } from "../../../../kernel/operation/due-records.js";
import { timestamp } from "../../../../ports/clock.js";
import type { Row } from "../../../../store/row.js";
import { optionsOf } from "../../../options.js";
import { revokeToken } from "../../tokens/revoke/revoked.js";
import { type RefreshToken, refreshTokens } from "../schema.js";

/** Marks a refresh token of ours for scanners of repositories and logs. */
const MARK = "reeve_rt_";
const SHAPE = /^reeve_rt_[\w-]{43}$/;
const BATCH = 1_000;

/** The access token that goes out with a refresh token. */
export interface Companion {
  readonly tokenId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Starts a family in the open transaction; gives its first token, which is stored only as a hash. */
export async function startFamily(
  ctx: Context,
  user: { readonly id: string; readonly securityVersion: number },
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
    expiresAt: refreshExpiresAt,
    spentAt: null,
  });
  return { refreshToken, refreshExpiresAt };
}

/** Spends a token in the open transaction and stores its successor. */
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

/** Ends a family in the open transaction: its refresh tokens are gone, its access tokens revoked. */
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

/** The stored token of any tenant, spent or not, or `undefined`. What does not look like one is not asked for. */
export async function presentedToken(env: Environment, token: string): Promise<Row<RefreshToken> | undefined> {
  if (!SHAPE.test(token)) return undefined;
  return env.store.platform.lookup(refreshTokens, "tokenHash", { tokenHash: hashOf(token) });
}

/** The family that an access token of the principal's tenant went out with, or `undefined`. */
export async function familyOf(ctx: Context, tokenId: string): Promise<string | undefined> {
  const { rows } = await ctx.db.find(refreshTokens, { where: { tokenId }, size: 1 });
  return rows[0]?.value.familyId;
}

/** Forgets families that have expired; returns how many tokens. */
export async function dropExpiredFamilies(env: Environment, tenantId: string, now: string): Promise<number> {
  return forEachDue(env, refreshTokens, { by: "expiresAt", before: now }, tenantId, (ctx, token) =>
    ctx.remove(refreshTokens, token),
  );
}

function newToken(): { refreshToken: string; tokenHash: string } {
  const refreshToken = MARK + randomBytes(32).toString("base64url");
  return { refreshToken, tokenHash: hashOf(refreshToken) };
}

/** The token holds 256 random bits, so one round of SHA-256 keeps it: there is nothing to guess. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
