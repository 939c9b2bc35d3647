import { linkHash, sha256 } from "#store/chain.js";
import type { StoredEvent } from "#store/event-log.js";

/** Verifies a chain event by event, from the given link. */
export class ChainWalk {
  constructor(
    public sequence: number,
    public hash: string,
  ) {}

  /** Verifies the next event. Returns the fault, if there is one. */
  step(event: StoredEvent): string | undefined {
    const next = this.sequence + 1;
    if (event.sequence !== next) return `event ${next} is missing`;
    if (event.prevHash !== this.hash) return "it does not link to the event before";
    if (event.eventHash !== linkHash(this.hash, next, sha256(event.attributes))) return "its attributes were changed";
    // Attributes are canonical JSON, so a member has one spelling only. A text search is as exact as parsing.
    if (!event.attributes.includes(`"id":${JSON.stringify(event.id)}`)) return "its id was changed";
    if (event.data !== null && !event.attributes.includes(`"datahash":"${sha256(event.data)}"`))
      return "its data was changed";
    this.sequence = next;
    this.hash = event.eventHash;
    return undefined;
  }
}
