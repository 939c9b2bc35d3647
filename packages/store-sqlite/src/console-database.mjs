// The databases of one question to the SQL console, by the library that the store uses. Bun has none: its SQLite takes an
// unknown name in double quotes for a text, which would be shown as an answer.

/**
 * @typedef {object} ConsoleDatabase
 * @property {(view: string, name: string, columns: readonly string[], rows: string) => void} define Makes the table of a
 *   view, with the rows that a statement on the file gives.
 * @property {(sql: string) => void} exec
 * @property {(statement: string, values: readonly unknown[]) => Answer | undefined} ask `undefined` where the
 *   statement does not only read.
 * @typedef {{ columns: readonly string[], rows: Iterable<readonly unknown[]> }} Answer
 */

/**
 * @param {string} driver
 * @param {string} file
 * @param {string} statement
 * @returns {Promise<ConsoleDatabase>}
 */
export async function consoleDatabase(driver, file, statement) {
  if (driver === "better-sqlite3") return withFunctions((await import("better-sqlite3")).default, file);
  return withCopies(await ofNode(), file, statement);
}

/**
 * Tables are functions, which read the file as far as the statement asks.
 * @param {typeof import("better-sqlite3")} Database
 * @param {string} file
 * @returns {ConsoleDatabase}
 */
function withFunctions(Database, file) {
  const data = new Database(file, { readonly: true });
  data.pragma("query_only = 1");
  data.exec("begin");
  const empty = new Database(":memory:");
  empty.pragma("temp_store = MEMORY");
  return {
    define(_view, name, columns, rows) {
      empty.table(name, {
        columns: [...columns],
        *rows() {
          yield* /** @type {Iterable<unknown[]>} */ (data.prepare(rows).raw(true).iterate());
        },
      });
    },
    exec: (sql) => void empty.exec(sql),
    ask(statement, values) {
      const prepared = empty.prepare(statement);
      if (!prepared.reader || !prepared.readonly) return undefined;
      const columns = prepared.columns().map((column) => column.name);
      const rows = prepared.raw(true).safeIntegers(true).iterate(values);
      return { columns, rows: /** @type {Iterable<unknown[]>} */ (rows) };
    },
  };
}

/**
 * @typedef {object} Handle
 * @property {(sql: string) => void} exec
 * @property {(sql: string) => Prepared} prepare
 * @typedef {object} Prepared
 * @property {readonly string[]} columns
 * @property {(values: readonly unknown[]) => Iterable<unknown[]>} rows
 * @property {(values: readonly unknown[]) => void} run
 */

/**
 * `node:sqlite` has no functions as tables. The redacted rows of the tables that the statement names are copied into
 * memory: a name that stands in it anywhere, since a name can be quoted and cannot be spelt otherwise.
 * @param {(file: string, readOnly: boolean) => Handle} openHandle
 * @param {string} file
 * @param {string} asked
 * @returns {ConsoleDatabase}
 */
function withCopies(openHandle, file, asked) {
  const data = openHandle(file, true);
  data.exec("pragma query_only = 1");
  data.exec("begin");
  const empty = openHandle(":memory:", false);
  empty.exec("pragma temp_store = MEMORY");
  const named = asked.toLowerCase();
  return {
    define(view, name, columns, rows) {
      const quoted = columns.map((column) => `"${column}"`).join(", ");
      empty.exec(`create table "${name}" (${quoted})`);
      if (!named.includes(view.toLowerCase())) return;
      const insert = empty.prepare(`insert into "${name}" values (${columns.map(() => "?").join(", ")})`);
      empty.exec("begin");
      for (const row of data.prepare(rows).rows([])) insert.run(row);
      empty.exec("commit");
    },
    exec: empty.exec,
    ask(statement, values) {
      empty.exec("pragma query_only = 1");
      const { columns, rows } = empty.prepare(statement);
      // A second statement, or one that writes, cannot be a part of another one.
      const isRead = canPrepare(empty, `select * from (${statement.replace(/[;\s]+$/, "")}\n)`);
      if (!isRead) return undefined;
      // Node binds null where a value is missing.
      if (parametersOf(empty, statement) > values.length)
        throw new RangeError("Too few parameter values were provided");
      return { columns, rows: rows(values) };
    },
  };
}

/**
 * @param {Handle} database
 * @param {string} sql
 */
function canPrepare(database, sql) {
  try {
    database.prepare(sql);
    return true;
  } catch {
    return false;
  }
}

/**
 * How many values a statement needs.
 * @param {Handle} database
 * @param {string} statement
 */
function parametersOf(database, statement) {
  let most = 0n;
  for (const [, opcode, place] of database.prepare(`explain ${statement}`).rows([]))
    if (opcode === "Variable" && typeof place === "bigint" && place > most) most = place;
  return Number(most);
}

async function ofNode() {
  // The types of the oldest Node do not have it.
  const module = "node:sqlite";
  const { DatabaseSync } = await import(module);
  /**
   * @param {string} file
   * @param {boolean} readOnly
   * @returns {Handle}
   */
  return (file, readOnly) => {
    const database = new DatabaseSync(file, { readOnly });
    return {
      exec: (sql) => void database.exec(sql),
      prepare(sql) {
        const statement = database.prepare(sql);
        statement.setReadBigInts(true);
        const columns = statement.columns().map((/** @type {{ name: string }} */ { name }) => name);
        if (columns.length > 0) statement.setReturnArrays(true);
        return {
          columns,
          rows: (values) => statement.iterate(...values),
          run: (values) => void statement.run(...values),
        };
      },
    };
  };
}
