import { promisify } from "node:util";
import { encrypt } from "xml-encryption";
import { certificatePem, keyOf } from "../signature/algorithms.js";
import { element } from "../xml/write.js";

const encrypting = promisify(encrypt);

/** An assertion for the holder of one key only: AES-256-GCM, with the key wrapped by RSA-OAEP. */
export async function encryptedAssertion(assertion: string, certificate: string): Promise<string> {
  const data = await encrypting(assertion, {
    rsa_pub: keyOf(certificate).export({ format: "pem", type: "spki" }),
    pem: certificatePem(certificate),
    encryptionAlgorithm: "http://www.w3.org/2009/xmlenc11#aes256-gcm",
    keyEncryptionAlgorithm: "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p",
  });
  return element("saml:EncryptedAssertion", {}, data);
}
