import type { SystemSource } from "@reeve/testkit/programs";

const SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
const mail = { name: "mail", source: "username" };
/** The name by which every library knows an e-mail address. */
const mailByUri = { name: "urn:oid:0.9.2342.19200300.100.1.3", nameFormat: "uri", source: "username" };

/** A library, and what its page in the guides says to set. */
export interface LibraryFacts {
  readonly name: string;
  readonly source: SystemSource;
  /** Does nothing without a key of its own. */
  readonly needsKey?: true;
  /** What it is registered with beside its metadata. */
  readonly registration: Readonly<Record<string, unknown>>;
  /** The attribute by which it gives the address. */
  readonly attribute?: string;
  /** What makes it sign its requests. */
  readonly signing: Readonly<Record<string, unknown>>;
  /** Of these, what makes it sign with SHA-256, where it signs with SHA-1 otherwise. */
  readonly sha256: readonly string[];
  /** What must be set, for people. */
  readonly mustSet: readonly string[];
}

const npm = (name: string): SystemSource => ({ npm: name, manifest: "packages/saml/package.json" });
const sha256 = (setting: string) => `Of the library, where it signs: ${setting}, since it signs with SHA-1 otherwise.`;

/** The libraries that are registered by the metadata that they make. */
export const LIBRARIES = {
  nodeSaml: {
    name: "node-saml",
    source: npm("@node-saml/node-saml"),
    registration: {},
    signing: { signatureAlgorithm: "sha256" },
    sha256: ["signatureAlgorithm"],
    mustSet: [sha256('`signatureAlgorithm: "sha256"`')],
  },
  passportSaml: {
    name: "passport-saml",
    source: npm("@node-saml/passport-saml"),
    registration: {},
    signing: { signatureAlgorithm: "sha256" },
    sha256: ["signatureAlgorithm"],
    mustSet: [sha256('`signatureAlgorithm: "sha256"`')],
  },
  samlify: {
    name: "samlify",
    source: npm("samlify"),
    registration: { attributeMapping: [mail] },
    attribute: "mail",
    signing: { authnRequestsSigned: true },
    sha256: [],
    mustSet: ["Of the library: the metadata of Reeve for this application (`app`), where it signs."],
  },
  saml2Js: {
    name: "saml2-js",
    source: npm("saml2-js"),
    needsKey: true,
    registration: { encrypted: true, attributeMapping: [mail] },
    attribute: "mail",
    signing: { sign_get_request: true },
    sha256: [],
    mustSet: ["Of Reeve: `encrypted`, unless the library is set to `allow_unencrypted_assertion`."],
  },
  python3Saml: {
    name: "python3-saml",
    source: { debian: "python3-onelogin-saml2", version: "1.12.0" },
    registration: { attributeMapping: [mail] },
    attribute: "mail",
    signing: { authnRequestsSigned: true, signatureAlgorithm: SHA256 },
    sha256: ["signatureAlgorithm"],
    mustSet: [
      "Of Reeve: an attribute (`attributeMapping`), unless the library is set to `wantAttributeStatement: False`.",
      sha256(`\`signatureAlgorithm: "${SHA256}"\``),
    ],
  },
  pysaml2: {
    name: "pysaml2",
    source: { debian: "python3-pysaml2", version: "7.0.1" },
    registration: { attributeMapping: [mailByUri] },
    attribute: "mail",
    signing: { authn_requests_signed: true, signing_algorithm: SHA256 },
    sha256: ["signing_algorithm"],
    mustSet: [
      "Of Reeve: attributes by URIs (`nameFormat: uri`), unless the library is set to `allow_unknown_attributes`.",
      sha256(`\`signing_algorithm: "${SHA256}"\``),
    ],
  },
  rubySaml: {
    name: "ruby-saml",
    source: { debian: "ruby-saml", version: "1.13.0" },
    registration: { attributeMapping: [mail] },
    attribute: "mail",
    signing: { authn_requests_signed: true, signature_method: SHA256 },
    sha256: ["signature_method"],
    mustSet: [sha256(`\`signature_method: "${SHA256}"\``)],
  },
} as const satisfies Readonly<Record<string, LibraryFacts>>;
