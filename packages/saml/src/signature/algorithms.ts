import { constants, type KeyObject, sign, verify, X509Certificate } from "node:crypto";
import { SamlError } from "@reeve/core";

export const RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
export const SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256";
export const ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
export const EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";

interface Algorithm {
  readonly key: "rsa" | "ec" | "ed25519";
  /** `null` where the algorithm has its own digest. */
  readonly digest: string | null;
}

const MORE = "http://www.w3.org/2001/04/xmldsig-more#";

/** The algorithms of detached signatures. None has SHA-1 or a shared secret. */
export const DETACHED: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  [RSA_SHA256, { key: "rsa", digest: "sha256" }],
  [`${MORE}rsa-sha384`, { key: "rsa", digest: "sha384" }],
  [`${MORE}rsa-sha512`, { key: "rsa", digest: "sha512" }],
  [`${MORE}ecdsa-sha256`, { key: "ec", digest: "sha256" }],
  [`${MORE}ecdsa-sha384`, { key: "ec", digest: "sha384" }],
  [`${MORE}ecdsa-sha512`, { key: "ec", digest: "sha512" }],
  ["http://www.w3.org/2021/04/xmldsig-more#eddsa-ed25519", { key: "ed25519", digest: null }],
]);

/** The least bits of an RSA key. */
export const RSA_BITS = 2_048;

/** The public key of a certificate, base64 of its DER. */
export function keyOf(certificate: string): KeyObject {
  return new X509Certificate(Buffer.from(certificate, "base64")).publicKey;
}

export function isRsa(key: KeyObject): boolean {
  return key.asymmetricKeyType === "rsa";
}

/** Signs for a redirect, always with RSA and SHA-256, which every service provider verifies. */
export function signed(privateKey: string, octets: string): string {
  return sign("sha256", Buffer.from(octets), privateKey).toString("base64");
}

/** Whether one of the certificates verifies a detached signature. */
export function isSignedBy(
  certificates: readonly string[],
  uri: string,
  octets: string,
  signature: Uint8Array,
): boolean {
  const algorithm = DETACHED.get(uri);
  if (!algorithm) throw new SamlError("algorithm_not_allowed");
  return certificates.map(keyOf).some((key) => {
    if (key.asymmetricKeyType !== algorithm.key) return false;
    const options =
      algorithm.key === "rsa"
        ? { key, padding: constants.RSA_PKCS1_PADDING }
        : { key, dsaEncoding: "ieee-p1363" as const };
    return verify(algorithm.digest, Buffer.from(octets), options, signature);
  });
}

/** A certificate as PEM. */
export function certificatePem(certificate: string): string {
  const lines = certificate.match(/.{1,64}/g)?.join("\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
