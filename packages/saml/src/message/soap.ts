import { type SamlEngine, SamlError, type SamlLogoutResponse } from "@reeve/core";
import { verifiedRoot } from "../signature/verify.js";
import type { Element } from "../xml/dom.js";
import { decoded } from "../xml/guard.js";
import { NS } from "../xml/names.js";
import { parsed } from "../xml/parse.js";
import { childrenOf, countBelow, isNamed, oneOf, requireChildren } from "../xml/read.js";
import { response } from "./logout.js";
import { requireFresh } from "./receive.js";

/**
 * Reads and verifies the answer to a logout that went from server to server. It is matched by the id of the request, which
 * nobody else knows, so that it needs no destination.
 */
export function readSoapLogout(
  document: Uint8Array,
  expected: Parameters<SamlEngine["readSoapLogout"]>[1],
): SamlLogoutResponse {
  const xml = decoded(document);
  const envelope = parsed(xml);
  const answer = onlyIn(envelope);
  const signatures = countBelow(envelope, NS.signature, "Signature");
  if (signatures === 0) throw new SamlError("signature_missing");
  if (expected.certificates.length === 0) throw new SamlError("signature_unverifiable");
  if (signatures > 1) throw new SamlError("signature_invalid", "A signature stands where it must not.");
  const root = verifiedRoot(xml, answer, expected.certificates);
  if (!root) throw new SamlError("signature_invalid", "The signature is not that of the answer.");
  const id = requireFresh(root, expected);
  const read = response({ root, id, relayState: null, signed: true });
  if (read.inResponseTo !== expected.inResponseTo)
    throw new SamlError("document_unexpected", "It answers another request.");
  return read;
}

/** The one logout response in the body of an envelope. */
function onlyIn(envelope: Element): Element {
  if (!isNamed(envelope, NS.soap, "Envelope")) throw new SamlError("document_unexpected", "It is no envelope of SOAP.");
  requireChildren(envelope, [
    [NS.soap, "Header"],
    [NS.soap, "Body"],
  ]);
  const body = oneOf(envelope, NS.soap, "Body");
  const [answer, ...others] = body ? childrenOf(body) : [];
  if (!answer || others.length > 0) throw new SamlError("document_unexpected", "It has not one message.");
  if (isNamed(answer, NS.soap, "Fault")) throw new SamlError("status_failed", "The application answers with a fault.");
  if (!isNamed(answer, NS.protocol, "LogoutResponse")) throw new SamlError("document_unexpected");
  return answer;
}
