import { StoreError } from "@reeve/core";
import type { Query, Rows, Values, Write } from "@reeve/store-sql";

/** A row that was read before the transaction held its tenant's lock. */
interface EarlyRead {
  readonly tenantId: string;
  readonly table: string;
  readonly id: string;
  readonly version: number;
}

/**
 * Rows that were read one by one while the tenant was not locked yet. They count as read in the transaction only if it writes
 * each of them: a write insists on the version it is told, so it fails if the row has changed since.
 */
export class EarlyReads {
  readonly #reads: EarlyRead[] = [];
  #missing = false;

  get some(): boolean {
    return this.#reads.length > 0 || this.#missing;
  }

  note({ point }: Query, values: Values, rows: Rows): void {
    const [row] = rows;
    if (!row) this.#missing = true;
    else {
      const [id, version] = row as readonly [string, number];
      this.#reads.push({ tenantId: String(values.tenant), table: point as string, id, version });
    }
  }

  /** Whether these writes, done at once, are refused when any of the rows is another by then. */
  coveredBy(writes: readonly Write[]): boolean {
    return (
      !this.#missing &&
      this.#reads.every(({ tenantId, table, id, version }) =>
        writes.some(
          (write) =>
            write.kind === "replace" &&
            write.tenantId === tenantId &&
            write.table.name === table &&
            write.previous.id === id &&
            write.previous.version === version,
        ),
      )
    );
  }
}

/** What makes the work run again, this time under the lock. */
export function readTooEarly(cause?: unknown): StoreError {
  return new StoreError("conflict", "what was read may have changed before it was locked", { cause });
}

/** How often work of a kind that could not read early is run under the lock before that is tried again. */
const CAREFUL_RUNS = 32;
const MOST_KINDS = 1_000;

/** Which kinds of work may read early. Most do the same each time, so what happened to one tells about the next. */
export class EarlyKinds {
  readonly #careful = new Map<string, number>();

  may(kind: string | undefined): boolean {
    if (kind === undefined) return false;
    const left = this.#careful.get(kind) ?? 0;
    if (left > 1) this.#careful.set(kind, left - 1);
    else this.#careful.delete(kind);
    return left === 0;
  }

  /** Tells that work of this kind read early to no use. */
  failed(kind: string): void {
    if (this.#careful.size < MOST_KINDS) this.#careful.set(kind, CAREFUL_RUNS);
  }
}
