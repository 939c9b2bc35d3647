/** A reading that takes longer than this is not waited for by the next one, in ms. */
const STUCK_MS = 5_000;

interface Lane {
  running: Promise<boolean>;
  readonly since: number;
  next?: Promise<boolean>;
}

/** Readings one after the other per tenant: whoever asks gets one that begins after the asking, and shares it with others. */
export class Readings {
  readonly #lanes = new Map<string, Lane>();

  constructor(readonly read: (tenantId: string) => Promise<boolean>) {}

  after(tenantId: string): Promise<boolean> {
    const lane = this.#lanes.get(tenantId);
    if (!lane || performance.now() - lane.since > STUCK_MS) return this.#start(tenantId);
    lane.next ??= lane.running.then(() => this.#start(tenantId));
    return lane.next;
  }

  #start(tenantId: string): Promise<boolean> {
    const lane: Lane = { running: Promise.resolve(false), since: performance.now() };
    this.#lanes.set(tenantId, lane);
    lane.running = this.read(tenantId).finally(() => {
      if (this.#lanes.get(tenantId) === lane && !lane.next) this.#lanes.delete(tenantId);
    });
    return lane.running;
  }
}
