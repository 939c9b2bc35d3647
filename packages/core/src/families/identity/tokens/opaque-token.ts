import { createHash, randomBytes } from "node:crypto";

/** A kind of random token with a prefix, by which scanners for secrets know it. */
export interface OpaqueKind {
  readonly make: () => { readonly token: string; readonly hash: string };
  readonly isOne: (text: string) => boolean;
}

/** Tokens of 256 random bits that begin with `mark`. */
export function opaqueKind(mark: string): OpaqueKind {
  const shape = new RegExp(`^${mark}[\\w-]{43}$`);
  return {
    make: () => {
      const token = mark + randomBytes(32).toString("base64url");
      return { token, hash: opaqueHash(token) };
    },
    isOne: (text) => shape.test(text),
  };
}

/** What is stored of a token. It has 256 random bits, so one round of SHA-256 suffices against guessing. */
export function opaqueHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
