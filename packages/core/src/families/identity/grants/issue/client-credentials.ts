import type { OutsideContext } from "../../../../kernel/operation/outside-context.js";
import { authenticateClient } from "../prove/authenticate-client.js";
import { presentedProof } from "../prove/client-proof.js";
import { oauthRefusal } from "../refuse/oauth.js";
import type { TokenAnswer, TokenRequest } from "../schema.js";
import { issueToClient } from "./issue-to-client.js";

/** Gives a machine client that proves itself a token of its AI identity. There is no refresh token: it can always prove itself again. */
export async function clientCredentialsGrant(ctx: OutsideContext, request: TokenRequest): Promise<TokenAnswer> {
  const proof = presentedProof(ctx, request);
  if (!proof)
    throw oauthRefusal("invalid_client", "Send client credentials: Basic, client_secret or client_assertion.");
  return issueToClient(ctx, await authenticateClient(ctx, proof), { scope: request.scope });
}
