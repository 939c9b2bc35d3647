// Whether the signature of a time stamp fits a certificate that it holds. Whether that is one to trust, it does not tell.

import { hash, verify, X509Certificate } from "node:crypto";
import { contentOf, DerFault, oidOf, TAG, within } from "./der.mjs";

/** @typedef {import("./der.mjs").Element} Element */

const DIGESTS = /** @type {Readonly<Record<string, string>>} */ ({
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
});
const RSA = "1.2.840.113549.1.1.1";
/** The hash of each algorithm that has its own. */
const SIGNATURES = /** @type {Readonly<Record<string, string | null>>} */ ({
  "1.2.840.113549.1.1.11": "sha256",
  "1.2.840.113549.1.1.12": "sha384",
  "1.2.840.113549.1.1.13": "sha512",
  "1.2.840.10045.4.3.2": "sha256",
  "1.2.840.10045.4.3.3": "sha384",
  "1.2.840.10045.4.3.4": "sha512",
  "1.3.101.112": null,
});
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
/** The tag of a SET, which stands in place of `[0]` in what is signed. */
const SET = Buffer.of(TAG.set);

/**
 * Whether the one signature over `content` fits a certificate: `null` where it is by an algorithm not known here.
 * @param {Element | undefined} signers @param {readonly Element[]} certificates @param {Buffer} content
 * @returns {boolean | null}
 */
export function isSignedBy(signers, certificates, content) {
  const [signer, another] = within(signers, TAG.set);
  if (another) throw new DerFault("it is signed twice");
  const [, , digesting, signed, signing, signature] = within(signer, TAG.sequence);
  const attributes = within(signed, TAG.first).map((attribute) => within(attribute, TAG.sequence));
  const digest = DIGESTS[algorithmOf(digesting)];
  const named = algorithmOf(signing);
  const algorithm = named === RSA ? digest : SIGNATURES[named];
  if (digest === undefined || algorithm === undefined || signed === undefined) return null;
  const stated = attributes.find(([type]) => oidOf(type) === MESSAGE_DIGEST)?.[1];
  if (!contentOf(within(stated, TAG.set)[0], TAG.octets).equals(hash(digest, content, "buffer"))) return false;
  const text = Buffer.concat([SET, signed.bytes.subarray(1)]);
  const value = contentOf(signature, TAG.octets);
  return certificates.some(({ bytes }) => fits(algorithm, text, bytes, value));
}

/** @param {Element | undefined} element */
const algorithmOf = (element) => oidOf(within(element, TAG.sequence)[0]);

/** @param {string | null} algorithm @param {Buffer} text @param {Buffer} certificate @param {Buffer} signature */
function fits(algorithm, text, certificate, signature) {
  try {
    return verify(algorithm, text, new X509Certificate(certificate).publicKey, signature);
  } catch {
    // A certificate that cannot be read, or a key of another kind.
    return false;
  }
}
