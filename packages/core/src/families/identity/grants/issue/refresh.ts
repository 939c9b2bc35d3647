import { tenantHosts, tenants } from "#families/platform/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { timestamp } from "#ports/clock.js";
import { attemptToken } from "../../attempts/limit/gate.js";
import { roles } from "../../roles/rules.js";
import { isDemanded } from "../../second-factors/queries.js";
import { endFamily, isRefreshToken, presentedToken, secondsLeft, succeed } from "../../sessions/refresh-family.js";
import { type RefreshToken, refreshTokens } from "../../sessions/schema.js";
import { userPrincipal } from "../../sessions/start-session.js";
import { tokens } from "../../tokens/token-service.js";
import { credentials } from "../../users/passwords/credentials.js";
import { type User, users } from "../../users/schema.js";
import { oauthRefusal } from "../refuse-oauth.js";
import type { TokenAnswer, TokenRequest } from "../schema.js";
import { requestedAudience } from "./audience.js";
import { requestedScope } from "./scope.js";

/** The same error for every refused token, so that it discloses no reason. */
const worthless = () => oauthRefusal("invalid_grant", "The refresh token is unknown, spent, expired or revoked.");

/**
 * Exchanges a refresh token for an access token and a new refresh token. A token that is used twice revokes its whole
 * family, because one of the two uses may be theft.
 */
export async function refreshGrant(ctx: OutsideContext, request: TokenRequest): Promise<TokenAnswer> {
  const { refresh_token } = request;
  if (refresh_token === undefined) throw oauthRefusal("invalid_request", "refresh_token is missing.");
  if (!isRefreshToken(refresh_token)) throw worthless();
  return attemptToken(ctx, refresh_token, () => refreshed(ctx, refresh_token, request));
}

async function refreshed(
  ctx: OutsideContext,
  refresh_token: string,
  { scope, resource }: TokenRequest,
): Promise<TokenAnswer> {
  const audience = requestedAudience(ctx.env, resource);
  const row = await presentedToken(ctx.env, refresh_token);
  if (!row) throw worthless();
  const { tenantId, value: presented } = row;
  if (!(await ctx.env.use(tenantHosts).admits(ctx.request.host, tenantId))) throw worthless();
  const user = (await ctx.env.store.forTenant(tenantId).get(users, presented.userId))?.value;
  if (!user) throw worthless();
  const lifetime = secondsLeft(presented, ctx.request.nowMs);
  if (lifetime < 1) throw worthless();
  const permissions = ctx.env.use(roles).permissionsOf(user.roles);
  const held = new Set([...permissions].filter((name) => presented.scope?.includes(name) ?? true));
  const narrowed = requestedScope(scope, held) ?? presented.scope ?? undefined;
  const tokenId = ctx.newId("tok");
  const { username, id: userId } = user;
  const { securityVersion, withFactor } = presented;
  const authenticatedAt = Date.parse(presented.authenticatedAt);
  const proven = { securityVersion, authenticatedAt, withFactor };
  const claims = { username, userId, tenantId, tokenId, ...proven, ...audience };
  // Signed before anything is stored. If signing fails, the refresh token stays valid.
  const issued = await ctx.env.use(tokens).issue({ ...claims, ...(narrowed ? { scope: narrowed } : {}) }, lifetime);
  const companion = { tokenId, expiresAt: issued.expiresAt };
  const successor = await ctx.write(
    (inner) => exchange(inner, presented.id, user, companion),
    userPrincipal(ctx, tenantId, user),
  );
  if (successor === undefined) throw worthless();
  return {
    access_token: issued.token,
    token_type: "Bearer",
    expires_in: issued.expiresIn,
    ...(narrowed ? { scope: narrowed.join(" ") } : {}),
    refresh_token: successor,
  };
}

/**
 * Stores the successor of a token, within the transaction. `undefined` when it gets none, and then its family is
 * revoked.
 */
async function exchange(
  ctx: Context,
  id: string,
  user: User,
  companion: { tokenId: string; expiresAt: number },
): Promise<string | undefined> {
  const token = (await ctx.db.get(refreshTokens, id))?.value;
  if (!token || token.expiresAt <= ctx.now) return undefined;
  const subject = { id: user.id, type: "user", path: `/api/v1/users/${user.id}` };
  const entity = { type: "user", id: user.id, name: user.name };
  if (token.spentAt !== null) {
    await endFamily(ctx, token.familyId);
    await ctx.emit({
      type: "user.refresh_token_reused",
      subject,
      data: { entity, familyId: token.familyId },
      outcome: "denied",
    });
    return undefined;
  }
  if (!(await isAlive(ctx, token))) return undefined;
  const refreshToken = await succeed(ctx, token, companion);
  const { tokenId, expiresAt } = companion;
  await ctx.emit({
    type: "user.token_refreshed",
    subject,
    data: { entity, tokenId, expiresAt: timestamp(expiresAt) },
  });
  return refreshToken;
}

/**
 * Whether the sign-in behind a token is still valid: user and tenant are active, the security version is unchanged, and
 * no second factor is demanded by now that was not proven then.
 */
async function isAlive(ctx: Context, token: RefreshToken): Promise<boolean> {
  const [user, credential, tenant] = await Promise.all([
    ctx.db.get(users, token.userId),
    ctx.db.get(credentials, token.userId),
    ctx.db.get(tenants, ctx.principal.tenantId),
  ]);
  return (
    user?.value.status === "active" &&
    credential?.value.securityVersion === token.securityVersion &&
    tenant?.value.status === "active" &&
    (token.withFactor || !(await isDemanded(ctx.env, ctx.db, token.userId)))
  );
}
