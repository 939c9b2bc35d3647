import { type SamlEnvelope, SamlError, type SamlExpectation, type SamlMessage, type SamlRefusal } from "@reeve/core";
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
/** More than an id of XML: libraries send ids that begin with a digit. None can end a text that it stands in. */
const ID = /^[\w.:-]{1,255}$/;
/** A time is in UTC, also where it does not say so. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,20})?(Z|[+-]\d\d:\d\d)?$/;

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

/**
 * Verifies a message against what is known of the application. Where it need not be signed, a signature that nothing here can
 * verify counts as none: whoever made it could as well leave it away. One that is wrong is refused.
 */
export function receive(message: SamlMessage, expected: SamlExpectation, mustSign: boolean): Verified {
  const opened = open(message);
  const kind = kindOf(opened);
  const verified = mustSign
    ? signedRoot(opened, message.binding, expected.certificates)
    : verifiableRoot(opened, message.binding, expected.certificates);
  const root = verified ?? opened.root;
  const destination = attributeOf(root, "Destination");
  // A message whose signature counts could be sent on to another endpoint, if it named none.
  if (destination === undefined ? mustSign : !isSameAddress(destination, expected.destination))
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

type Document = Opened & { readonly root: Element };

/** The signed root of a message that must be signed. That of a redirect is signed beside the document, and not within. */
function signedRoot(
  { root, xml, detached }: Document,
  binding: SamlMessage["binding"],
  certificates: readonly string[],
): Element {
  const isSigned = binding === "post" ? countBelow(root, NS.signature, "Signature") > 0 : detached !== null;
  if (!isSigned) throw new SamlError("signature_missing");
  if (certificates.length === 0) throw new SamlError("signature_unverifiable");
  const verified = binding === "post" ? verifiedRoot(xml, root, certificates) : root;
  if (!verified || (binding === "redirect" && !detached?.(certificates))) throw new SamlError("signature_invalid");
  return verified;
}

const NOT_VERIFIABLE: readonly SamlRefusal[] = ["signature_missing", "signature_unverifiable", "algorithm_not_allowed"];

function verifiableRoot(...given: Parameters<typeof signedRoot>): Element | undefined {
  try {
    return signedRoot(...given);
  } catch (error) {
    if (SamlError.is(error) && NOT_VERIFIABLE.includes(error.refusal)) return undefined;
    throw error;
  }
}

/** Whether two addresses are one, however host and port are written. */
function isSameAddress(given: string, own: string): boolean {
  if (given === own) return true;
  if (/[\s#]/.test(given) || !URL.canParse(given)) return false;
  const { username, password, href } = new URL(given);
  return username === "" && password === "" && href === new URL(own).href;
}

function timeOf(text: string): number {
  const found = TIME.exec(text);
  return found ? Date.parse(found[1] === undefined ? `${text}Z` : text) : Number.NaN;
}

function checkTime(text: string | undefined, now: number): void {
  const issued = timeOf(text ?? "");
  if (!(issued <= now + SKEW && issued > now - MESSAGE_LIFE - SKEW)) throw new SamlError("not_in_time");
}

/** Refuses a message whose own last moment has passed. */
export function requireBefore(text: string | undefined, now: number): void {
  if (text === undefined) return;
  if (!(timeOf(text) > now - SKEW)) throw new SamlError("not_in_time");
}
