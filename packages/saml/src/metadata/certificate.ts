import { X509Certificate } from "node:crypto";
import { type SamlCertificate, SamlError, type SamlKey } from "@reeve/core";
import { generate } from "selfsigned";
import { RSA_BITS } from "../signature/algorithms.js";

const DAY = 86_400_000;
const CURVES = ["prime256v1", "secp384r1", "secp521r1"];

/** Reads a certificate, PEM or base64 of its DER. Refuses keys that are too weak or of an unknown kind. */
export function readCertificate(text: string): SamlCertificate {
  const base64 = text.replace(/-----(?:BEGIN|END) CERTIFICATE-----/g, "").replace(/\s/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new SamlError("certificate_invalid");
  try {
    const read = new X509Certificate(Buffer.from(base64, "base64"));
    checkKey(read);
    return {
      certificate: read.raw.toString("base64"),
      fingerprint: read.fingerprint256.replaceAll(":", "").toLowerCase(),
      // Node has none for a certificate whose subject is empty.
      subject: (read.subject as string | undefined) ?? "",
      // A time that is none throws.
      notBefore: new Date(read.validFrom).toISOString(),
      notAfter: new Date(read.validTo).toISOString(),
    };
  } catch (cause) {
    throw SamlError.is(cause) ? cause : new SamlError("certificate_invalid", undefined, { cause });
  }
}

function checkKey({ publicKey }: X509Certificate): void {
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = publicKey;
  const fits =
    (kind === "rsa" && (details?.modulusLength ?? 0) >= RSA_BITS && (details?.modulusLength ?? 0) <= 8_192) ||
    (kind === "ec" && CURVES.includes(details?.namedCurve ?? "")) ||
    kind === "ed25519";
  if (!fits)
    throw new SamlError("certificate_invalid", `Its key must be RSA of ${RSA_BITS} bits or more, or a curve of NIST.`);
}

/** A new RSA key with a self-signed certificate. Service providers pin it, so nobody else signs it. */
export async function newKey(name: string, now: number, days: number): Promise<SamlKey> {
  const made = await generate([{ name: "commonName", value: name.slice(0, 64) }], {
    keySize: RSA_BITS,
    algorithm: "sha256",
    notBeforeDate: new Date(now - DAY),
    notAfterDate: new Date(now + days * DAY),
  });
  return { ...readCertificate(made.cert), privateKey: made.private };
}
