import { deflateRawSync, inflateRawSync } from "node:zlib";
import { SamlError } from "@reeve/core";
import { isSignedBy, RSA_SHA256, signed } from "../signature/algorithms.js";
import { DOCUMENT_BYTES, decoded } from "../xml/guard.js";
import { base64Bytes, type Opened } from "./opened.js";
import { checkRelayState } from "./relay-state.js";

const DEFLATE = "urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE";
const OWN = ["SAMLRequest", "SAMLResponse", "RelayState", "SigAlg", "Signature", "SAMLEncoding"];

/**
 * The parameters of the binding exactly as they were sent, because the signature is over their octets. It is over no other,
 * so that others beside them, such as a hint, say nothing.
 */
function rawParameters(query: string): ReadonlyMap<string, string> {
  const raw = new Map<string, string>();
  for (const pair of query.split("&").filter((part) => part !== "")) {
    const equals = pair.indexOf("=");
    const name = equals < 0 ? pair : pair.slice(0, equals);
    if (!OWN.includes(name)) continue;
    if (raw.has(name)) throw new SamlError("parameter_invalid", `${name} was sent more than once.`);
    raw.set(name, equals < 0 ? "" : pair.slice(equals + 1));
  }
  return raw;
}

function unescaped(raw: string): string {
  try {
    return decodeURIComponent(raw.replaceAll("+", " "));
  } catch (cause) {
    throw new SamlError("parameter_invalid", "It has a broken percent-escape.", { cause });
  }
}

function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: DOCUMENT_BYTES });
  } catch (cause) {
    const isTooLarge = (cause as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
    throw new SamlError(isTooLarge ? "document_too_large" : "document_malformed", undefined, { cause });
  }
}

/** Opens a message of the redirect binding. Its signature is beside the document, over the octets of the query. */
export function openRedirect(query: string): Opened {
  const raw = rawParameters(query);
  const [name, ...others] = ["SAMLRequest", "SAMLResponse"].filter((candidate) => raw.has(candidate));
  if (!name || others.length > 0) throw new SamlError("parameter_invalid", "It has not one message.");
  if (raw.has("SAMLEncoding") && unescaped(raw.get("SAMLEncoding") ?? "") !== DEFLATE)
    throw new SamlError("parameter_invalid", "It is encoded in an unknown way.");
  const bytes = base64Bytes(unescaped(raw.get(name) ?? "").replaceAll(" ", "+"));
  const state = raw.get("RelayState");
  const relayState = state === undefined ? null : checkRelayState(unescaped(state));
  // One without the other, or an empty one, is no signature.
  const [algorithm, signature] = [raw.get("SigAlg"), raw.get("Signature")];
  const octets = [name, "RelayState", "SigAlg"]
    .filter((part) => raw.has(part))
    .map((part) => `${part}=${raw.get(part)}`)
    .join("&");
  return {
    isRequest: name === "SAMLRequest",
    xml: decoded(inflated(bytes)),
    relayState,
    detached:
      algorithm && signature
        ? (certificates) => isSignedBy(certificates, unescaped(algorithm), octets, base64Bytes(unescaped(signature)))
        : null,
  };
}

/** The address that carries a signed message. */
export function redirectUrl(
  destination: string,
  name: "SAMLRequest" | "SAMLResponse",
  {
    xml,
    relayState,
    privateKey,
  }: { readonly xml: string; readonly relayState: string | null; readonly privateKey: string },
): string {
  const parts: [string, string][] = [[name, deflateRawSync(Buffer.from(xml)).toString("base64")]];
  if (relayState !== null) parts.push(["RelayState", relayState]);
  parts.push(["SigAlg", RSA_SHA256]);
  const octets = parts.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
  const signature = encodeURIComponent(signed(privateKey, octets));
  return `${destination}${destination.includes("?") ? "&" : "?"}${octets}&Signature=${signature}`;
}
