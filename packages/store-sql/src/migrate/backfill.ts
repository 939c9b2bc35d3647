import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Logger, StoreError } from "@reeve/core/store";
import { claimPart, claimsOf, filledColumns, filledRow, OUTDATED, withoutKeys } from "../schema/filled-row.js";
import { MARKS, outdated } from "../schema/table-spec.js";
import type { Backfill, BackfillDatabase, Run } from "./backfill-database.js";
import type { Migration } from "./migration.js";
import { recount } from "./recount.js";
import { openKeys, tablesOf } from "./reshape.js";
import { sharedKeys, sharedText } from "./shared-keys.js";

/** Rows filled in one transaction: some ten milliseconds of work. */
const CHUNK = 500;
/** Passes over a table. Older code may always have written more, which queries fill. */
const PASSES = 3;
/** How long a process may be silent before another one goes on, in ms. */
const LEASE_MS = 10_000;
/** The pause of a process that waits for another one, and that between chunks, in ms. */
const WAIT_MS = 250;
const PAUSE_MS = 2;

/** The backfills of migrations, in order. */
export function backfillsOf(migrations: readonly Migration[]): readonly Backfill[] {
  return migrations.flatMap(({ number, reshapes = [] }, at) => {
    if (reshapes.length === 0) return [];
    const specs = new Map(tablesOf(migrations.slice(0, at + 1)).map((spec) => [spec.name, spec]));
    return reshapes.map((reshape) => {
      const { collection, shape, table } = reshape;
      const { columns = {}, searchable = false } = specs.get(table) ?? {};
      const fields = Object.keys(columns).filter((column) => !(MARKS as readonly string[]).includes(column));
      const keys = Object.values(openKeys(migrations.slice(0, at + (reshape.settles === "shape" ? 0 : 1)), table));
      return { name: `${number}/${table}`, reshape, target: { collection, shape, fields, searchable, keys } };
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
      const renew = (run: Run) => this.#keep(run, "", []);
      await db.begin(backfill, renew);
      await db.transaction(renew);
      await this.#count();
      await this.#passes();
      await this.#settle();
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
      if (this.backfill.reshape.settles === "shape") {
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
      if (count === undefined) return filled;
      filled += count;
      await this.#tell();
      await sleep(PAUSE_MS);
    }
  }

  /** What follows once rows are filled: records that share a key are told, and the end of a shape counts. */
  async #settle(): Promise<void> {
    const { db, backfill, logger } = this;
    const { table, settles } = backfill.reshape;
    const renew = (run: Run) => this.#keep(run, "", []);
    const shared = await sharedKeys(db, backfill, renew);
    if (shared.length > 0 && settles === "keys") {
      const remedy = "give each a value of its own or remove it, and migrate again";
      throw new StoreError("schema", `${sharedText(table, shared)}: ${remedy}`);
    }
    if (shared.length > 0) logger.warn({ backfill: backfill.name, shared }, sharedText(table, shared));
    if (settles === "shape") await recount(db, backfill, renew);
  }

  /** Fills the next rows. `undefined` when there are none. */
  async #chunk(run: Run): Promise<number | undefined> {
    const { db, backfill } = this;
    const { reshape, target } = backfill;
    const [state] = await run(`select after_tenant, after_id from ${this.#ledger} where name = ?`, [backfill.name]);
    const position = state?.[0] === null ? [] : (state ?? []);
    const after = position.length > 0 ? " and (tenant_id, id) > (?, ?)" : "";
    const tenant = target.keys.length > 0 ? await this.#lockNext(run, after, position) : undefined;
    if (target.keys.length > 0 && tenant === undefined) return undefined;
    const within = tenant === undefined ? "" : " and tenant_id = ?";
    const rows = await run(
      `select ${OUTDATED.join(", ")}, tenant_id ${this.#rows}${after}${within} order by tenant_id, id limit ${CHUNK}${db.locking}`,
      tenant === undefined ? position : [...position, tenant],
    );
    const filled = rows.map((cells) => ({
      tenantId: cells.at(-1) as string,
      id: cells[0] as string,
      version: Number(cells[1]),
      values: filledRow(target, cells, db.encode),
    }));
    const last = filled.at(-1);
    if (!last) return tenant === undefined ? undefined : 0;
    const plain = filled.map((row) => ({ ...row, values: withoutKeys(target, row.values) }));
    await db.write(run, reshape.table, filledColumns(target), plain);
    for (const { tenantId, id, version, values } of filled)
      for (const claim of claimsOf(target, values)) {
        const { sql } = claimPart(db.table(reshape.table), claim.columns);
        await run(sql, [...claim.values, tenantId, id, version, tenantId, ...claim.values]);
      }
    await this.#keep(run, `, after_tenant = ?, after_id = ?, done = done + ${filled.length}`, [last.tenantId, last.id]);
    return filled.length;
  }

  /** Locks the tenant of the next rows, because only then it is certain whether a key is taken. */
  async #lockNext(run: Run, after: string, position: readonly unknown[]): Promise<string | undefined> {
    const [next] = await run(`select tenant_id ${this.#rows}${after} order by tenant_id, id limit 1`, position);
    if (!next) return undefined;
    await this.db.lock(run, next[0] as string);
    return next[0] as string;
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
