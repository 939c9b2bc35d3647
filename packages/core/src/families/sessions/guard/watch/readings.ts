/** The longest that a read delays the next one, in milliseconds. */
const STUCK_MS = 5_000;

interface Flight {
  running: Promise<boolean>;
  readonly since: number;
  next?: Promise<boolean>;
}

/** Serialises reads per tenant. A caller gets a read that begins after its call, shared with other callers. */
export class Readings {
  readonly #flights = new Map<string, Flight>();

  constructor(readonly read: (tenantId: string) => Promise<boolean>) {}

  after(tenantId: string): Promise<boolean> {
    const flight = this.#flights.get(tenantId);
    if (!flight || performance.now() - flight.since > STUCK_MS) return this.#start(tenantId);
    flight.next ??= flight.running.then(() => this.#start(tenantId));
    return flight.next;
  }

  #start(tenantId: string): Promise<boolean> {
    const flight: Flight = { running: Promise.resolve(false), since: performance.now() };
    this.#flights.set(tenantId, flight);
    flight.running = this.read(tenantId).finally(() => {
      if (this.#flights.get(tenantId) === flight && !flight.next) this.#flights.delete(tenantId);
    });
    return flight.running;
  }
}
