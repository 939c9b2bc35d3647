import { platformGates } from "#families/platform/index.js";
import type { Principal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { isIdOf } from "#store/collection.js";
import { IDENTITY } from "../clients/look-up-client.js";
import { authenticateClient } from "../grants/prove/authenticate-client.js";
import { presentedProof } from "../grants/prove/client-proof.js";
import { oauth, oauthRefusal } from "../grants/refuse-oauth.js";
import { type ClientFields, clientProof } from "../grants/schema.js";
import { endFamily, presentedToken } from "../sessions/refresh-family.js";
import { principals } from "../sign-in/authenticate/principals.js";
import { revokeToken } from "../tokens/revoked-tokens.js";
import type { TokenClaims } from "../tokens/token-claims.js";
import { tokens } from "../tokens/token-service.js";

const TokenQuestion = z
  .object({
    token: z.string().min(1).max(16_384).meta({ description: "An access or refresh token." }),
    token_type_hint: z.string().max(2_048).optional().meta({ description: "Not needed: the token shows what it is." }),
    ...clientProof,
  })
  .meta({ id: "TokenQuestion", example: { token: "eyJhbGciOiJFUzI1NiJ9…" } });

const shared = {
  method: "POST",
  tag: "Authentication",
  access: "public",
  dialect: oauth,
  extension: true,
  body: TokenQuestion,
  errors: ["invalid_credentials", "too_many_attempts"],
} as const;

export const revoke = defineOperation({
  ...shared,
  id: "auth.revoke",
  path: "/api/v1/auth/revoke",
  summary: "Revoke a token by showing it",
  description:
    "RFC 7009. A refresh token takes all that followed from its sign-in with it. A worthless token is 200 too. Whoever holds a token may end it; client credentials are not needed, and must be right when they are sent.",
  success: { status: 200, schema: z.object({}) },
  effect: "own",
  async handler(ctx, { body }) {
    const { token } = body;
    const proof = presentedProof(ctx, body);
    if (proof) await authenticateClient(ctx, proof);
    const row = await presentedToken(ctx.env, token);
    if (row) {
      const { userId, familyId } = row.value;
      await end(ctx, { tenantId: row.tenantId, userId, username: userId }, { familyId }, async (inner) => {
        await endFamily(inner, familyId);
        return true;
      });
      return {};
    }
    const claims = await verifiedClaims(ctx, token);
    // A token of a suspended tenant or of a disabled user works again with them, so it is ended too.
    if (claims && (await ctx.env.use(platformGates).tenant(claims.tenantId))) {
      const { tokenId, expiresAt } = claims;
      await end(ctx, claims, { tokenId }, (inner) => revokeToken(inner, tokenId, expiresAt));
    }
    return {};
  },
});

/** Revokes in the tenant of the token's owner, as that owner, and with the event when `work` has ended something. */
async function end(
  ctx: OutsideContext,
  { tenantId, userId, username }: Pick<TokenClaims, "tenantId" | "userId" | "username">,
  what: Readonly<Record<string, string>>,
  work: (ctx: Context) => Promise<boolean>,
): Promise<void> {
  const isClient = isIdOf(IDENTITY, userId);
  const kind = isClient ? "client" : "user";
  const holder: Principal = { kind, tenantId, userId, username, roles: [], permissions: new Set() };
  const type = isClient ? "ai_identity" : "user";
  const path = `${isClient ? "/api/v1/ai/identities" : "/api/v1/users"}/${userId}`;
  await ctx.write(async (inner) => {
    if (!(await work(inner))) return;
    await inner.emit({
      type: "token.revoked",
      subject: { id: userId, type, path },
      data: { entity: { type, id: userId, name: username }, ...what },
    });
  }, holder);
}

const Introspection = z
  .object({
    active: z.boolean().meta({ description: "Whether it is good; if not, nothing else is told." }),
    scope: z.string().optional().meta({ description: "Scopes of the token, separated by spaces." }),
    username: z.string().optional().meta({ description: "E-mail address of the user." }),
    client_id: z.string().optional().meta({ description: "Of tokens of machine clients." }),
    token_type: z.literal("Bearer").optional().meta({ description: "How the token is sent." }),
    exp: z.int().optional().meta({ description: "When it expires, in seconds since 1970." }),
    sub: z.string().optional().meta({ description: "Id of its user or machine." }),
    aud: z.string().optional().meta({ description: "Who the token is for." }),
    iss: z.string().optional().meta({ description: "Who issued the token." }),
    jti: z.string().optional().meta({ description: "Id of the token." }),
  })
  .meta({ id: "TokenIntrospection" });

export const introspect = defineOperation({
  ...shared,
  id: "auth.introspect",
  path: "/api/v1/auth/introspect",
  summary: "Tell whether an access token is good",
  description:
    "RFC 7662. The caller authenticates with a bearer token or as a client. Tokens of other tenants and refresh tokens are answered like worthless ones: `active` is false.",
  success: { status: 200, schema: Introspection },
  errors: [...shared.errors, "invalid_token", "token_expired", "issuer_unavailable", "tenant_suspended"],
  effect: "read",
  async handler(ctx, { body }) {
    const tenantId = await callersTenant(ctx, body);
    const claims = await goodClaims(ctx, body.token);
    if (!claims || claims.tenantId !== tenantId) return { active: false };
    const { baseUrl } = ctx.env.options;
    return {
      active: true,
      ...(claims.scope ? { scope: claims.scope.join(" ") } : {}),
      username: claims.username,
      ...(isIdOf(IDENTITY, claims.userId) ? { client_id: claims.userId } : {}),
      token_type: "Bearer" as const,
      exp: claims.expiresAt / 1_000,
      sub: claims.username,
      aud: claims.audience ?? baseUrl,
      iss: baseUrl,
      jti: claims.tokenId,
    };
  },
});

async function callersTenant(ctx: ReadContext, fields: ClientFields): Promise<string> {
  const proof = presentedProof(ctx, fields);
  if (proof) return (await authenticateClient(ctx, proof)).tenantId;
  const header = ctx.request.authorization;
  if (!header?.startsWith("Bearer ")) throw oauthRefusal("invalid_client", "A token or client credentials are needed.");
  const { tenantId } = await ctx.env.use(principals).ofToken(header.slice(7));
  await requireActiveTenant(ctx, tenantId);
  return tenantId;
}

async function requireActiveTenant(ctx: ReadContext, tenantId: string): Promise<void> {
  const tenant = await ctx.env.use(platformGates).tenant(tenantId);
  if (tenant?.status !== "active") throw new ReeveError("tenant_suspended");
}

/** The claims of a token that would be accepted as a bearer now. `undefined` otherwise. */
async function goodClaims(ctx: ReadContext, token: string): Promise<TokenClaims | undefined> {
  const claims = await verifiedClaims(ctx, token);
  if (!claims) return undefined;
  return unlessRefused(async () => {
    await ctx.env.use(principals).ofToken(token, claims.audience);
    await requireActiveTenant(ctx, claims.tenantId);
    return claims;
  });
}

/** The claims of a token of this service that has not expired, whoever may use it. Tokens of other issuers have none. */
function verifiedClaims(ctx: ReadContext, token: string): Promise<TokenClaims | undefined> {
  return unlessRefused(async () => ctx.env.use(tokens).verifyAny(token));
}

async function unlessRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (ReeveError.is(error) && (error.status === 401 || error.status === 403)) return undefined;
    throw error;
  }
}
