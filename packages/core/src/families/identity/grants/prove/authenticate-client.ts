import { platformGates, tenantHosts } from "#families/platform/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { attemptToken } from "../../attempts/limit/gate.js";
import { clientByCredential, type PresentedClient } from "../../clients/look-up-client.js";
import { secretMatches } from "../../clients/rules.js";
import { recordCredentialUse } from "../../clients/use-credential.js";
import { oauthRefusal } from "../refuse-oauth.js";
import { assertedClientId, provenByAssertion } from "./client-assertion.js";
import type { ClientProof } from "./client-proof.js";

/** A hash that no secret has, to compare with when there is no client. */
const NOBODY = "0".repeat(64);

/** The same error for every refused client, so that it discloses no reason. */
export const badClient = () => oauthRefusal("invalid_client", "The client is unknown, or its proof is not right.");

/** The authenticated machine client, if it may act now. 401 `invalid_client` otherwise, 429 after too many attempts. */
export async function authenticateClient(ctx: ReadContext, proof: ClientProof): Promise<PresentedClient> {
  const clientId = "assertion" in proof ? assertedClientId(proof) : proof.clientId;
  if (clientId === undefined) throw badClient();
  return attemptToken(ctx, clientId, async () => {
    const client = await clientByCredential(ctx.env, clientId);
    const credentialId =
      "assertion" in proof
        ? await provenByAssertion(ctx, client, proof.assertion)
        : provenBySecret(client, proof.secret);
    if (!client || credentialId === undefined || !(await mayAct(ctx, client))) throw badClient();
    await recordCredentialUse(ctx.env, client.tenantId, credentialId);
    return client;
  });
}

/**
 * Whether the states of identity and tenant, and the requested host, allow the client tokens. Check it only after the
 * proof.
 */
export async function mayAct(ctx: ReadContext, { usable, tenantId }: PresentedClient): Promise<boolean> {
  if (!usable || !(await ctx.env.use(tenantHosts).admits(ctx.request.host, tenantId))) return false;
  return (await ctx.env.use(platformGates).tenant(tenantId))?.status === "active";
}

function provenBySecret(client: PresentedClient | undefined, secret: string): string | undefined {
  const hashes = client?.credentials ?? [{ id: "", secretHash: NOBODY }];
  const matching = hashes.filter(({ secretHash }) => secretHash !== null && secretMatches(secret, secretHash));
  return matching[0]?.id;
}
