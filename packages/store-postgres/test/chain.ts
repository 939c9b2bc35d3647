import { GENESIS_HASH, linkHash, type Reader } from "@reeve/core/store";
import { event } from "@reeve/testkit";

/** Follows the chain of events that tests made by number, and notes where it does not hold. */
export class Chain {
  /** The place of each event, by its number. */
  readonly places = new Map<number, number>();
  readonly flaws: string[] = [];
  #last = 0;
  #hash = GENESIS_HASH;

  /** Reads the events that are new. */
  async goOn(reader: Reader): Promise<void> {
    const size = 1_000;
    for (;;) {
      const events = await reader.scanEvents({ after: this.#last, size });
      for (const { id, sequence, prevHash, eventHash } of events) {
        const n = Number(id.split("_01K")[1]);
        const hash = linkHash(this.#hash, sequence, event(n).recordHash);
        if (sequence !== this.#last + 1) this.flaws.push(`event ${sequence} follows event ${this.#last}`);
        if (prevHash !== this.#hash || eventHash !== hash) this.flaws.push(`event ${sequence} does not link`);
        if (this.places.has(n)) this.flaws.push(`event ${n} is stored twice`);
        this.places.set(n, sequence);
        [this.#last, this.#hash] = [sequence, eventHash];
      }
      if (events.length < size) return;
    }
  }
}
