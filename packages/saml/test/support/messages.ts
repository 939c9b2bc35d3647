import { deflateRawSync } from "node:zlib";
import type { SamlExpectation, SamlMessage, SamlSigner } from "@reeve/core";
import { redirectUrl } from "../../src/binding/redirect.js";
import { signedDocument } from "../../src/signature/sign.js";
import { NOW, SLO, SP, SSO, TENANT, testKeys } from "./bench.js";

export const KINDS = ["AuthnRequest", "LogoutRequest", "LogoutResponse"] as const;
export type Kind = (typeof KINDS)[number];

const CONTENT: Readonly<Record<Kind, string>> = {
  AuthnRequest: "",
  LogoutRequest:
    '<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">ada@acme.example</saml:NameID><samlp:SessionIndex>_session</samlp:SessionIndex>',
  LogoutResponse: '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>',
};

export const at = (offset: number) => new Date(NOW + offset).toISOString();
export const fieldOf = (kind: Kind) => (kind === "LogoutResponse" ? "SAMLResponse" : "SAMLRequest");
export const endpointOf = (kind: Kind) => (kind === "AuthnRequest" ? SSO : SLO);

/** Differences to a sound message. An attribute that is `null` is left out. */
export interface Change {
  readonly attributes?: Readonly<Record<string, string | null>>;
  readonly issuer?: string;
  /** Replaces what stands behind the issuer. */
  readonly content?: string;
  /** Stands before the end of the message. */
  readonly more?: string;
}

/** The document of a message as a service provider sends it. */
export function xmlOf(
  kind: Kind,
  { attributes = {}, issuer = SP, content = CONTENT[kind], more = "" }: Change = {},
): string {
  const all: Record<string, string | null> = {
    Destination: endpointOf(kind),
    ID: "_message",
    IssueInstant: at(0),
    Version: "2.0",
    ...(kind === "LogoutResponse" ? { InResponseTo: "_request" } : {}),
    ...attributes,
  };
  const given = Object.entries(all)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}="${value?.replaceAll("&", "&amp;")}"`)
    .join("");
  return `<samlp:${kind} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"${given}><saml:Issuer>${issuer}</saml:Issuer>${content}${more}</samlp:${kind}>`;
}

/** A document as a form carries it. */
export function posted(kind: Kind, xml: string | Uint8Array, more: Readonly<Record<string, string>> = {}): SamlMessage {
  return { binding: "post", fields: { [fieldOf(kind)]: Buffer.from(xml).toString("base64"), ...more } };
}

/** A document as a query carries it, without a signature. */
export function redirected(kind: Kind, xml: string | Uint8Array, more = ""): SamlMessage {
  const value = encodeURIComponent(deflateRawSync(Buffer.from(xml)).toString("base64"));
  return { binding: "redirect", query: `tenant=${TENANT}&${fieldOf(kind)}=${value}${more}` };
}

/** The query of a message with a signature beside it. */
export function signedQuery(
  kind: Kind,
  xml: string,
  { privateKey }: SamlSigner,
  relayState: string | null = "state",
): string {
  return redirectUrl("https://x.example/", fieldOf(kind), { xml, relayState, privateKey }).split("?")[1] as string;
}

/** A signed message of either binding. */
export async function signedMessage(
  kind: Kind,
  binding: "redirect" | "post",
  change: Change = {},
): Promise<SamlMessage> {
  const { sp } = await testKeys();
  const xml = xmlOf(kind, change);
  return binding === "redirect"
    ? { binding, query: signedQuery(kind, xml, sp) }
    : posted(kind, signedDocument(xml, sp), { RelayState: "state" });
}

/** What a message of the service provider, which says that it signs, must fit. */
export async function expectation(kind: Kind, more: Partial<SamlExpectation> = {}): Promise<SamlExpectation> {
  const { sp } = await testKeys();
  return {
    entityId: SP,
    certificates: [sp.certificate],
    destination: endpointOf(kind),
    signedRequests: true,
    now: NOW,
    ...more,
  };
}
