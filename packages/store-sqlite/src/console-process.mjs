// Answers one question in a process of its own, which can be killed at any time. Neither this build of SQLite nor a
// thread that runs it can be interrupted. Node runs this file unbuilt, so it is plain JavaScript.
//
// The statement runs on an empty database in memory. Its tables are functions that read the redacted rows through
// another connection, so the statement has no way to reach the file.
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";

/** How long after the deadline a process kills itself if its parent has not, in ms. */
const GRACE_MS = 1_000;
/** The memory limit of this process, in bytes. This build of SQLite does not limit its memory. */
const MEMORY = 384 * 1024 * 1024;
const LOOK_MS = 5;

/** @typedef {import("@reeve/core/store").SqlValue} SqlValue */
/** @typedef {import("@reeve/core/store").SqlQuestion} SqlQuestion */
/** @typedef {import("@reeve/store-sql").ConsoleView} ConsoleView */

/** @type {{ file: string, views: readonly (ConsoleView & { table: string })[], question: SqlQuestion }} */
const { file, views, question } = JSON.parse(await standardInput());
const watch = `const end = () => process.kill(process.pid, "SIGKILL");
setTimeout(end, ${question.timeoutMs + GRACE_MS});
setInterval(() => process.memoryUsage.rss() > ${MEMORY} && end(), ${LOOK_MS});`;
new Worker(watch, { eval: true }).unref();
const data = new Database(file, { readonly: true });
data.pragma("query_only = 1");
data.exec("begin");
const empty = new Database(":memory:");
empty.pragma("temp_store = MEMORY");
for (const view of views) open(view);
process.stdout.write("ready\n");
process.stdout.write(JSON.stringify(outcome()));

/** @returns {Promise<string>} */
async function standardInput() {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
  return text;
}

/**
 * Creates a view. Its limit keeps SQLite from flattening it, so that a join reads it once and indexes it.
 * @param {ConsoleView & { table: string }} view
 */
function open({ name, table, columns, removes, without }) {
  const paths = without?.map((property) => `, '$."${property}"'`).join("") ?? "";
  const body = without ? [paths === "" ? "body" : `json_remove(body${paths})`] : [];
  const where = removes ? " where removed_at is null" : "";
  const rows = `select ${[...columns.map((column) => `"${column}"`), ...body].join(", ")} from ${table}${where}`;
  empty.table(`rows of ${name}`, {
    columns: [...columns, ...(without ? ["body"] : [])],
    *rows() {
      yield* data.prepare(rows).raw(true).iterate();
    },
  });
  empty.exec(`create view "${name}" as select * from "rows of ${name}" limit -1`);
}

function outcome() {
  const begun = performance.now();
  try {
    const answer = answerOf(question);
    return { answer: { ...answer, durationMs: performance.now() - begun } };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { refused: error.message };
  }
}

/** @param {SqlQuestion} question */
function answerOf({ statement, parameters, maxRows, maxBytes }) {
  const prepared = empty.prepare(statement);
  if (!prepared.reader || !prepared.readonly) throw new TypeError("The statement is not one that only reads.");
  const columns = prepared.columns().map((column) => column.name);
  const values = parameters.map((value) => (typeof value === "boolean" ? Number(value) : value));
  const rows = [];
  let bytes = 0;
  for (const cells of prepared.raw(true).safeIntegers(true).iterate(values)) {
    const row = /** @type {unknown[]} */ (cells).map(plain);
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
    if (rows.length === maxRows || bytes > maxBytes) return { columns, rows, truncated: true };
    rows.push(row);
  }
  return { columns, rows, truncated: false };
}

/**
 * @param {unknown} value
 * @returns {SqlValue}
 */
function plain(value) {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : /** @type {SqlValue} */ (value);
}
