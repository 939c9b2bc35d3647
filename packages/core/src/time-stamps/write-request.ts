import { hash, randomBytes } from "node:crypto";
import { Integer, Null, OctetString } from "asn1js";
import { AlgorithmIdentifier, MessageImprint, TimeStampReq } from "pkijs";

/** A request for a time stamp (RFC 3161), and what the answer has to repeat. */
export interface StampRequest {
  readonly body: Uint8Array;
  /** The text that is stamped. */
  readonly text: string;
  /** SHA-256 of it. */
  readonly imprint: Buffer;
  readonly nonce: bigint;
}

/** SHA-256, as algorithms are named in ASN.1. */
export const SHA256 = "2.16.840.1.101.3.4.2.1";
const NONCE_BYTES = 16;

/** Asks for a time stamp of a text, with a nonce, and for the certificates of the authority in the answer. */
export function stampRequest(text: string): StampRequest {
  const imprint = hash("sha256", text, "buffer");
  const nonce = BigInt(`0x${randomBytes(NONCE_BYTES).toString("hex")}`);
  const messageImprint = new MessageImprint({
    hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA256, algorithmParams: new Null() }),
    hashedMessage: new OctetString({ valueHex: imprint }),
  });
  const request = new TimeStampReq({ version: 1, messageImprint, nonce: Integer.fromBigInt(nonce), certReq: true });
  return { body: new Uint8Array(request.toSchema().toBER()), text, imprint, nonce };
}
