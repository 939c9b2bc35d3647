import { SamlError } from "@reeve/core";
import { DOCUMENT_BYTES } from "../xml/guard.js";

/** A message as its binding carries it. Nothing in it is trusted yet. */
export interface Opened {
  readonly isRequest: boolean;
  readonly xml: string;
  readonly relayState: string | null;
  /** Whether one of the certificates verifies the signature beside the document; `null` without one. */
  readonly detached: ((certificates: readonly string[]) => boolean) | null;
}

/** Decodes base64 strictly: line breaks are allowed, and nothing else beside the alphabet. */
export function base64Bytes(text: string): Uint8Array {
  const compact = text.replace(/[\r\n]/g, "");
  if (compact.length > DOCUMENT_BYTES * 2) throw new SamlError("document_too_large");
  if (compact === "" || compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact))
    throw new SamlError("document_malformed", "It is not base64.");
  return Buffer.from(compact, "base64");
}
