import { canonical, sha256 } from "./canonical.js";
import type { ChainedEvent } from "./wire.js";

const GENESIS = "0".repeat(64);

/**
 * Recomputes a chain from published events alone, oldest first. Returns the hash of the last event, or names the first
 * invalid one.
 */
export function recompute(events: readonly ChainedEvent[]): { head: string } | { fault: string } {
  let head = GENESIS;
  for (const [index, event] of events.entries()) {
    const { data, sequence, prevhash, eventhash, ...attributes } = event;
    const fault = (why: string) => ({ fault: `event ${event.id} (${sequence}): ${why}` });
    if (sequence !== String(index + 1).padStart(12, "0")) return fault("its number is out of line");
    if (prevhash !== head) return fault("it does not link to the event before");
    if (data !== null && sha256(canonical(data)) !== attributes.datahash)
      return fault("its data does not match datahash");
    if (sha256(`${prevhash}\n${sequence}\n${sha256(canonical(attributes))}`) !== eventhash)
      return fault("its attributes do not match eventhash");
    head = eventhash;
  }
  return { head };
}
