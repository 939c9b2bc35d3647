import { createPublicKey, type JsonWebKey } from "node:crypto";
import { z } from "#schema/z.js";

const Part = z.string().regex(/^[\w-]{1,1400}$/, "Not base64url.");
const named = { kid: z.string().min(1).max(255).optional(), use: z.literal("sig").optional() };
const RSA_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"] as const;
/** The algorithms for `private_key_jwt`. */
export const KEY_ALGORITHMS = ["ES256", "ES384", "ES512", "EdDSA", "Ed25519", ...RSA_ALGORITHMS];
/** The least length of an RSA modulus in bits, and its least public exponent. With 1 everything is a signature. */
const MODULUS = 2_048;
const EXPONENT = 65_537n;

/**
 * A public key that verifies `private_key_jwt`: P-256, P-384, P-521, Ed25519, or RSA of at least 2048 bits. Other
 * members are refused.
 */
export const PublicJwk = z
  .union([
    z.strictObject({
      ...named,
      kty: z.literal("EC"),
      crv: z.literal("P-256"),
      x: Part,
      y: Part,
      alg: z.literal("ES256"),
    }),
    z.strictObject({
      ...named,
      kty: z.literal("EC"),
      crv: z.literal("P-384"),
      x: Part,
      y: Part,
      alg: z.literal("ES384"),
    }),
    z.strictObject({
      ...named,
      kty: z.literal("EC"),
      crv: z.literal("P-521"),
      x: Part,
      y: Part,
      alg: z.literal("ES512"),
    }),
    z.strictObject({ ...named, kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: Part, alg: z.literal("EdDSA") }),
    z.strictObject({ ...named, kty: z.literal("RSA"), n: Part, e: Part, alg: z.enum(RSA_ALGORITHMS) }),
  ])
  .refine(isKey, "Not a usable public key.")
  .meta({
    description:
      "A public JWK that names its `alg` (ES256, ES384, ES512, EdDSA, RS…, PS…). Private members are refused, RSA keys have at least 2048 bits.",
  });

function isKey(jwk: JsonWebKey): boolean {
  try {
    const key = createPublicKey({ key: jwk, format: "jwk" });
    if (key.asymmetricKeyType !== "rsa") return true;
    const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
    return modulusLength >= MODULUS && publicExponent >= EXPONENT && publicExponent % 2n === 1n;
  } catch {
    return false;
  }
}
