/** A JWK Set (RFC 7517). Declared here, so that hosts which use `require()` can read the types of the options. */
export interface JsonWebKeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

/** Algorithms accepted from other issuers: asymmetric signatures only. */
export const SIGNATURE_ALGORITHMS = [
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
];
