import { type SqlAnswer, type SqlConsole, type SqlQuestion, type SqlValue, StoreError } from "@reeve/core/store";
import { requireReading } from "@reeve/store-sql";
import pg from "pg";
import type { ConsoleNames } from "./console-views.js";
import { stateOf, storeError } from "./errors.js";

/** How long the server may be late with ending a statement before the connection is dropped, in ms. */
const GRACE_MS = 2_000;
/** Questions answered at a time. */
const AT_ONCE = 2;

/** States that tell of the database and not of the statement. 08P01 is a wrong number of parameters. */
const NOT_OF_THE_STATEMENT = /^(08(?!P01)|28|53300|57P|58|XX00[12])/;
/**
 * Functions that act or run a text as SQL. They can do no harm here either, as all goes with the connection, but who names
 * one is told so. Escaped names are not taken, so that every name can be seen.
 */
const ACTING =
  /\b(?:set_config|setval|nextval|pg_notify|pg_(?:try_)?advisory\w*|pg_(?:terminate|cancel)_backend|pg_logical_emit_message|lo_\w+|lo(?:read|write)|dblink\w*|\w+_to_xml\w*|ts_stat|ts_rewrite)\b|\bu&"/i;
const CANCELLED = "57014";
const [BOOL, INT8, INT2, INT4, OID, FLOAT4, FLOAT8] = [16, 20, 21, 23, 26, 700, 701];

/** What JSON can hold exactly becomes that; all else stays the text that the database sends. */
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
 * The console of a database. Each question has a connection of its own, logged in as a role that may look at the views and
 * nothing else: what a statement makes of roles and settings can give it no more, and goes with the connection.
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
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectionTimeoutMs, types });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await checkLogin(client, names);
      await client.query(`set statement_timeout = ${Math.trunc(question.timeoutMs)};
        set search_path = ${pg.escapeIdentifier(names.schema)};
        begin isolation level repeatable read read only`);
      return await answer(client, question);
    } finally {
      // Never a commit: some functions write in spite of a transaction that only reads.
      if (!client.connection.stream.destroyed) await client.end();
    }
  }
}

/** Refuses a login that could see or do more than the views allow, now or after taking another role. */
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

/** Runs the statement by the extended protocol, which takes no second one, and leaves when it has seen enough. */
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
    // A single value can be a gigabyte, and the driver collects a row before it tells of it: so what arrives is counted.
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
