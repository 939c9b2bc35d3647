import { signSamlPost } from "@node-saml/node-saml/lib/saml-post-signing.js";
import type { SamlSigner } from "@reeve/core";

export const asPem = (certificate: string): string =>
  `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g)?.join("\n")}\n-----END CERTIFICATE-----\n`;

/** The first certificate of metadata, base64. */
export const certificateIn = (metadata: string): string =>
  /<ds:X509Certificate>([^<]+)</.exec(metadata)?.[1]?.replace(/\s/g, "") ?? "";

/** The logout request in an envelope of SOAP, as text. Nothing is verified. */
export function openEnvelope(text: string): string {
  const found = /<samlp:LogoutRequest[\s\S]*<\/samlp:LogoutRequest>/.exec(text)?.[0];
  if (found === undefined) throw new Error("the envelope has no logout request");
  return found;
}

const RESPONSE = '/*[local-name(.)="LogoutResponse" and namespace-uri(.)="urn:oasis:names:tc:SAML:2.0:protocol"]';

/** A logout response, signed and in an envelope of SOAP. */
export function sealEnvelope(document: string, { privateKey, certificate }: SamlSigner): string {
  const signed = signSamlPost(document, RESPONSE, {
    privateKey,
    publicCert: asPem(certificate),
    signatureAlgorithm: "sha256",
    digestAlgorithm: "sha256",
  }).replace(/^<\?xml[^>]*\?>/, "");
  return `<S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body>${signed}</S:Body></S:Envelope>`;
}
