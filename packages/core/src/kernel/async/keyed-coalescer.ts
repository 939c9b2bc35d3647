interface Flight<T> {
  readonly now: Promise<T>;
  next?: Promise<T>;
}

/**
 * Runs work one at a time per key. Calls that arrive during a run share one run after it, which sees all that they
 * wrote before.
 */
export class KeyedCoalescer<T> {
  readonly #flights = new Map<string, Flight<T>>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const flight = this.#flights.get(key);
    if (!flight) return this.#start(key, work);
    const start = () => this.#start(key, work);
    flight.next ??= flight.now.then(start, start);
    return flight.next;
  }

  #start(key: string, work: () => Promise<T>): Promise<T> {
    const run = async () => {
      try {
        return await work();
      } finally {
        if (!flight.next) this.#flights.delete(key);
      }
    };
    // Starts one microtask later, so that the entry exists before the work can end.
    const flight: Flight<T> = { now: Promise.resolve().then(run) };
    this.#flights.set(key, flight);
    return flight.now;
  }
}
