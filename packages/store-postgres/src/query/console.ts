import { type SqlAnswer, type SqlConsole, type SqlQuestion, type SqlValue, StoreError } from "@reeve/core/store";
import { requireReading } from "@reeve/store-sql";
import pg from "pg";
import { Dialer } from "../connect/connection.js";
import { withDeadline } from "../connect/deadline.js";
import type { ConsoleNames } from "../statement/console-views.js";
import { stateOf, storeError } from "../statement/errors.js";

/** How late the server may end a statement before the connection is dropped, in ms. */
const GRACE_MS = 2_000;
/** The most questions at a time. */
const AT_ONCE = 2;

/** SQLSTATEs that concern the database and not the statement. 08P01 is a wrong number of parameters. */
const NOT_OF_THE_STATEMENT = /^(08(?!P01)|28|53300|57P|58|XX00[12])/;
/**
 * Functions with effects, or that run text as SQL. They can do no harm here, because their effects end with the
 * connection; the refusal only tells the caller. Escaped names are refused, so that all names are visible.
 */
const ACTING =
  /\b(?:set_config|setval|nextval|pg_notify|pg_(?:try_)?advisory\w*|pg_(?:terminate|cancel)_backend|pg_logical_emit_message|lo_\w+|lo(?:read|write)|dblink\w*|\w+_to_xml\w*|ts_stat|ts_rewrite)\b|\bu&"/i;
const CANCELLED = "57014";
const [BOOL, INT8, INT2, INT4, OID, FLOAT4, FLOAT8] = [16, 20, 21, 23, 26, 700, 701];

/** Values that JSON can hold exactly are converted. Others stay text, as the database sends it. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number) => {
    if (oid === BOOL) return (text: string) => text === "t";
    return [INT8, INT2, INT4, OID, FLOAT4, FLOAT8].includes(oid) ? exactNumber : (text: string) => text;
  }) as typeof pg.types.getTypeParser,
};

function exactNumber(text: string): number | string {
  const value = Number(text);
  const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return exact ? value : text;
}

export interface ConsoleOptions {
  readonly url: string;
  readonly names: ConsoleNames;
  readonly connectionTimeoutMs: number;
}

/**
 * The SQL console of a database. Each question gets its own connection, logged in as a role that may only read the
 * views. A statement cannot gain more by changing roles or settings, and such changes end with the connection.
 */
export class PostgresConsole implements SqlConsole {
  #running = 0;

  constructor(private readonly options: ConsoleOptions) {}

  async run(question: SqlQuestion): Promise<SqlAnswer> {
    requireReading(question.statement);
    const [acting] = ACTING.exec(question.statement) ?? [];
    if (acting !== undefined) throw new StoreError("refused", `${acting} is not taken.`);
    if (this.#running === AT_ONCE) throw new StoreError("busy", "other questions are being answered");
    this.#running += 1;
    try {
      return await this.#ask(question);
    } catch (error) {
      throw refusal(error);
    } finally {
      this.#running -= 1;
    }
  }

  async #ask(question: SqlQuestion): Promise<SqlAnswer> {
    const { url, names, connectionTimeoutMs } = this.options;
    const client = await new Dialer(url, connectionTimeoutMs).connected({ types });
    try {
      await withDeadline(client, connectionTimeoutMs, checkLogin(client, names));
      const prepared = client.query(`set statement_timeout = ${Math.trunc(question.timeoutMs)};
        set search_path = ${pg.escapeIdentifier(names.schema)};
        begin isolation level repeatable read read only`);
      await withDeadline(client, connectionTimeoutMs, prepared);
      return await answer(client, question);
    } finally {
      // No commit, because some functions write even in a read-only transaction.
      if (!client.connection.stream.destroyed) await withDeadline(client, connectionTimeoutMs, client.end());
    }
  }
}

/** Refuses a login that could see or do more than the views allow, also by taking another role. */
async function checkLogin(client: pg.Client, { group, schema }: ConsoleNames): Promise<void> {
  const { rows } = await client.query<{ fault: string }>(CHECK, [group, schema]);
  const faults = rows.map(({ fault }) => fault);
  if (faults.length > 0) throw new StoreError("schema", `the console's login is not fit for it: ${faults.join(", ")}`);
}

const CHECK = `with roles as (select * from pg_roles where pg_has_role(session_user, oid, 'member'))
select 'it is no member of ' || $1::text as fault where not exists (select from roles where rolname = $1::text)
union all select 'it may become ' || rolname from roles
  where rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication
    or rolname not in (session_user, $1::text)
union all select 'it may read or change ' || c.oid::regclass from pg_class c
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and c.relnamespace <> coalesce(to_regnamespace(quote_ident($2::text)), 'pg_catalog'::regnamespace)
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')
    and (has_any_column_privilege(c.oid, 'select, insert, update') or has_table_privilege(c.oid, 'delete, truncate'))
union all select 'it may call ' || p.oid::regprocedure from pg_proc p
  where p.proname in ('dblink', 'dblink_connect', 'dblink_connect_u', 'dblink_exec')
    and has_function_privilege(p.oid, 'execute') and has_schema_privilege(p.pronamespace, 'usage')`;

/** Runs the statement by the extended protocol, which accepts only one. Stops reading once the limits are reached. */
function answer(client: pg.Client, question: SqlQuestion): Promise<SqlAnswer> {
  const { statement, parameters, maxRows, maxBytes, timeoutMs } = question;
  const { stream } = client.connection;
  const begun = performance.now();
  const rows: SqlValue[][] = [];
  let columns: readonly string[] = [];
  let bytes = 0;
  let arrived = 0;
  return new Promise<SqlAnswer>((resolve, reject) => {
    const end = (truncated: boolean) => resolve({ columns, rows, truncated, durationMs: performance.now() - begun });
    const leave = () => {
      stream.destroy();
      end(true);
    };
    const late = setTimeout(() => {
      stream.destroy();
      reject(new StoreError("timeout", `not done within ${timeoutMs} ms`));
    }, timeoutMs + GRACE_MS);
    stream.once("close", () => clearTimeout(late));
    // Counts bytes as they arrive, because the driver buffers a whole row and one value can be a gigabyte.
    stream.on("data", (chunk: Uint8Array) => {
      arrived += chunk.length;
      if (arrived > maxBytes * 2) leave();
    });
    const query = new pg.Query<SqlValue[]>({
      text: statement,
      values: [...parameters],
      rowMode: "array",
      queryMode: "extended",
    } as pg.QueryConfig);
    query.on("row", (cells, result) => {
      columns = result?.fields.map((field) => field.name) ?? columns;
      bytes += Buffer.byteLength(JSON.stringify(cells)) + 1;
      if (rows.length < maxRows && bytes <= maxBytes) rows.push(cells);
      else leave();
    });
    query.on("end", (result) => {
      columns = result.fields.map((field) => field.name);
      end(false);
    });
    query.on("error", reject);
    client.query(query);
  });
}

function refusal(error: unknown): unknown {
  const state = stateOf(error);
  if (state === CANCELLED) return new StoreError("timeout", "the statement took too long", { cause: error });
  if (state === undefined || NOT_OF_THE_STATEMENT.test(state)) return storeError(error);
  return new StoreError("refused", (error as Error).message, { cause: error });
}
