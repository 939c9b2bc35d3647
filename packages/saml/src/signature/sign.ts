import type { SamlSigner } from "@reeve/core";
import { SignedXml } from "xml-crypto";
import { certificatePem, ENVELOPED, EXCLUSIVE, RSA_SHA256, SHA256 } from "./algorithms.js";

/** Where the signature goes: right behind the issuer, or first in metadata, which have none. */
const PLACES = {
  issuer: { reference: "/*/*[local-name(.)='Issuer']", action: "after" },
  first: { reference: "/*", action: "prepend" },
} as const;

/** The document with an enveloped signature over its root, whose `ID` it refers to. */
export function signedDocument(xml: string, signer: SamlSigner, place: keyof typeof PLACES = "issuer"): string {
  const signature = new SignedXml({
    privateKey: signer.privateKey,
    publicCert: certificatePem(signer.certificate),
    signatureAlgorithm: RSA_SHA256,
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  signature.addReference({
    xpath: "/*",
    transforms: [ENVELOPED, EXCLUSIVE],
    digestAlgorithm: SHA256,
  });
  signature.computeSignature(xml, { prefix: "ds", location: PLACES[place] });
  return signature.getSignedXml();
}
