import {
  NAME_ID_FORMATS,
  type NameIdFormat,
  type SamlAuthnRequest,
  SamlError,
  type SamlExpectation,
  type SamlMessage,
} from "@reeve/core";
import type { Element } from "../xml/dom.js";
import { BINDING_URIS, CONTEXT_URIS, FORMAT_URIS, NS, PLAIN_PASSWORD } from "../xml/names.js";
import { allOf, attributeOf, oneOf, requireChildren, textOf } from "../xml/read.js";
import { receive } from "./receive.js";

const CHILDREN = [
  [NS.assertion, "Issuer"],
  [NS.signature, "Signature"],
  [NS.protocol, "Extensions"],
  [NS.assertion, "Subject"],
  [NS.protocol, "NameIDPolicy"],
  [NS.assertion, "Conditions"],
  [NS.protocol, "RequestedAuthnContext"],
  [NS.protocol, "Scoping"],
] as const;

/** Reads and verifies a request to sign on. */
export function readAuthnRequest(message: SamlMessage, expected: SamlExpectation): SamlAuthnRequest {
  const { kind, root, id, relayState, signed } = receive(message, expected, false);
  if (kind !== "AuthnRequest") throw new SamlError("document_unexpected");
  requireChildren(root, CHILDREN);
  // Whom the request is about is the identity provider's to tell.
  if (oneOf(root, NS.assertion, "Subject")) throw new SamlError("document_unexpected", "It names a subject.");
  const binding = attributeOf(root, "ProtocolBinding");
  if (binding !== undefined && binding !== BINDING_URIS.post)
    throw new SamlError("recipient_mismatch", "Responses go by POST only.");
  const acsUrl = attributeOf(root, "AssertionConsumerServiceURL") ?? null;
  if (acsUrl === null && attributeOf(root, "AssertionConsumerServiceIndex") !== undefined)
    throw new SamlError("recipient_mismatch", "It names the address by an index.");
  return {
    id,
    relayState,
    signed,
    acsUrl,
    forceAuthn: flag(root, "ForceAuthn"),
    isPassive: flag(root, "IsPassive"),
    takes: takenBy(oneOf(root, NS.protocol, "RequestedAuthnContext")),
    nameIdFormat: formatOf(oneOf(root, NS.protocol, "NameIDPolicy")),
  };
}

function flag(root: Element, name: string): boolean {
  const given = attributeOf(root, name) ?? "false";
  if (!["true", "false", "1", "0"].includes(given))
    throw new SamlError("document_unexpected", `${name} is no boolean.`);
  return given === "true" || given === "1";
}

/**
 * Which kinds of sign-in a request takes. `minimum` takes a password where it names one or less; `maximum` and `better`
 * compare what nobody has put in order, so that they take nothing.
 */
function takenBy(wanted: Element | undefined): SamlAuthnRequest["takes"] {
  if (!wanted) return { password: true, unspecified: true };
  const comparison = attributeOf(wanted, "Comparison") ?? "exact";
  const classes = allOf(wanted, NS.assertion, "AuthnContextClassRef").map(textOf);
  const isNamed = (...uris: readonly string[]) => classes.some((uri) => uris.includes(uri));
  const { password, unspecified } = CONTEXT_URIS;
  if (comparison === "exact") return { password: isNamed(password), unspecified: isNamed(unspecified) };
  const isMinimum = comparison === "minimum";
  return {
    password: isMinimum && isNamed(password, PLAIN_PASSWORD, unspecified),
    unspecified: isMinimum && isNamed(unspecified),
  };
}

function formatOf(policy: Element | undefined): NameIdFormat | null {
  const uri = policy && attributeOf(policy, "Format");
  if (uri === undefined || uri === FORMAT_URIS.unspecified) return null;
  const format = NAME_ID_FORMATS.find((name) => FORMAT_URIS[name] === uri);
  if (!format) throw new SamlError("name_id_unsupported");
  return format;
}
