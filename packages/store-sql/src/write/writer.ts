import {
  addedKeys,
  type EventDraft,
  type Purge,
  type Purged,
  type Reader,
  type StoredCollection,
  type StoredRecord,
  type Transaction,
  type Writer,
} from "@reeve/core/store";
import type { Access } from "../query/access.js";
import { SqlReader } from "../query/reader.js";
import { eraseWrite, insertWrite, pruneWrite, removeWrite, replaceWrite, type Write } from "./write.js";

/** An open transaction: its reads and its writes. */
export interface Unit {
  readonly access: Access & Required<Pick<Access, "purge">>;
  /** Adds a write, which may be held until later. If `make` throws, the transaction can only roll back. */
  write(make: () => Write): Promise<void>;
  /** A reader of what a tenant has committed, behind the lock of the tenant `own`. */
  committed(own: string, tenantId: string): Reader;
  /** A reader of what the tenant has after the commit. */
  afterCommit(tenantId: string): Reader;
}

/** Writes of one tenant, passed to `write`. */
abstract class SqlWriter extends SqlReader {
  protected abstract write(make: () => Write): Promise<void>;

  /** Gives the keys of what older code has written their columns first, so that no key is taken or free by mistake. */
  async #fillKeys<R extends StoredRecord>(collection: StoredCollection<R>): Promise<void> {
    if (addedKeys(collection).length > 0) await this.fill(collection);
  }

  async insert<R extends StoredRecord>(collection: StoredCollection<R>, record: R): Promise<void> {
    await this.#fillKeys(collection);
    await this.write(() => insertWrite(this.tenantId, collection, [record]));
  }

  async insertMany<R extends StoredRecord>(collection: StoredCollection<R>, records: readonly R[]): Promise<void> {
    await this.#fillKeys(collection);
    await this.write(() => insertWrite(this.tenantId, collection, records));
  }

  async replace<R extends StoredRecord>(collection: StoredCollection<R>, next: R, previous: R): Promise<void> {
    await this.#fillKeys(collection);
    await this.write(() => replaceWrite(this.tenantId, collection, next, previous));
  }

  async remove<R extends StoredRecord>(collection: StoredCollection<R>, previous: R, at: string): Promise<void> {
    await this.write(() => removeWrite(this.tenantId, collection, previous, at));
  }

  async append(...events: readonly EventDraft[]): Promise<void> {
    await this.write(() => ({ kind: "append", tenantId: this.tenantId, events }));
  }

  async eraseEvents(sequences: readonly number[]): Promise<void> {
    await this.write(() => eraseWrite(this.tenantId, sequences));
  }

  async pruneEvents(upTo: number): Promise<void> {
    await this.write(() => pruneWrite(this.tenantId, upTo));
  }
}

/** A transaction in one tenant. */
export class SqlTransaction extends SqlWriter implements Transaction {
  constructor(
    tenantId: string,
    private readonly unit: Unit,
  ) {
    super(tenantId, unit.access);
  }

  as(tenantId: string): Transaction {
    return new SqlTransaction(tenantId, this.unit);
  }

  committed(tenantId: string): Reader {
    return this.unit.committed(this.tenantId, tenantId);
  }

  get afterCommit(): Reader {
    return this.unit.afterCommit(this.tenantId);
  }

  due(at: string): Promise<void> {
    return this.write(() => ({ kind: "due", tenantId: this.tenantId, at }));
  }

  settleDue(claim: number, next: string): Promise<void> {
    return this.write(() => ({ kind: "settle", tenantId: this.tenantId, claim, next }));
  }

  purge(what: Purge, size: number): Promise<Purged> {
    return this.unit.access.purge(this.tenantId, what, size);
  }

  protected write(make: () => Write): Promise<void> {
    return this.unit.write(make);
  }
}

/** A tenant outside of transactions. Each write is a transaction of its own. */
export class SqlTenant extends SqlWriter implements Writer {
  constructor(
    tenantId: string,
    access: Access,
    private readonly commit: (write: Write) => Promise<void>,
  ) {
    super(tenantId, access);
  }

  protected async write(make: () => Write): Promise<void> {
    const write = make();
    const empty =
      write.kind === "insert" ? write.records.length === 0 : write.kind === "append" && write.events.length === 0;
    if (!empty) await this.commit(write);
  }
}
