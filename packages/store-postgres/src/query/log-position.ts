/** Where the write-ahead log of a server stands: how far, and on which timeline. */
export interface LogPosition {
  /** Bytes from the start of the log. */
  readonly bytes: number;
  readonly timeline: number;
  /** The identifier of the installation, which all standbys of a server have from it. */
  readonly system: string;
}

/** Of a server that takes writes. All that is committed lies before the position. */
export const WRITTEN = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8,
  ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::integer,
  (select system_identifier::text from pg_control_system())`;

/**
 * Of a standby; no position of any other server. After a failover the timeline follows with the next checkpoint, so a
 * standby that went astray is never taken for one that follows. After a restore on a new server a standby of the old one
 * may still be asked, which the identifier tells.
 */
export const REPLAYED = `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8,
  (select timeline_id from pg_control_checkpoint()),
  (select system_identifier::text from pg_control_system()) where pg_is_in_recovery()`;

/** The position of such a row. */
export function positionOf(row: readonly unknown[] | undefined): LogPosition | undefined {
  const [bytes, timeline, system] = row ?? [];
  const isOne = typeof bytes === "number" && typeof timeline === "number" && typeof system === "string";
  return isOne ? { bytes, timeline, system } : undefined;
}

/** How many moments of the log are kept. */
const KEPT = 16;

/** Moments of the log of the server that takes writes, by the clock of this process. */
export class LogMoments {
  readonly #moments: { readonly at: number; readonly position: LogPosition }[] = [];

  /** The newest moment that is known. */
  get newest(): number {
    return this.#moments.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  }

  /** Notes where the log stood at a moment, which lies before it was asked for. */
  note(at: number, position: LogPosition): void {
    this.#moments.push({ at, position });
    if (this.#moments.length > KEPT) this.#moments.shift();
  }

  /** The newest moment of which a standby at this position has all commits; `undefined` when it is not known. */
  reachedBy({ bytes, timeline, system }: LogPosition): number | undefined {
    return this.#moments.findLast(
      ({ position }) => position.system === system && position.timeline === timeline && position.bytes <= bytes,
    )?.at;
  }
}
