/** The most attempts that are settled together. */
const MOST = 100;
/** How long an attempt may stay unsettled, in ms. It is repeated after a crash meanwhile, or by another process. */
const UNSETTLED_MS = 100;

/** How attempts of a tenant are stored, and where a failure of that goes when nobody waits for it. */
interface Means<A> {
  settle(tenantId: string, attempts: readonly A[]): Promise<void>;
  failed(error: unknown): void;
}

interface Unsettled<A> {
  /** Attempts that nobody stores yet, and ids of all that are not stored. */
  readonly waiting: A[];
  readonly ids: Set<string>;
  timer: NodeJS.Timeout | undefined;
  /** Resolves when all that was to be stored is stored. */
  storing: Promise<void>;
}

/** Attempts at deliveries, which are stored together: one transaction for many, and at most one at a time per tenant. */
export class Settlements<A extends { readonly id: string }> {
  readonly #tenants = new Map<string, Unsettled<A>>();

  constructor(private readonly means: Means<A>) {}

  /** Ids of what is not stored yet. */
  ids(tenantId: string): Iterable<string> {
    return this.#tenants.get(tenantId)?.ids ?? [];
  }

  /** Notes an attempt, and stores it with others soon. Waits for that when there are many. */
  async add(tenantId: string, attempt: A): Promise<void> {
    const unsettled = this.#tenants.get(tenantId) ?? this.#begin(tenantId);
    unsettled.waiting.push(attempt);
    unsettled.ids.add(attempt.id);
    if (unsettled.waiting.length >= MOST) return this.now(tenantId);
    unsettled.timer ??= setTimeout(() => void this.now(tenantId).catch(this.means.failed), UNSETTLED_MS);
  }

  /** Stores the attempts of a tenant. If that fails they are forgotten, so that they are made again. */
  async now(tenantId: string): Promise<void> {
    const unsettled = this.#tenants.get(tenantId);
    if (!unsettled) return;
    clearTimeout(unsettled.timer);
    unsettled.timer = undefined;
    const store = () => this.#store(tenantId, unsettled);
    unsettled.storing = unsettled.storing.then(store, store);
    await unsettled.storing;
  }

  /** Stores what is left. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#tenants.keys()].map((tenantId) => this.now(tenantId)));
  }

  #begin(tenantId: string): Unsettled<A> {
    const unsettled = { waiting: [], ids: new Set<string>(), timer: undefined, storing: Promise.resolve() };
    this.#tenants.set(tenantId, unsettled);
    return unsettled;
  }

  async #store(tenantId: string, { waiting, ids }: Unsettled<A>): Promise<void> {
    const attempts = waiting.splice(0);
    try {
      if (attempts.length > 0) await this.means.settle(tenantId, attempts);
    } finally {
      for (const { id } of attempts) ids.delete(id);
      if (ids.size === 0) this.#tenants.delete(tenantId);
    }
  }
}
