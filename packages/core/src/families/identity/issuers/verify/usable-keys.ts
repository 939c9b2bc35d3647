import { createPublicKey } from "node:crypto";
import type { JWK } from "jose";
import { SIGNATURE_ALGORITHMS } from "#kernel/http/json-web-keys.js";
import { z } from "#schema/z.js";

/** The most keys of one issuer. */
const KEYS = 100;
/** The least length of an RSA key, in bits (RFC 7518, section 3.3). */
const RSA_BITS = 2_048;

export const KeySet = z.looseObject({ keys: z.array(z.unknown()).max(KEYS) });

/** Members that hold a key to its use. A key with an odd one is left out, since it might be for something else. */
const Guarded = z.object({
  kty: z.string(),
  kid: z.string().optional(),
  alg: z.string().optional(),
  use: z.string().optional(),
  key_ops: z.array(z.string()).optional(),
});
/** Members that are a public key. Others, such as a chain of certificates, say nothing that is used. */
const OF_KEY: ReadonlySet<string> = new Set(["crv", "n", "e", "x", "y"]);
const OF_SECRET = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

export interface UsableKeys {
  readonly keys: readonly JWK[];
  /** Keys that were left out, by their place, and why. */
  readonly leftOut: readonly { readonly part: string; readonly reason: string }[];
}

/** The keys of a set that may verify a signature, each judged by itself. */
export function usableKeys(given: readonly unknown[]): UsableKeys {
  const [keys, leftOut] = [[] as JWK[], [] as { part: string; reason: string }[]];
  for (const [at, one] of given.entries()) {
    const key = keyOf(one);
    if (typeof key === "string") leftOut.push({ part: `keys[${at}]`, reason: key });
    // One for encryption is as it should be, and of no use here.
    else if (key.use === undefined || key.use === "sig") keys.push(key);
  }
  return { keys, leftOut };
}

/** A key, or why it is left out. */
function keyOf(given: unknown): JWK | string {
  const members = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== null));
  const { data } = Guarded.safeParse(members);
  if (!data) return "It has not the form of a key.";
  if (data.use !== undefined && data.use !== "sig") return data;
  if (OF_SECRET.some((name) => Object.hasOwn(members, name))) return "It is secret, and was shown.";
  if (data.alg !== undefined && !SIGNATURE_ALGORITHMS.includes(data.alg)) return "Its algorithm is not accepted.";
  const key = { ...data, ...Object.fromEntries(Object.entries(members).filter(([name]) => OF_KEY.has(name))) };
  return faultOf(key) ?? key;
}

function faultOf(key: JWK): string | undefined {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: key as never, format: "jwk" });
    const bits = asymmetricKeyDetails?.modulusLength ?? RSA_BITS;
    return bits < RSA_BITS ? "It is too weak." : undefined;
  } catch {
    return "It is no public key of a kind that is known.";
  }
}
