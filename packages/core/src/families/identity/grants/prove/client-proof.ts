import { formDecoded } from "#kernel/http/form.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { oauthRefusal } from "../refuse-oauth.js";
import type { ClientFields } from "../schema.js";

export const NO_PROOF = "Send client credentials: Basic, client_secret or client_assertion.";
export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** How a client authenticates: by a shared secret, or by a JWT it has signed. */
export type ClientProof =
  | { readonly clientId: string; readonly secret: string }
  | { readonly clientId: string | undefined; readonly assertion: string };

/**
 * The proof in a request, or `undefined`. `invalid_request` when there are several, or the ids in header and body
 * differ. `invalid_client` when the header does not follow RFC 6749, section 2.3.1.
 */
export function presentedProof(ctx: ReadContext, fields: ClientFields): ClientProof | undefined {
  const { client_id: clientId, client_secret: secret, client_assertion: assertion } = fields;
  const basic = basicProof(ctx.request.authorization);
  const proofs = [basic, secret, assertion].filter((proof) => proof !== undefined);
  if (proofs.length > 1) throw oauthRefusal("invalid_request", "Send one proof of the client, not several.");
  if (basic && clientId !== undefined && clientId !== basic.clientId)
    throw oauthRefusal("invalid_request", "Header and body name different clients.");
  if (basic) return basic;
  if (secret !== undefined) {
    if (clientId === undefined) throw oauthRefusal("invalid_request", "client_id is missing.");
    return { clientId, secret };
  }
  if (assertion === undefined) return undefined;
  if (fields.client_assertion_type !== ASSERTION_TYPE)
    throw oauthRefusal("invalid_request", `client_assertion_type must be "${ASSERTION_TYPE}".`);
  return { clientId, assertion };
}

function basicProof(authorization: string | undefined): { clientId: string; secret: string } | undefined {
  if (authorization === undefined || !/^basic /i.test(authorization)) return undefined;
  const [, encoded = ""] = BASIC.exec(authorization) ?? [];
  try {
    const [id = "", ...rest] = utf8.decode(Buffer.from(encoded, "base64")).split(":");
    if (rest.length > 0) return { clientId: formDecoded(id), secret: formDecoded(rest.join(":")) };
  } catch {
    // Refused below, like every malformed header.
  }
  throw oauthRefusal("invalid_client", "The header Authorization is not understood.");
}
