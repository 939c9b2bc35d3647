import { StoreError } from "@reeve/core/store";
import type { Query, Rows, Values, Write } from "@reeve/store-sql";

/** A row that was read before the tenant was locked. */
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
export class OptimisticReads {
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

/** The error that makes the work run again under the lock. */
export function optimisticReadFailed(cause?: unknown): StoreError {
  return new StoreError("conflict", "what was read may have changed before it was locked", { cause });
}

/** How often work of a kind that could not read early is run under the lock before that is tried again; each time twice as often. */
const [FIRST_RUNS, MOST_RUNS] = [32, 4_096];
const MOST_KINDS = 1_000;

/** Which kinds of work may read early. Most do the same each time, so what happened to one tells about the next. */
export class EarlyKinds {
  readonly #careful = new Map<string, { left: number; readonly runs: number }>();

  may(kind: string | undefined): boolean {
    if (kind === undefined) return false;
    const careful = this.#careful.get(kind);
    if (!careful || careful.left === 0) return true;
    careful.left -= 1;
    return false;
  }

  /** Records that optimistic reads failed for this kind of work. */
  failed(kind: string): void {
    const { runs = FIRST_RUNS / 2 } = this.#careful.get(kind) ?? {};
    const next = Math.min(2 * runs, MOST_RUNS);
    if (this.#careful.size < MOST_KINDS || this.#careful.has(kind)) this.#careful.set(kind, { left: next, runs: next });
  }
}

/** What is known of kinds in this process: it depends on what the work does, and not on the database. */
export const earlyKinds = new EarlyKinds();
