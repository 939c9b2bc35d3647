interface Lane<T> {
  readonly now: Promise<T>;
  next?: Promise<T>;
}

/**
 * Runs work one at a time per key. A request during a run gets the next run, shared with all others that arrive
 * meanwhile. That run sees what they wrote before.
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
    // Started one microtask later, so that the entry exists before the work can end.
    const lane: Lane<T> = { now: Promise.resolve().then(run) };
    this.#lanes.set(key, lane);
    return lane.now;
  }
}
