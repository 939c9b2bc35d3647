import type { NameIdFormat } from "@reeve/core";

/** The namespaces of SAML 2.0 and of what it is signed and encrypted with. */
export const NS = {
  assertion: "urn:oasis:names:tc:SAML:2.0:assertion",
  protocol: "urn:oasis:names:tc:SAML:2.0:protocol",
  metadata: "urn:oasis:names:tc:SAML:2.0:metadata",
  signature: "http://www.w3.org/2000/09/xmldsig#",
  soap: "http://schemas.xmlsoap.org/soap/envelope/",
} as const;

export const BINDING_URIS = {
  redirect: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect",
  post: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST",
  soap: "urn:oasis:names:tc:SAML:2.0:bindings:SOAP",
} as const;

export const FORMAT_URIS = {
  email: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
  persistent: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
  transient: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient",
  unspecified: "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified",
} as const;

const FORMAT = /^urn:oasis:names:tc:SAML:(?:1\.[01]|2\.0):nameid-format:(\w+)$/i;
const FORMATS: Readonly<Record<string, NameIdFormat>> = {
  email: "email",
  emailaddress: "email",
  persistent: "persistent",
  transient: "transient",
  unspecified: "unspecified",
};

/**
 * The kind of name that a URI means, whichever version of SAML stands in it: libraries write those of 1.1 under 2.0 and the
 * other way round.
 */
export function nameIdFormatOf(uri: string): NameIdFormat | undefined {
  const name = FORMAT.exec(uri)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
}

/** What an application is told of how somebody has signed in. */
export const CONTEXT_URIS = {
  password: "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport",
  unspecified: "urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified",
} as const;
/** A password over any line, which one over a protected line is no less than. */
export const PLAIN_PASSWORD = "urn:oasis:names:tc:SAML:2.0:ac:classes:Password";

export const STATUS = "urn:oasis:names:tc:SAML:2.0:status:";
