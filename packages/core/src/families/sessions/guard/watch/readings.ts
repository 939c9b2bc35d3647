/** A reading that takes longer than this is not waited for by the next one, in ms. */
const STUCK_MS = 5_000;

interface Flight {
  running: Promise<boolean>;
  readonly since: number;
  next?: Promise<boolean>;
}

/** Readings one after the other per tenant: whoever asks gets one that begins after the asking, and shares it with others. */
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
