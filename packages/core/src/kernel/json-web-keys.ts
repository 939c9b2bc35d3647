/**
 * A JWK Set (RFC 7517). Declared here and not taken from a library, so that hosts which use `require()` can read the types of the
 * options.
 */
export interface JsonWebKeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}
