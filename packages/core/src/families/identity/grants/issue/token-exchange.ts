import { ReeveError } from "#kernel/http/errors.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { attemptToken } from "../../attempts/limit/gate.js";
import { clientByCredential, clientBySubject, type PresentedClient } from "../../clients/look-up-client.js";
import { type ForeignToken, foreignTokens } from "../../issuers/verify/foreign-tokens.js";
import { claimedTenant } from "../../issuers/verify/foreign-users.js";
import { authenticateClient, mayAct } from "../prove/authenticate-client.js";
import { NO_PROOF, presentedProof } from "../prove/client-proof.js";
import { oauthRefusal } from "../refuse-oauth.js";
import type { TokenAnswer, TokenRequest } from "../schema.js";
import { issueToClient } from "./issue-to-client.js";
import { tokenKinds } from "./token-kinds.js";

const TYPE = "urn:ietf:params:oauth:token-type:";
const SUBJECT_TYPES: ReadonlySet<string> = new Set([`${TYPE}jwt`, `${TYPE}id_token`, `${TYPE}access_token`]);
const ISSUED_TYPE = `${TYPE}access_token`;
/** The longest lifetime of an exchanged token, in seconds. The workload can exchange its own token again. */
export const EXCHANGED_LIFETIME = 900;

/** RFC 8693, section 2.2.2 demands `invalid_request` for every subject token that is not accepted. */
const refusedSubject = () => oauthRefusal("invalid_request", "The subject token gives nothing here.");

/**
 * Exchanges a workload's token of a trusted issuer for a short-lived one of the AI identity with that issuer and
 * subject. `client_id` names the identity, or the token names its tenant. The new token expires no later than the given
 * one. Other kinds of tokens come of the tokens of people, for clients that prove themselves.
 */
export async function tokenExchangeGrant(ctx: OutsideContext, request: TokenRequest): Promise<TokenAnswer> {
  const { subject_token: text, subject_token_type: type, requested_token_type: wanted = ISSUED_TYPE } = request;
  if (text === undefined) throw oauthRefusal("invalid_request", "subject_token is missing.");
  if (type === undefined || !SUBJECT_TYPES.has(type))
    throw oauthRefusal("invalid_request", `subject_token_type must be one of ${[...SUBJECT_TYPES].join(", ")}.`);
  const kind = ctx.env.use(tokenKinds).find((one) => one.type === wanted);
  if (!kind && wanted !== ISSUED_TYPE)
    throw oauthRefusal(
      "invalid_request",
      `requested_token_type must be ${ISSUED_TYPE}, or one that the metadata names.`,
    );
  if (request.actor_token !== undefined) throw oauthRefusal("invalid_request", "actor_token is not supported.");
  const proof = presentedProof(ctx, request);
  const proven = proof && (await authenticateClient(ctx, proof));
  if (kind) {
    if (!proven) throw oauthRefusal("invalid_client", NO_PROOF);
    return kind.exchange(ctx, proven, { ...request, subject_token: text });
  }
  if (!ctx.env.use(foreignTokens).isFrom(text)) throw refusedSubject();
  return attemptToken(ctx, text, async () => {
    const token = await subjectToken(ctx, text);
    const client = await clientFor(ctx, token, proven?.identityId ?? request.client_id);
    if (!client || !(await mayAct(ctx, client))) throw refusedSubject();
    const lifetime = Math.min(EXCHANGED_LIFETIME, Math.floor((token.expiresAt - ctx.request.nowMs) / 1_000));
    if (lifetime < 1) throw refusedSubject();
    const data = { issuer: token.trusted.issuer, subject: token.subject };
    const answer = await issueToClient(ctx, client, {
      scope: request.scope,
      resource: request.resource,
      lifetime,
      data,
    });
    return { ...answer, issued_token_type: ISSUED_TYPE };
  });
}

async function subjectToken(ctx: ReadContext, text: string): Promise<ForeignToken> {
  try {
    return await ctx.env.use(foreignTokens).verify(text);
  } catch (error) {
    if (ReeveError.is(error) && error.status === 401) throw refusedSubject();
    throw error;
  }
}

/**
 * The client with the token's issuer and subject. When the issuer has a tenant claim, it must name the client's tenant.
 */
async function clientFor(
  ctx: ReadContext,
  token: ForeignToken,
  clientId: string | undefined,
): Promise<PresentedClient | undefined> {
  const { trusted, subject } = token;
  const claimed = await claimedTenant(ctx.env, token);
  const tenantId = clientId === undefined ? claimed : (await clientByCredential(ctx.env, clientId))?.tenantId;
  if (tenantId === undefined || (trusted.tenantClaim !== undefined && claimed !== tenantId)) return undefined;
  const client = await clientBySubject(ctx.env, tenantId, trusted.issuer, subject);
  return clientId === undefined || client?.identityId === clientId ? client : undefined;
}
