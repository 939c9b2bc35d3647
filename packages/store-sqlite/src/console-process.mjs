// Answers one question in a process of its own, which can be killed at any time. Neither these builds of SQLite nor a
// thread that runs them can be interrupted. Node runs this file unbuilt, so it is plain JavaScript.
//
// The statement runs on an empty database in memory, so it has no way to reach the file. Its tables hold the redacted rows,
// which are read through another connection.
import { Worker } from "node:worker_threads";
import { consoleDatabase } from "./console-database.mjs";

/** How long after the deadline a process kills itself if its parent has not, in ms. */
const GRACE_MS = 1_000;
/** The memory limit of this process, in bytes. These builds of SQLite do not limit their memory. */
const MEMORY = 384 * 1024 * 1024;
const LOOK_MS = 5;

/** @typedef {import("@reeve/core/store").SqlValue} SqlValue */
/** @typedef {import("@reeve/core/store").SqlQuestion} SqlQuestion */
/** @typedef {import("@reeve/store-sql").ConsoleView & { table: string }} View */

/** @type {{ driver: string, file: string, views: readonly View[], question: SqlQuestion }} */
const { driver, file, views, question } = JSON.parse(await standardInput());
const watch = `const end = () => process.kill(process.pid, "SIGKILL");
setTimeout(end, ${question.timeoutMs + GRACE_MS});
setInterval(() => process.memoryUsage.rss() > ${MEMORY} && end(), ${LOOK_MS});`;
new Worker(watch, { eval: true }).unref();
const database = await consoleDatabase(driver, file, question.statement);
process.stdout.write("ready\n");
for (const view of views) open(view);
process.stdout.write(JSON.stringify(outcome()));

/** @returns {Promise<string>} */
async function standardInput() {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
  return text;
}

/**
 * Creates a view. Its limit keeps SQLite from flattening it, so that a join reads it once and indexes it.
 * @param {View} view
 */
function open({ name, table, columns, removes, without }) {
  const paths = without?.map((property) => `, '$."${property}"'`).join("") ?? "";
  const body = without ? [paths === "" ? "body" : `json_remove(body${paths})`] : [];
  const where = removes ? " where removed_at is null" : "";
  const rows = `select ${[...columns.map((column) => `"${column}"`), ...body].join(", ")} from ${table}${where}`;
  database.define(name, `rows of ${name}`, [...columns, ...(without ? ["body"] : [])], rows);
  database.exec(`create view "${name}" as select * from "rows of ${name}" limit -1`);
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
  const values = parameters.map((value) => (typeof value === "boolean" ? Number(value) : value));
  const answer = database.ask(statement, values);
  if (!answer) throw new TypeError("The statement is not one that only reads.");
  const { columns } = answer;
  const rows = [];
  let bytes = 0;
  for (const cells of answer.rows) {
    const row = cells.map(plain);
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
