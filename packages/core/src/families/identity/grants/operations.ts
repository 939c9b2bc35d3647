import { defineOperation } from "#kernel/operation/operation.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { clientCredentialsGrant } from "./issue/client-credentials.js";
import { refreshGrant } from "./issue/refresh.js";
import { tokenExchangeGrant } from "./issue/token-exchange.js";
import { oauth, oauthRefusal } from "./refuse-oauth.js";
import { GRANTS, TokenAnswer, TokenRequest } from "./schema.js";

type Grant = (ctx: OutsideContext, request: TokenRequest) => Promise<TokenAnswer>;

const HANDLERS: ReadonlyMap<string, Grant> = new Map([
  [GRANTS.clientCredentials, clientCredentialsGrant],
  [GRANTS.refreshToken, refreshGrant],
  [GRANTS.tokenExchange, tokenExchangeGrant],
]);

export const issueToken = defineOperation({
  id: "auth.token",
  method: "POST",
  path: "/api/v1/auth/token",
  tag: "Authentication",
  summary: "Exchange a grant for an access token",
  description:
    "The token endpoint of RFC 6749: client credentials of AI identities (Basic, body or `private_key_jwt`), refresh tokens of users, and token exchange (RFC 8693): an access token for a workload's token of a trusted issuer, or an identity assertion for another authorization server for a person's token. Takes JSON and forms. Refusals carry `error` and `error_description`.",
  access: "public",
  dialect: oauth,
  body: TokenRequest,
  success: { status: 200, schema: TokenAnswer },
  errors: ["invalid_credentials", "assertion_refused", "too_many_attempts", "issuer_unavailable"],
  effect: "own",
  secret: true,
  killSwitches: ["signin"],
  handler(ctx, { body }) {
    const grant = HANDLERS.get(body.grant_type);
    if (!grant) throw oauthRefusal("unsupported_grant_type", "This grant_type is not supported.");
    return grant(ctx, body);
  },
});
