import { type SamlEnvelope, SamlError, type SamlExpectation, type SamlMessage } from "@reeve/core";
import type { Opened } from "../binding/opened.js";
import { openPost } from "../binding/post.js";
import { openRedirect } from "../binding/redirect.js";
import { verifiedRoot } from "../signature/verify.js";
import type { Element } from "../xml/dom.js";
import { NS } from "../xml/names.js";
import { parsed } from "../xml/parse.js";
import { attributeOf, countBelow, oneOf, textOf } from "../xml/read.js";

/** How long ago a message may have been issued, and how far clocks may differ, in milliseconds. */
export const MESSAGE_LIFE = 5 * 60_000;
export const SKEW = 60_000;

const KINDS = { AuthnRequest: true, LogoutRequest: true, LogoutResponse: false } as const;
const ID = /^[A-Za-z_][A-Za-z0-9_.-]{0,254}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

function open(message: SamlMessage): Opened & { readonly root: Element } {
  const opened = message.binding === "redirect" ? openRedirect(message.query) : openPost(message.fields);
  return { ...opened, root: parsed(opened.xml) };
}

function kindOf({ root, isRequest }: Pick<Opened, "isRequest"> & { readonly root: Element }): SamlEnvelope["kind"] {
  const name = root.localName as SamlEnvelope["kind"];
  if (root.namespaceURI !== NS.protocol || !Object.hasOwn(KINDS, name) || KINDS[name] !== isRequest)
    throw new SamlError("document_unexpected");
  return name;
}

function issuerOf(root: Element): string {
  const issuer = oneOf(root, NS.assertion, "Issuer");
  if (!issuer) throw new SamlError("issuer_mismatch", "It names no issuer.");
  return textOf(issuer);
}

/** Kind and issuer of a message, to find the application by. Nothing is verified. */
export function peek(message: SamlMessage): SamlEnvelope {
  const opened = open(message);
  return { kind: kindOf(opened), issuer: issuerOf(opened.root) };
}

/** A verified message: only the octets that the signature covers are read from here on. */
export interface Verified {
  readonly kind: SamlEnvelope["kind"];
  readonly root: Element;
  readonly id: string;
  readonly relayState: string | null;
  readonly signed: boolean;
}

/** Verifies a message against what is known of the application. */
export function receive(message: SamlMessage, expected: SamlExpectation, mustSign: boolean): Verified {
  const opened = open(message);
  const kind = kindOf(opened);
  const verified = signedRoot(opened, message.binding, expected.certificates);
  if (!verified && (mustSign || expected.certificates.length > 0)) throw new SamlError("signature_missing");
  const root = verified ?? opened.root;
  const destination = attributeOf(root, "Destination");
  // A signed message without a destination could be sent on to another endpoint.
  if (destination === undefined ? verified !== undefined : destination !== expected.destination)
    throw new SamlError("destination_mismatch");
  const id = requireFresh(root, expected);
  return { kind, root, id, relayState: opened.relayState, signed: verified !== undefined };
}

/** The id of a message that is of this issuer and of now. */
export function requireFresh(root: Element, { entityId, now }: Pick<SamlExpectation, "entityId" | "now">): string {
  if (attributeOf(root, "Version") !== "2.0") throw new SamlError("version_unsupported");
  if (issuerOf(root) !== entityId) throw new SamlError("issuer_mismatch");
  checkTime(attributeOf(root, "IssueInstant"), now);
  const id = attributeOf(root, "ID");
  if (id === undefined || !ID.test(id)) throw new SamlError("document_unexpected", "Its id is not one.");
  return id;
}

function signedRoot(
  { root, xml, detached }: Opened & { readonly root: Element },
  binding: SamlMessage["binding"],
  certificates: readonly string[],
): Element | undefined {
  const isSigned = detached !== null || countBelow(root, NS.signature, "Signature") > 0;
  if (!isSigned) return undefined;
  if (certificates.length === 0) throw new SamlError("signature_unverifiable");
  if (binding === "post") return verifiedRoot(xml, root, certificates);
  if (countBelow(root, NS.signature, "Signature") > 0)
    throw new SamlError("document_unexpected", "A redirect carries its signature beside the document.");
  if (!detached?.(certificates)) throw new SamlError("signature_invalid");
  return root;
}

function checkTime(text: string | undefined, now: number): void {
  const issued = text !== undefined && TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!(issued <= now + SKEW && issued > now - MESSAGE_LIFE - SKEW)) throw new SamlError("not_in_time");
}

/** Refuses a message whose own last moment has passed. */
export function requireBefore(text: string | undefined, now: number): void {
  if (text === undefined) return;
  if (!TIME.test(text) || Date.parse(text) <= now - SKEW) throw new SamlError("not_in_time");
}
