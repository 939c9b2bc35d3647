import { recordUses } from "#families/access-drift/index.js";
import {
  attemptToken,
  keyRing,
  oauthRefusal,
  type PresentedClient,
  principals,
  type TokenAnswer,
  type TokenKind,
  users,
} from "#families/identity/index.js";
import type { Principal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import { jose } from "#kernel/http/jose.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { timestamp } from "#ports/clock.js";
import { isIdOf } from "#store/collection.js";
import { type Asked, type Grounds, judgeRequest, type Refusal, type Verdict } from "./judge-request.js";
import { noteIssue, noteRefusal, type Wish } from "./note-outcome.js";
import { LIFETIME } from "./rules.js";

export const ASSERTION = "urn:ietf:params:oauth:token-type:id-jag";
/** RFC 6749, section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

type Request = Parameters<TokenKind["exchange"]>[2];

/**
 * Exchanges the token of a person for an identity assertion: a JWT with which an agent gets an access token of the
 * authorization server of an MCP server. Each issue and each refusal is an event.
 */
export async function exchangeToken(
  ctx: OutsideContext,
  client: PresentedClient,
  request: Request,
): Promise<TokenAnswer> {
  const asked = readRequest(client, request);
  const person = await personOf(ctx, client, request.subject_token);
  if (!person) {
    await ctx.write((inner) => noteRefusal(inner, asked, undefined, { refusal: NOBODY }), asClient(client));
    throw refused(NOBODY);
  }
  // A key that cannot be opened fails before anything is stored.
  const { signing } = await ctx.env.use(keyRing).current();
  const outcome = await ctx.write(
    (inner) => decide(inner, { ...asked, userId: person.userId }, person),
    asClient(client),
  );
  if ("refusal" in outcome) throw refused(outcome.refusal);
  const { payload, expiresIn, scopes } = outcome;
  const { SignJWT } = await jose();
  const assertion = await new SignJWT(payload)
    .setProtectedHeader({ alg: signing.alg, typ: "oauth-id-jag+jwt", kid: signing.kid })
    .sign(signing.key);
  return {
    issued_token_type: ASSERTION,
    access_token: assertion,
    token_type: "N_A",
    expires_in: expiresIn,
    ...(scopes.length > 0 ? { scope: scopes.join(" ") } : {}),
  };
}

function readRequest({ identityId }: PresentedClient, request: Request): Wish {
  const { audience, resource, scope, authorization_details: details } = request;
  if (audience === undefined) throw oauthRefusal("invalid_request", "audience is missing.");
  if (resource === undefined) throw oauthRefusal("invalid_request", "resource is missing.");
  if (details !== undefined) throw oauthRefusal("invalid_request", "authorization_details is not supported.");
  if (scope !== undefined && !SCOPE.test(scope))
    throw oauthRefusal("invalid_scope", "The scope is not a list of names with spaces between.");
  return { identityId, audience, resource, scopes: scope === undefined ? undefined : [...new Set(scope.split(" "))] };
}

const NOBODY: Refusal = {
  error: "invalid_request",
  reasons: ["subject_refused"],
  message: "The subject token is not the token of a person who may act now.",
};

/** The person of a token that is good for a sign-in here, of the tenant of the client. */
async function personOf(ctx: OutsideContext, client: PresentedClient, text: string): Promise<Principal | undefined> {
  try {
    return await attemptToken(ctx, text, async () => {
      const found = await ctx.env.use(principals).ofToken(text);
      if (found.kind !== "user" || found.tenantId !== client.tenantId) throw new ReeveError("invalid_token");
      return found;
    });
  } catch (error) {
    if (ReeveError.is(error) && error.status === 401) return undefined;
    throw error;
  }
}

interface Issued {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly expiresIn: number;
  readonly scopes: readonly string[];
}

/** Decides by what is stored at this moment, and stores what was decided. A refusal is stored, and so it is no throw. */
async function decide(ctx: Context, asked: Asked, person: Principal): Promise<{ readonly refusal: Refusal } | Issued> {
  const verdict: Verdict = (await isActive(ctx, asked.userId)) ? await judgeRequest(ctx, asked) : { refusal: NOBODY };
  const seconds = "grounds" in verdict ? lifetimeOf(verdict.grounds, person, ctx.request.nowMs) : 0;
  if ("refusal" in verdict) return noteRefusal(ctx, asked, person, verdict);
  if (seconds < 1) return noteRefusal(ctx, asked, person, { ...verdict, refusal: OVER });
  return issue(ctx, asked, person, verdict.grounds, seconds);
}

const OVER: Refusal = {
  error: "invalid_target",
  reasons: ["access:expired"],
  message: "The access, or the sign-in of the person, ends at this moment.",
};

/** Of people whom only an issuer or the host knows, the token has told it. */
async function isActive(ctx: Context, userId: string): Promise<boolean> {
  return !isIdOf(users, userId) || (await ctx.db.get(users, userId))?.value.status === "active";
}

/** Seconds until the first end of what the assertion rests on. */
function lifetimeOf({ assignments }: Grounds, { tokenExpiresAt }: Principal, nowMs: number): number {
  const ends = assignments.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [Date.parse(expiresAt)]));
  const end = Math.min(...ends, tokenExpiresAt ?? Number.POSITIVE_INFINITY);
  return Math.min(LIFETIME, Math.floor(end / 1_000) - Math.floor(nowMs / 1_000));
}

async function issue(
  ctx: Context,
  asked: Asked,
  person: Principal,
  grounds: Grounds,
  expiresIn: number,
): Promise<Issued> {
  const { agent, server, clientId, scopes, assignments } = grounds;
  const id = ctx.newId("jag");
  const now = Math.floor(ctx.request.nowMs / 1_000);
  const resource = new URL(server.url).href;
  const { userId, authenticatedAt, withFactor } = person;
  await recordUses(
    ctx,
    assignments.map((one, part) => ({
      ...{ at: ctx.now, assetId: agent.assetId, identityId: one.identityId, assignmentId: one.id },
      ...{ attribution: "exact", primary: part === 0, grantKey: one.grantKey, part },
      ...{ connectorInstanceId: one.connectorInstanceId, resourceId: one.resourceId, tool: null },
      ...{ action: "assert", count: 1, outcome: "success", denyCode: null, latencyMs: null, argsHash: null },
      ...{ bytesIn: null, bytesOut: null, sessionId: null, tokenId: id, traceId: ctx.request.requestId },
      actors: [
        { type: "user", id: userId },
        { type: "agent", id: agent.assetId },
      ],
      ...{ source: "gateway", externalEventId: null, synthetic: false },
    })),
  );
  const expiresAt = timestamp((now + expiresIn) * 1_000);
  await noteIssue(ctx, asked, grounds, { assertionId: id, resource, expiresAt });
  const payload = {
    iss: ctx.env.options.baseUrl,
    sub: userId,
    // Users of all tenants have one issuer.
    tenant: ctx.principal.tenantId,
    aud: server.authorization.issuer,
    client_id: clientId,
    jti: id,
    iat: now,
    exp: now + expiresIn,
    resource,
    ...(scopes.length > 0 ? { scope: scopes.join(" ") } : {}),
    ...(authenticatedAt === undefined ? {} : { auth_time: Math.floor(authenticatedAt / 1_000) }),
    ...(withFactor ? { amr: ["pwd", "mfa"] } : {}),
  };
  return { payload, expiresIn, scopes };
}

function refused({ error, reasons, message }: Refusal): ReeveError {
  return new ReeveError("assertion_refused", message, { members: { error, error_description: message, reasons } });
}

/** The principal of a client that has no token. */
function asClient({ tenantId, identityId, scopes }: PresentedClient): Principal {
  const who = { userId: identityId, username: identityId, roles: [], permissions: new Set<string>(scopes) };
  return { kind: "client", tenantId, ...who };
}
