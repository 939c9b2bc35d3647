import type { StoredEvent } from "../store/event-log.js";
import type { Reader } from "../store/store.js";
import { GENESIS_HASH, linkHash, sha256 } from "./chain.js";

const BATCH = 1_000;

/** How far a verification came, and the first event that does not fit. */
export interface ChainVerification {
  readonly valid: boolean;
  readonly checked: number;
  readonly from: number;
  readonly to: number;
  readonly headHash: string;
  readonly complete: boolean;
  readonly fault: { readonly sequence: number; readonly reason: string } | null;
}

/**
 * Walks a tenant's chain in bounded memory: numbers without gaps, links, and the hash of every attribute and of all data
 * that has not been erased. A chain cut off at its end cannot be told from a shorter one; compare `headHash` with a kept one.
 */
export async function verifyChain(
  reader: Reader,
  range: { after?: number; limit?: number } = {},
): Promise<ChainVerification> {
  const from = range.after ?? 0;
  const limit = range.limit ?? Number.POSITIVE_INFINITY;
  let hash = await hashAt(reader, from);
  let sequence = from;
  while (sequence - from < limit) {
    const events = await reader.scanEvents({ after: sequence, size: Math.min(BATCH, limit - (sequence - from)) });
    for (const event of events) {
      const reason = faultOf(event, sequence + 1, hash);
      if (reason !== undefined) return report(from, sequence, hash, false, { sequence: sequence + 1, reason });
      hash = event.eventHash;
      sequence = event.sequence;
    }
    if (events.length === 0) return report(from, sequence, hash, true, null);
  }
  const more = await reader.scanEvents({ after: sequence, size: 1 });
  return report(from, sequence, hash, more.length === 0, null);
}

function report(
  from: number,
  to: number,
  headHash: string,
  complete: boolean,
  fault: ChainVerification["fault"],
): ChainVerification {
  return { valid: fault === null, checked: to - from, from, to, headHash, complete, fault };
}

async function hashAt(reader: Reader, sequence: number): Promise<string> {
  if (sequence === 0) return GENESIS_HASH;
  const [event] = await reader.scanEvents({ after: sequence - 1, size: 1 });
  return event?.eventHash ?? GENESIS_HASH;
}

function faultOf(event: StoredEvent, sequence: number, previousHash: string): string | undefined {
  if (event.sequence !== sequence) return `event ${sequence} is missing`;
  if (event.prevHash !== previousHash) return "it does not link to the event before";
  const recordHash = sha256(event.attributes);
  if (event.eventHash !== linkHash(previousHash, sequence, recordHash)) return "its attributes were changed";
  const attributes = JSON.parse(event.attributes) as { id: string; datahash: string };
  if (attributes.id !== event.id) return "its id was changed";
  if (event.data !== null && sha256(event.data) !== attributes.datahash) return "its data was changed";
  return undefined;
}
