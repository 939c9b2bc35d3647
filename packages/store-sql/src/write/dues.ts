import type { DueBacklog, Dues, DueTenant } from "@reeve/core/store";
import { checkSize } from "@reeve/core/store";
import type { Rows } from "../schema/dialect.js";

/** The most tenants that a backlog is measured by. */
const SEEN = 10_000;

/** What differs between the databases. */
export interface DuesDialect {
  /** The quoted name of the table. */
  readonly table: string;
  /** The time now in milliseconds since the epoch, as an expression. */
  readonly now: string;
  /** Rows `t` with the tenants of a parameter as `value`. */
  readonly tenants: string;
  /** Binds a list of tenants. */
  encode(tenantIds: readonly string[]): unknown;
  /** Runs a statement with `?` for each parameter. */
  run(sql: string, ...values: readonly unknown[]): Promise<Rows>;
}

/** When each tenant has something due, in a table across tenants. */
export class SqlDues implements Dues {
  readonly #free: string;

  constructor(private readonly dialect: DuesDialect) {
    this.#free = `due_at <= ? and claimed_until <= ${dialect.now}`;
  }

  async find(at: string, size: number, after?: DueTenant): Promise<readonly DueTenant[]> {
    checkSize(size);
    const { run, table } = this.dialect;
    const beyond = after ? " and (due_at, tenant_id) > (?, ?)" : "";
    const rows = await run(
      `select tenant_id, due_at from ${table} where ${this.#free}${beyond} order by due_at, tenant_id limit ${size}`,
      at,
      ...(after ? [after.at, after.tenantId] : []),
    );
    return rows.map(([tenantId, dueAt]) => ({ tenantId, at: dueAt }) as DueTenant);
  }

  async claim(tenantId: string, at: string, ms: number): Promise<number | undefined> {
    const { run, table, now } = this.dialect;
    const [row] = await run(
      `update ${table} set claimed_until = ${now} + ?, claim = claim + 1, due_since_claim = null where tenant_id = ? and ${this.#free} returning claim`,
      ms,
      tenantId,
      at,
    );
    return row?.[0] as number | undefined;
  }

  async renew(tenantId: string, claim: number, ms: number): Promise<boolean> {
    const { run, table, now } = this.dialect;
    const rows = await run(
      `update ${table} set claimed_until = ${now} + ? where tenant_id = ? and claim = ? returning claim`,
      ms,
      tenantId,
      claim,
    );
    return rows.length > 0;
  }

  async backlog(at: string): Promise<DueBacklog> {
    const { run, table, now } = this.dialect;
    const [free, claimed] = [`where d.claimed_until <= ${now}`, `where d.claimed_until > ${now}`];
    const count = (those: string) => `cast(count(*) filter (${those}) as integer)`;
    const [row = []] = await run(
      `select ${count(free)} as waiting, ${count(claimed)} as claimed, min(d.due_at) filter (${free}) as oldest from
        (select due_at, claimed_until from ${table} where due_at <= ? order by due_at, tenant_id limit ${SEEN}) d`,
      at,
    );
    const [waiting = 0, taken = 0, oldestAt = null] = row as [number?, number?, string?];
    return { waiting, claimed: taken, oldestAt };
  }

  async lower(tenantIds: readonly string[], at: string): Promise<void> {
    if (tenantIds.length === 0) return;
    checkSize(tenantIds.length);
    const { run, table, tenants, encode } = this.dialect;
    // In one order, so that two calls do not block each other.
    await run(
      `insert into ${table} as d ${COLUMNS} select t.value, ?, ? from ${tenants} where true order by t.value ${LOWER}`,
      at,
      at,
      encode(tenantIds),
    );
  }
}

const earlier = (one: string, other: string) => `case when ${one} < ${other} then ${one} else ${other} end`;

/** The columns of an insert into dues `d`. Both times are those of the write. */
export const COLUMNS = "(tenant_id, due_at, due_since_claim)";

/** What the insert does where the tenant has a row. */
export const LOWER = `on conflict (tenant_id) do update set due_at = ${earlier("d.due_at", "excluded.due_at")},
  due_since_claim = ${earlier("d.due_since_claim", "excluded.due_at")}
  where d.due_at > excluded.due_at or d.due_since_claim is null or d.due_since_claim > excluded.due_at`;

/** What the end of a claim sets, by the time of what is due next. What became due since the claim counts as well. */
export function settled(next: string): string {
  const due = earlier("due_since_claim", next);
  return `due_at = ${due}, due_since_claim = ${due}, claimed_until = 0`;
}
