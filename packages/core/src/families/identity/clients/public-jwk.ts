import { createPublicKey, type JsonWebKey } from "node:crypto";
import { z } from "#schema/z.js";

const Part = z.string().regex(/^[\w-]{1,1400}$/, "Not base64url.");
const named = {
  kid: z.string().min(1).max(255).optional().meta({ description: "Id of the key." }),
  use: z.literal("sig").optional().meta({ description: "It verifies signatures only." }),
};
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
      kty: z.literal("EC").meta({ description: "The family of the key." }),
      crv: z.literal("P-256").meta({ description: "The curve of the key." }),
      x: Part.meta({ description: "The x coordinate, base64url." }),
      y: Part.meta({ description: "The y coordinate, base64url." }),
      alg: z.literal("ES256").meta({ description: "The algorithm that it verifies." }),
    }),
    z.strictObject({
      ...named,
      kty: z.literal("EC").meta({ description: "The family of the key." }),
      crv: z.literal("P-384").meta({ description: "The curve of the key." }),
      x: Part.meta({ description: "The x coordinate, base64url." }),
      y: Part.meta({ description: "The y coordinate, base64url." }),
      alg: z.literal("ES384").meta({ description: "The algorithm that it verifies." }),
    }),
    z.strictObject({
      ...named,
      kty: z.literal("EC").meta({ description: "The family of the key." }),
      crv: z.literal("P-521").meta({ description: "The curve of the key." }),
      x: Part.meta({ description: "The x coordinate, base64url." }),
      y: Part.meta({ description: "The y coordinate, base64url." }),
      alg: z.literal("ES512").meta({ description: "The algorithm that it verifies." }),
    }),
    z.strictObject({
      ...named,
      kty: z.literal("OKP").meta({ description: "The family of the key." }),
      crv: z.literal("Ed25519").meta({ description: "The curve of the key." }),
      x: Part.meta({ description: "The x coordinate, base64url." }),
      alg: z.literal("EdDSA").meta({ description: "The algorithm that it verifies." }),
    }),
    z.strictObject({
      ...named,
      kty: z.literal("RSA").meta({ description: "The family of the key." }),
      n: Part.meta({ description: "The modulus, base64url." }),
      e: Part.meta({ description: "The public exponent, base64url." }),
      alg: z.enum(RSA_ALGORITHMS).meta({ description: "The algorithm that it verifies." }),
    }),
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
