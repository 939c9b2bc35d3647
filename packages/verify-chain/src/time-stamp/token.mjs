// A time stamp of RFC 3161: what it says, and of which bytes it is.

import { hash } from "node:crypto";
import { contentOf, DerFault, elementsOf, oidOf, TAG, timeOf, within } from "./der.mjs";
import { isSignedBy } from "./signature.mjs";

const SIGNED_DATA = "1.2.840.113549.1.7.2";
const TST_INFO = "1.2.840.113549.1.9.16.1.4";
const SHA256 = "2.16.840.1.101.3.4.2.1";

/**
 * @typedef {object} TimeStamp
 * @property {string} time when the authority says that the checkpoint was there
 * @property {string} policy the policy of the authority, as an object identifier
 * @property {string} digest SHA-256 of what is stamped, as hex
 * @property {"fits" | "unknown"} signature whether it fits a certificate within; `unknown` for an algorithm not known here
 * @property {string} token the token in DER, as base64
 */

/**
 * Reads a token over a text. Throws an error with the reason unless it is one.
 * @param {unknown} token base64 @param {string} text @returns {TimeStamp}
 */
export function timeStampOf(token, text) {
  try {
    return readToken(token, hash("sha256", text, "hex"));
  } catch (error) {
    if (!(error instanceof DerFault)) throw error;
    throw new DerFault(`its time stamp is none: ${error.message}`);
  }
}

/** @param {unknown} token @param {string} digest @returns {TimeStamp} */
function readToken(token, digest) {
  const bytes = Buffer.from(String(token), "base64");
  if (typeof token !== "string" || bytes.length === 0 || bytes.toString("base64") !== token)
    throw new DerFault("it is not base64");
  const [whole, more] = elementsOf(bytes);
  if (more) throw new DerFault("something follows it");
  const [type, content] = within(whole, TAG.sequence);
  if (oidOf(type) !== SIGNED_DATA) throw new DerFault("it is not signed");
  const [signedData] = within(content, TAG.first);
  const [, , encapsulated, ...others] = within(signedData, TAG.sequence);
  const [kind, wrapped] = within(encapsulated, TAG.sequence);
  if (oidOf(kind) !== TST_INFO) throw new DerFault("it states something else");
  const stated = contentOf(within(wrapped, TAG.first)[0], TAG.octets);
  const [info, rest] = elementsOf(stated);
  if (rest) throw new DerFault("something follows what it states");
  const [version, policy, imprint, , time] = within(info, TAG.sequence);
  if (!contentOf(version, TAG.integer).equals(Buffer.of(1))) throw new DerFault("it is of a version not known here");
  const [algorithm, hashed] = within(imprint, TAG.sequence);
  if (oidOf(within(algorithm, TAG.sequence)[0]) !== SHA256 || contentOf(hashed, TAG.octets).toString("hex") !== digest)
    throw new DerFault("it is of another checkpoint");
  const certificates = others.filter(({ tag }) => tag === TAG.first).flatMap((set) => elementsOf(set.value));
  const isSigned = isSignedBy(others.at(-1), certificates, stated);
  if (isSigned === false) throw new DerFault("it was changed, or holds no certificate that its signature fits");
  return {
    ...{ time: timeOf(time), policy: oidOf(policy), digest, token },
    signature: isSigned === null ? "unknown" : "fits",
  };
}
