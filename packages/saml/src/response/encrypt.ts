import { promisify } from "node:util";
import { SamlError } from "@reeve/core";
import { encrypt } from "xml-encryption";
import { certificatePem, isRsa, keyOf } from "../signature/algorithms.js";
import { element } from "../xml/write.js";

const encrypting = promisify(encrypt);

/** An assertion for the holder of one key only: AES-256-GCM, with the key wrapped by RSA-OAEP. */
export async function encryptedAssertion(assertion: string, certificate: string): Promise<string> {
  const key = keyOf(certificate);
  if (!isRsa(key)) throw new SamlError("certificate_invalid", "Assertions are encrypted for keys of RSA only.");
  const data = await encrypting(assertion, {
    rsa_pub: key.export({ format: "pem", type: "spki" }),
    pem: certificatePem(certificate),
    encryptionAlgorithm: "http://www.w3.org/2009/xmlenc11#aes256-gcm",
    keyEncryptionAlgorithm: "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p",
  });
  return element("saml:EncryptedAssertion", {}, data);
}
