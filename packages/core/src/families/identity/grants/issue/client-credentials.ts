import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { authenticateClient } from "../prove/authenticate-client.js";
import { NO_PROOF, presentedProof } from "../prove/client-proof.js";
import { oauthRefusal } from "../refuse-oauth.js";
import type { TokenAnswer, TokenRequest } from "../schema.js";
import { issueToClient } from "./issue-to-client.js";

/**
 * Issues a token for an AI identity to its authenticated machine client. There is no refresh token, because the client
 * can authenticate again.
 */
export async function clientCredentialsGrant(ctx: OutsideContext, request: TokenRequest): Promise<TokenAnswer> {
  const proof = presentedProof(ctx, request);
  if (!proof) throw oauthRefusal("invalid_client", NO_PROOF);
  return issueToClient(ctx, await authenticateClient(ctx, proof), { scope: request.scope, resource: request.resource });
}
