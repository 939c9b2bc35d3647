import type { SamlFailure, SamlSignOn } from "@reeve/core";
import { signedDocument } from "../signature/sign.js";
import { NS, STATUS } from "../xml/names.js";
import { element, escaped, instant } from "../xml/write.js";
import { assertion } from "./assertion.js";
import { encryptedAssertion } from "./encrypt.js";

type Envelope = Pick<SamlSignOn, "issuer" | "acsUrl" | "inResponseTo" | "now"> & { readonly id: string };

function response({ issuer, acsUrl, inResponseTo, now, id }: Envelope, status: string, content: string): string {
  return element(
    "samlp:Response",
    {
      "xmlns:samlp": NS.protocol,
      "xmlns:saml": NS.assertion,
      Destination: acsUrl,
      ID: id,
      InResponseTo: inResponseTo,
      IssueInstant: instant(now),
      Version: "2.0",
    },
    element("saml:Issuer", {}, escaped(issuer.entityId)),
    element("samlp:Status", {}, status),
    content,
  );
}

/** The document of a successful response. The assertion is always signed, and encrypted after that. */
export async function successfulResponse(signOn: SamlSignOn): Promise<string> {
  const { signer, encryptFor, ids } = signOn;
  const proof = signedDocument(assertion(signOn), signer);
  const content = encryptFor === null ? proof : await encryptedAssertion(proof, encryptFor);
  const status = element("samlp:StatusCode", { Value: `${STATUS}Success` });
  const document = response({ ...signOn, id: ids.response }, status, content);
  return signOn.signed === "response" ? signedDocument(document, signer) : document;
}

/** The signed document of a response that refuses. */
export function refusingResponse({ status, signer, ...envelope }: SamlFailure): string {
  const reason = element("samlp:StatusCode", { Value: STATUS + status });
  const code = element("samlp:StatusCode", { Value: `${STATUS}Responder` }, reason);
  return signedDocument(response(envelope, code, ""), signer);
}
