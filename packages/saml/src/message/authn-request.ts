import {
  type NameIdFormat,
  type SamlAuthnRequest,
  SamlError,
  type SamlExpectation,
  type SamlMessage,
} from "@reeve/core";
import type { Element } from "../xml/dom.js";
import { CONTEXT_URIS, NS, nameIdFormatOf, PLAIN_PASSWORD } from "../xml/names.js";
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

/** The longest name of somebody whom a request is about. */
const NAME = 1_024;

/** Reads and verifies a request to sign on. */
export function readAuthnRequest(message: SamlMessage, expected: SamlExpectation): SamlAuthnRequest {
  const { kind, root, id, relayState, signed } = receive(message, expected, expected.signedRequests ?? false);
  if (kind !== "AuthnRequest") throw new SamlError("document_unexpected");
  requireChildren(root, CHILDREN);
  // `ProtocolBinding` is not looked at: the addresses that are registered take responses by POST, and no other is answered.
  const acsUrl = attributeOf(root, "AssertionConsumerServiceURL") ?? null;
  return {
    id,
    relayState,
    signed,
    acsUrl,
    acsIndex: acsUrl === null ? indexOf(root) : null,
    subject: subjectOf(oneOf(root, NS.assertion, "Subject")),
    forceAuthn: flag(root, "ForceAuthn"),
    isPassive: flag(root, "IsPassive"),
    takes: takenBy(oneOf(root, NS.protocol, "RequestedAuthnContext")),
    nameIdFormat: formatOf(oneOf(root, NS.protocol, "NameIDPolicy")),
  };
}

function flag(root: Element, name: string): boolean {
  const given = (attributeOf(root, name) ?? "false").trim().toLowerCase();
  if (!["true", "false", "1", "0"].includes(given))
    throw new SamlError("document_unexpected", `${name} is no boolean.`);
  return given === "true" || given === "1";
}

function indexOf(root: Element): number | null {
  const given = attributeOf(root, "AssertionConsumerServiceIndex");
  if (given === undefined) return null;
  if (!/^\d{1,5}$/.test(given)) throw new SamlError("document_unexpected", "The index of its address is none.");
  return Number(given);
}

/** Whom the request is about. How that would be confirmed is for the answer. */
function subjectOf(subject: Element | undefined): string | null {
  if (!subject) return null;
  requireChildren(subject, [
    [NS.assertion, "NameID"],
    [NS.assertion, "SubjectConfirmation"],
  ]);
  const name = oneOf(subject, NS.assertion, "NameID");
  const text = name ? textOf(name) : "";
  if (text.length > NAME) throw new SamlError("document_too_large", "The name of its subject is too long.");
  return text || null;
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
  const uri = policy && attributeOf(policy, "Format")?.trim();
  if (!uri) return null;
  const format = nameIdFormatOf(uri);
  if (!format) throw new SamlError("name_id_unsupported");
  return format === "unspecified" ? null : format;
}
