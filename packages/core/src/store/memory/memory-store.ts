import { checkClaims } from "../guards.js";
import type { QuotaClaim, QuotaGrant } from "../quota.js";
import type { ChangeListener, Dues, PlatformReader, Store, StoreStatus, Transaction, Writer } from "../store.js";
import { StoreError } from "../store-error.js";
import { Layer } from "./layer.js";
import { NestingGuard } from "./nesting-guard.js";
import { MemoryPlatformReader } from "./platform-reader.js";
import { Queue } from "./queue.js";
import { Quotas } from "./quotas.js";
import { Draft, MemoryTransaction } from "./transaction.js";
import { MemoryWriter } from "./writer.js";

/**
 * A store in memory: the reference for other stores, and the store of unit tests. Transactions of all tenants run one
 * at a time, so they cannot deadlock and keys of platform scope cannot race.
 */
export function createMemoryStore(): Store {
  return new MemoryStore();
}

/**
 * A new store with what is committed in `original`, a memory store, open or closed. Later writes to one do not show in
 * the other.
 */
export function copyMemoryStore(original: Store): Store {
  if (!(original instanceof MemoryStore)) throw new TypeError("only what is in memory is copied");
  return original.copy();
}

class MemoryStore implements Store {
  readonly #committed: Layer;
  readonly #queue = new Queue();
  readonly #guard = new NestingGuard();
  readonly #quotas: Quotas;
  readonly #listeners = new Set<ChangeListener>();
  #closed = false;
  readonly platform: PlatformReader = new MemoryPlatformReader(() => this.#open());

  constructor(committed = new Layer(), quotas = new Quotas()) {
    this.#committed = committed;
    this.#quotas = quotas;
  }

  get dues(): Dues {
    return this.#open().dues;
  }

  copy(): MemoryStore {
    return new MemoryStore(this.#committed.copy(), this.#quotas.copy());
  }

  async migrate(): Promise<void> {
    this.#open();
  }

  async status(): Promise<StoreStatus> {
    this.#open();
    return { kind: "memory", migration: { applied: 0, latest: 0 } };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#queue.drained();
  }

  forTenant(tenantId: string): Writer {
    return new MemoryWriter(
      tenantId,
      () => this.#open(),
      (work) => this.transaction(tenantId, work),
    );
  }

  async transaction<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#open();
    this.#guard.check();
    return await this.#queue.run(() => this.#transact(tenantId, work));
  }

  async reserveQuota(tenantId: string, claims: readonly QuotaClaim[], now: number): Promise<readonly QuotaGrant[]> {
    this.#open();
    checkClaims(claims);
    return claims.map((claim) => this.#quotas.reserve(tenantId, claim, now));
  }

  async watch(listener: ChangeListener): Promise<void> {
    this.#open();
    this.#listeners.add(listener);
  }

  async #transact<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const draft = new Draft(this.#committed, (purged) => this.#quotas.forget(purged));
    try {
      const result = await this.#guard.run(() => work(new MemoryTransaction(tenantId, draft)));
      for (const change of draft.commit()) {
        for (const listener of this.#listeners) listener(change);
      }
      return result;
    } finally {
      draft.end();
    }
  }

  #open(): Layer {
    if (this.#closed) throw new StoreError("closed", "the store is closed");
    return this.#committed;
  }
}
