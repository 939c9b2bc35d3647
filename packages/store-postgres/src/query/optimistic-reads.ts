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
 * Single rows that were read before the tenant was locked. They are safe only if the transaction writes each of them,
 * because a write fails when the row has changed since.
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

  /** Whether these writes, run at once, fail if any of the rows has changed. */
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

/** How many runs of a kind are under the lock after optimistic reads failed. Each failure doubles the number. */
const [FIRST_RUNS, MOST_RUNS] = [32, 4_096];
const MOST_KINDS = 1_000;

/**
 * The kinds of work that may read optimistically. Most work of a kind makes the same reads, so one run predicts the
 * next.
 */
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

/** Shared by the process, because it depends on the work and not on the database. */
export const earlyKinds = new EarlyKinds();
