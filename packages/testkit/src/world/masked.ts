const RANDOM =
  /^(?:token|last4|secret|challenge|clientSecret|verificationToken|refreshToken|jws|access_token|refresh_token|nextCursor|[nxy]|kid|nonce|samlResponse|html|certificate|fingerprint)$/;

/** Addresses with a random or signed part, and secrets of installations and registries. */
const RANDOM_URL = /\/[\w-]{43}\/sapp_|[?&]SAML(?:Request|Response)=|^otpauth:|(?:^|\/)r(?:ec|in|rk)_[\w-]{43}$/;

/** Keys, certificates and signatures within a document or page. */
const RANDOM_PARTS = /[A-Za-z0-9+/=_-]{43,}/g;

/** A JSON value without random and signed parts, so that two runs can be compared. */
export function masked(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, maskedPart));
}

function maskedPart(key: string, inner: unknown): unknown {
  if (typeof inner !== "string") return inner;
  if (RANDOM.test(key) || RANDOM_URL.test(inner)) return "masked";
  return inner.startsWith("<") ? inner.replaceAll(RANDOM_PARTS, "masked") : inner;
}
