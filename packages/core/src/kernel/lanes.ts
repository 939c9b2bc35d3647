interface Lane<T> {
  readonly now: Promise<T>;
  next?: Promise<T>;
}

/**
 * Runs work one at a time per key. Whoever asks during a run gets the run after it, shared with all who ask meanwhile: it sees
 * what they wrote before they asked, and nothing is done twice at once.
 */
export class Lanes<T> {
  readonly #lanes = new Map<string, Lane<T>>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(key);
    if (!lane) return this.#start(key, work);
    const start = () => this.#start(key, work);
    lane.next ??= lane.now.then(start, start);
    return lane.next;
  }

  #start(key: string, work: () => Promise<T>): Promise<T> {
    const run = async () => {
      try {
        return await work();
      } finally {
        if (!lane.next) this.#lanes.delete(key);
      }
    };
    // Begun a step later, so that the lane stands before the work can end.
    const lane: Lane<T> = { now: Promise.resolve().then(run) };
    this.#lanes.set(key, lane);
    return lane.now;
  }
}
