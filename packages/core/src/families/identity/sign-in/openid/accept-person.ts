import type { JWTPayload } from "jose";
import { optionsOf } from "#families/options.js";
import { platformGates, tenantHosts } from "#families/platform/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import type { OpenidAnswer, OpenidProvider } from "#ports/openid.js";
import { foreignTokens } from "../../issuers/verify/foreign-tokens.js";
import { foreignUsers, readClaims, roleMapOf } from "../../issuers/verify/foreign-users.js";
import { isRequired } from "../../second-factors/queries.js";
import type { SignedInPerson } from "../../sessions/browser/start-session.js";
import { credentials } from "../../users/passwords/credentials.js";
import { users } from "../../users/schema.js";
import { principals } from "../authenticate/principals.js";
import type { RefusalCode } from "./send-browser.js";

/** The claims that a provider is asked for, because the rules of its issuer read them. */
export function wantedClaims(ctx: ReadContext, provider: OpenidProvider): readonly string[] {
  const trusted = optionsOf(ctx.env).trustedIssuers.find(({ issuer }) => issuer === provider.issuer);
  return trusted ? readClaims(trusted) : [];
}

/**
 * The person whom a provider names, by the rules of its trusted issuer, or why they are not signed in. 401 when the token is
 * not right, names nobody who may come in, or an address that is not verified.
 */
export async function acceptPerson(
  ctx: ReadContext,
  provider: OpenidProvider,
  { idToken, more }: OpenidAnswer,
): Promise<SignedInPerson | RefusalCode> {
  const { env } = ctx;
  const asked = Object.entries(more).filter(([claim]) => wantedClaims(ctx, provider).includes(claim));
  const token = await env.use(foreignTokens).verifyIdToken(idToken, provider, Object.fromEntries(asked));
  const person = await env.use(foreignUsers).of(token);
  const { tenantId, userId } = person;
  if (!(await env.use(tenantHosts).admits(ctx.request.host, tenantId))) return "unknown";
  const tenant = await env.use(platformGates).tenant(tenantId);
  if (tenant?.status !== "active") return "suspended";
  const hasFactor = saysFactor(provider, token.claims);
  if (!hasFactor && (await isRequired(env, tenantId))) return "second_factor";
  const principal = await env.use(principals).ofHosted(person, roleMapOf(env, token.trusted));
  const reader = env.store.forTenant(tenantId);
  const [row, credential] = await Promise.all([reader.get(users, userId), reader.get(credentials, userId)]);
  return {
    principal,
    name: row?.value.name ?? principal.username,
    userId,
    username: principal.username,
    issuer: token.trusted.issuer,
    subject: token.subject,
    roles: person.roles ? [...person.roles] : null,
    securityVersion: credential?.value.securityVersion ?? null,
    factor: hasFactor ? "issuer" : null,
    authenticatedAt: provenAt(ctx, token.claims),
  };
}

/** Whether the provider says that a second factor was proven. */
function saysFactor({ factorClaims }: OpenidProvider, { amr, acr }: JWTPayload): boolean {
  const methods = Array.isArray(amr) ? amr : [];
  return methods.some((one) => factorClaims.amr.includes(one)) || factorClaims.acr.includes(acr as string);
}

/** When they proved who they are, never later than now. `null` where the provider does not say. */
function provenAt({ request: { nowMs } }: ReadContext, { auth_time: at }: JWTPayload): string | null {
  return typeof at === "number" && at > 0 ? timestamp(Math.min(nowMs, Math.floor(at * 1_000))) : null;
}
