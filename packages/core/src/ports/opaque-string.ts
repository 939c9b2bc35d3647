import type { PasswordHasher } from "./password-hasher.js";

/**
 * A password as the OpaqueString profile of RFC 8265 compares it: every space is a plain one, and letters with accents are
 * composed (NFC), because keyboards and browsers differ in both. Case and all else stay.
 */
export const opaqueString = (password: string): string => password.replaceAll(/\p{Zs}/gu, " ").normalize("NFC");

/** A hasher that gets passwords as opaque strings. */
export const ofOpaqueStrings = (hasher: PasswordHasher): PasswordHasher => ({
  hash: (password) => hasher.hash(opaqueString(password)),
  verify: (password, hash) => hasher.verify(opaqueString(password), hash),
});
