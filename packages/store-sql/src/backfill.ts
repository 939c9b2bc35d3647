import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Logger, StoreError } from "@reeve/core/store";
import type { Rows } from "./dialect.js";
import { filledColumns, filledRow, OUTDATED, type Target } from "./filled-row.js";
import type { Migration } from "./migration.js";
import { tablesOf } from "./reshape.js";
import type { Reshape } from "./reshape-spec.js";
import type { Encode } from "./table.js";
import { MARKS, outdated } from "./table-spec.js";

/** Rows filled in one transaction: some ten milliseconds of work. */
const CHUNK = 500;
/** Passes over a table. Older code may always have written more, which queries fill. */
const PASSES = 3;
/** How long a process may be silent before another one goes on, in ms. */
const LEASE_MS = 10_000;
/** The pause of a process that waits for another one, and that between chunks, in ms. */
const WAIT_MS = 250;
const PAUSE_MS = 2;

/** Runs a statement with `?` for each value. */
export type Run = (sql: string, values?: readonly unknown[]) => Promise<Rows>;

/** How backfills reach a database. */
export interface BackfillDatabase {
  /** Runs work in one transaction. */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** The quoted name of a table. */
  table(name: string): string;
  readonly encode: Encode;
  /** The clock of the database in ms, as SQL. */
  readonly clock: string;
  /** Follows the rows that are read for a chunk. */
  readonly locking: string;
  /** Gets a table ready before its first chunk, and ends that after the last. May run more than once. */
  begin(backfill: Backfill): Promise<void>;
  end(backfill: Backfill): Promise<void>;
  /** Writes columns of rows that still have their version. */
  write(run: Run, table: string, columns: readonly string[], rows: readonly FilledRow[]): Promise<void>;
}

export interface FilledRow {
  readonly tenantId: string;
  readonly id: string;
  readonly version: number;
  readonly values: readonly unknown[];
}

/** The backfill of one table by one migration. */
export interface Backfill {
  readonly name: string;
  readonly reshape: Reshape;
  readonly target: Target;
}

/** The backfills of migrations, in order. */
export function backfillsOf(migrations: readonly Migration[]): readonly Backfill[] {
  return migrations.flatMap(({ number, reshapes = [] }, at) => {
    if (reshapes.length === 0) return [];
    const specs = new Map(tablesOf(migrations.slice(0, at + 1)).map((spec) => [spec.name, spec]));
    return reshapes.map((reshape) => {
      const { collection, shape, table } = reshape;
      const { columns = {}, searchable = false } = specs.get(table) ?? {};
      const fields = Object.keys(columns).filter((column) => !(MARKS as readonly string[]).includes(column));
      return { name: `${number}/${table}`, reshape, target: { collection, shape, fields, searchable } };
    });
  });
}

/** Runs a registered backfill to its end, or waits until another process has. */
export async function runBackfill(db: BackfillDatabase, backfill: Backfill, logger: Logger): Promise<void> {
  const work = new BackfillRun(db, backfill, logger);
  for (let waits = 0; !(await work.attempt()); waits++) {
    if (waits === 0) logger.info({ backfill: backfill.name }, "another process does this backfill");
    await sleep(WAIT_MS);
  }
}

class BackfillRun {
  readonly #holder = randomUUID();
  readonly #ledger: string;
  readonly #rows: string;
  #tenth = 0;

  constructor(
    private readonly db: BackfillDatabase,
    private readonly backfill: Backfill,
    private readonly logger: Logger,
  ) {
    this.#ledger = db.table("backfills");
    this.#rows = `from ${db.table(backfill.reshape.table)} where removed_at is null and ${outdated(backfill.reshape.shape)}`;
  }

  /** `true` once it is finished; `false` while another process does it. */
  async attempt(): Promise<boolean> {
    const { db, backfill } = this;
    const { name } = backfill;
    const [state] = await db.transaction((run) =>
      run(`select finished_at from ${this.#ledger} where name = ?`, [name]),
    );
    if (!state) throw new StoreError("schema", `the backfill ${name} is not registered`);
    if (state[0] !== null) return true;
    if (!(await db.transaction((run) => this.#hold(run, "(holder = ? or holder is null or held_until <= now.ms)"))))
      return false;
    try {
      await db.begin(backfill);
      await db.transaction((run) => this.#keep(run, "", []));
      await this.#count();
      await this.#passes();
      await db.end(backfill);
      await this.#finish();
      return true;
    } catch (error) {
      await db.transaction((run) => this.#letGo(run)).catch(() => undefined);
      if (error === LOST) return false;
      throw error;
    }
  }

  /** Takes or renews the lease, in the same transaction as what depends on it. */
  async #hold(run: Run, condition: string, set = "", values: readonly unknown[] = []): Promise<boolean> {
    const rows = await run(
      `update ${this.#ledger} set holder = ?, held_until = now.ms + ${LEASE_MS}${set} from (select ${this.db.clock} as ms) as now
  where name = ? and finished_at is null and ${condition} returning name`,
      [this.#holder, ...values, this.backfill.name, this.#holder],
    );
    return rows.length > 0;
  }

  async #letGo(run: Run): Promise<void> {
    await run(`update ${this.#ledger} set holder = null, held_until = 0 where name = ? and holder = ? returning name`, [
      this.backfill.name,
      this.#holder,
    ]);
  }

  async #count(): Promise<void> {
    await this.db.transaction((run) =>
      run(
        `update ${this.#ledger} set total = (select count(*) ${this.#rows}) where name = ? and total is null returning name`,
        [this.backfill.name],
      ),
    );
  }

  /** A last migration of a shape leaves no row, because no query fills any after it. */
  async #passes(): Promise<void> {
    for (let pass = 1; ; pass++) {
      const filled = await this.#pass(pass);
      if (this.backfill.reshape.settles) {
        if (filled === 0 && !(await this.#isLeft())) return;
        if (filled === 0) await sleep(WAIT_MS);
      } else if (filled === 0 || pass === PASSES) return;
    }
  }

  /** Whether there are rows of earlier shapes, those that a transaction holds too. */
  async #isLeft(): Promise<boolean> {
    return (await this.db.transaction((run) => run(`select 1 ${this.#rows} limit 1`))).length > 0;
  }

  /** Goes through the table, from where the last process ended. Returns how many rows it filled. */
  async #pass(pass: number): Promise<number> {
    if (pass > 1) await this.db.transaction((run) => this.#keep(run, ", after_tenant = null, after_id = null", []));
    let filled = 0;
    for (;;) {
      const count = await this.db.transaction((run) => this.#chunk(run));
      if (count === 0) return filled;
      filled += count;
      await this.#tell();
      await sleep(PAUSE_MS);
    }
  }

  async #chunk(run: Run): Promise<number> {
    const { db, backfill } = this;
    const { reshape, target } = backfill;
    const [state] = await run(`select after_tenant, after_id from ${this.#ledger} where name = ?`, [backfill.name]);
    const position = state?.[0] === null ? [] : (state ?? []);
    const after = position.length > 0 ? " and (tenant_id, id) > (?, ?)" : "";
    const rows = await run(
      `select ${OUTDATED.join(", ")}, tenant_id ${this.#rows}${after} order by tenant_id, id limit ${CHUNK}${db.locking}`,
      position,
    );
    const filled = rows.map((cells) => ({
      tenantId: cells.at(-1) as string,
      id: cells[0] as string,
      version: Number(cells[1]),
      values: filledRow(target, cells, db.encode),
    }));
    const last = filled.at(-1);
    if (!last) return 0;
    await db.write(run, reshape.table, filledColumns(target), filled);
    await this.#keep(run, `, after_tenant = ?, after_id = ?, done = done + ${filled.length}`, [last.tenantId, last.id]);
    return filled.length;
  }

  async #keep(run: Run, set: string, values: readonly unknown[]): Promise<void> {
    if (!(await this.#hold(run, "holder = ?", set, values))) throw LOST;
  }

  async #tell(): Promise<void> {
    const { name } = this.backfill;
    const [row] = await this.db.transaction((run) =>
      run(`select done, total from ${this.#ledger} where name = ?`, [name]),
    );
    const [done, total] = (row ?? []).map(Number) as [number, number];
    const tenth = Math.floor((10 * done) / Math.max(total, 1));
    if (tenth > this.#tenth) this.logger.info({ backfill: name, done, total }, "a backfill goes on");
    this.#tenth = Math.max(tenth, this.#tenth);
  }

  async #finish(): Promise<void> {
    await this.db.transaction((run) => this.#keep(run, ", finished_at = now.ms", []));
    this.logger.info({ backfill: this.backfill.name }, "a backfill is finished");
  }
}

/** Another process has taken over, because this one was silent for too long. */
const LOST = new StoreError("conflict", "another process does this backfill");
