import { fromBER, Sequence } from "asn1js";
import { SignedData, TimeStampResp, TSTInfo } from "pkijs";
import { timestamp } from "#ports/clock.js";
import { SHA256, type StampRequest } from "./write-request.js";

/** Why an answer is no time stamp of what was asked about. */
export class StampFault extends Error {}

/** The time stamp of a checkpoint, as it is stored. */
export interface TimeStamp {
  /** The TimeStampToken of RFC 3161 in DER, as base64. */
  readonly token: string;
  /** When the authority says that the checkpoint was there. */
  readonly time: string;
  /** The policy of the authority, as an object identifier. */
  readonly policy: string;
}

const SIGNED_DATA = "1.2.840.113549.1.7.2";
const TST_INFO = "1.2.840.113549.1.9.16.1.4";
const [GRANTED, GRANTED_WITH_MODS] = [0, 1];

/**
 * Reads the answer of an authority. Throws a `StampFault` unless it grants a token of this imprint and nonce, which is
 * signed by a certificate that it holds. Whether that certificate is to be trusted is for those who verify it later.
 */
export async function readReply(body: Uint8Array, { text, imprint, nonce }: StampRequest): Promise<TimeStamp> {
  const { token, content } = tokenIn(body);
  const info = infoIn(content);
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  if (hashAlgorithm.algorithmId !== SHA256 || !imprint.equals(Buffer.from(hashedMessage.getValue())))
    throw new StampFault("its time stamp is of something else");
  if (info.nonce?.toBigInt() !== nonce) throw new StampFault("its time stamp has another nonce: it may be an old one");
  if (!(await isSigned(content, text))) throw new StampFault("its time stamp is not signed by the certificate in it");
  return { token: Buffer.from(token).toString("base64"), time: timestamp(info.genTime.getTime()), policy: info.policy };
}

/** The token within an answer, byte by byte as it came, and what is signed in it. */
function tokenIn(body: Uint8Array): { readonly token: Uint8Array; readonly content: SignedData } {
  const { result, offset } = fromBER(body);
  if (offset !== body.length || isIndefinite(result)) throw new StampFault("it is not DER");
  const reply = asked(() => new TimeStampResp({ schema: result }), "it is no answer of RFC 3161");
  const { status, failInfo } = reply.status;
  if (status !== GRANTED && status !== GRANTED_WITH_MODS)
    throw new StampFault(`it refuses, with the status ${status}${failInfo ? ` and ${failuresOf(failInfo)}` : ""}`);
  const { timeStampToken } = reply;
  const [, token] = result instanceof Sequence ? result.valueBlock.value : [];
  if (!timeStampToken || !token || timeStampToken.contentType !== SIGNED_DATA)
    throw new StampFault("it holds no time stamp");
  const content = asked(() => new SignedData({ schema: timeStampToken.content }), "its time stamp is not signed");
  return { token: token.valueBeforeDecodeView, content };
}

function infoIn({ encapContentInfo }: SignedData) {
  const { eContent, eContentType } = encapContentInfo;
  if (!eContent || eContentType !== TST_INFO) throw new StampFault("its time stamp states nothing");
  return asked(() => TSTInfo.fromBER(eContent.getValue()), "its time stamp states nothing that can be read");
}

async function isSigned(content: SignedData, text: string): Promise<boolean> {
  const { certificates, signerInfos } = content;
  if (!certificates || signerInfos.length !== 1) return false;
  try {
    // Without trusted certificates, it is only compared with the one in it.
    return await content.verify({ signer: 0, data: new TextEncoder().encode(text).buffer, checkChain: false });
  } catch {
    return false;
  }
}

/**
 * Whether there is a length that DER does not have, so that others would need more than a reader of DER. `asn1js` also reads
 * what is in octet and bit strings where the bytes allow it, which a key or a signature does now and then.
 */
function isIndefinite(block: object): boolean {
  const { idBlock, lenBlock, valueBlock } = block as {
    readonly idBlock?: { readonly isConstructed: boolean };
    readonly lenBlock?: { readonly isIndefiniteForm: boolean };
    readonly valueBlock?: { readonly value?: unknown };
  };
  if (lenBlock?.isIndefiniteForm) return true;
  const within = idBlock?.isConstructed ? valueBlock?.value : undefined;
  return Array.isArray(within) && within.some(isIndefinite);
}

/** The numbers of the reasons for a refusal. */
function failuresOf(failInfo: { readonly valueBlock: { readonly valueHexView: Uint8Array } }): string {
  const bits = [...failInfo.valueBlock.valueHexView].flatMap((byte, at) =>
    Array.from({ length: 8 }, (_, bit) => (byte & (0x80 >> bit) ? [at * 8 + bit] : [])).flat(),
  );
  return `the reason ${bits.join(", ")}`;
}

function asked<T>(read: () => T, reason: string): T {
  try {
    return read();
  } catch {
    throw new StampFault(reason);
  }
}
