const RANDOM =
  /^(?:token|clientSecret|verificationToken|refreshToken|access_token|refresh_token|nextCursor|[nxy]|kid)$/;

/** A JSON value without random and signed parts, so that two runs can be compared. */
export function masked(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (key, inner) => (RANDOM.test(key) && typeof inner === "string" ? "masked" : inner)),
  );
}
