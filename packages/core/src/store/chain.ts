import { hash } from "node:crypto";

/** The previous hash of the first event in a chain. */
export const GENESIS_HASH = "0".repeat(64);

/** SHA-256 of UTF-8 text, lower-case hex. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

/** A sequence number as text: twelve digits, zero-padded, so that text order is number order. */
export function sequenceText(sequence: number): string {
  return String(sequence).padStart(12, "0");
}

/** The hash that links an event to all earlier ones: sha256(previous "\n" sequence "\n" recordHash). */
export function linkHash(previousHash: string, sequence: number, recordHash: string): string {
  return sha256(`${previousHash}\n${sequenceText(sequence)}\n${recordHash}`);
}
