import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type SqlAnswer, type SqlConsole, type SqlQuestion, StoreError } from "@reeve/core/store";
import { type ConsoleView, requireReading } from "@reeve/store-sql";
import type { DriverName } from "./driver/driver.js";
import { quotedName } from "./names.js";

/** Next to this file in the sources, and next to the bundle after a build. */
const SCRIPT = fileURLToPath(new URL("./console-process.mjs", import.meta.url));
/** The most questions at a time. Each is a process. */
const AT_ONCE = 2;
/** How long the process may take to start, in ms. */
const START_MS = 20_000;
/** Heap limit of the process, in MiB. */
const OLD_SPACE = 256;

/** The libraries that can answer. Bun takes an unknown name in double quotes for a text, and would show it as an answer. */
export type ConsoleDriver = Exclude<DriverName, "bun:sqlite">;

/** The messages of the process: `ready` at the start, and one of these at the end. */
type Outcome = { readonly answer: SqlAnswer } | { readonly refused: string };

/** The SQL console of a database file. Each question has a process, which is killed at its deadline. */
export class SqliteConsole implements SqlConsole {
  #running = 0;

  constructor(
    private readonly driver: ConsoleDriver,
    private readonly file: string,
    private readonly views: readonly ConsoleView[],
  ) {}

  async run(question: SqlQuestion): Promise<SqlAnswer> {
    requireReading(question.statement);
    if (this.#running === AT_ONCE) throw new StoreError("busy", "other questions are being answered");
    this.#running += 1;
    try {
      const views = this.views.map((view) => ({ ...view, table: quotedName(view.name) }));
      const outcome = await ask({ driver: this.driver, file: this.file, views, question });
      if ("refused" in outcome) throw new StoreError("refused", outcome.refused);
      return outcome.answer;
    } finally {
      this.#running -= 1;
    }
  }
}

function ask(task: { readonly question: SqlQuestion } & Readonly<Record<string, unknown>>): Promise<Outcome> {
  // Without the environment, which may hold secrets. Windows needs this one variable.
  const child = spawn(process.execPath, [`--max-old-space-size=${OLD_SPACE}`, SCRIPT], {
    env: { SystemRoot: process.env.SystemRoot },
    windowsHide: true,
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify(task));
  return new Promise((resolve, reject) => {
    let reported = "";
    let complaint = "";
    let late: StoreError | undefined;
    const end = (error: StoreError) => {
      late = error;
      child.kill("SIGKILL");
    };
    let timer = setTimeout(() => end(new StoreError("unavailable", "the console did not start in time")), START_MS);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (reported === "") {
        clearTimeout(timer);
        const { timeoutMs } = task.question;
        timer = setTimeout(() => end(new StoreError("timeout", `not done within ${timeoutMs} ms`)), timeoutMs);
      }
      reported += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-4_000);
    });
    child.once("error", (cause) => {
      clearTimeout(timer);
      reject(new StoreError("unavailable", "the console cannot be started", { cause }));
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (late) reject(late);
      else if (code === 0) resolve(JSON.parse(reported.slice(reported.indexOf("\n"))) as Outcome);
      else if (signal !== null) reject(new StoreError("refused", "The statement needs more memory than it may have."));
      else reject(new StoreError("unavailable", "the console failed", { cause: new Error(complaint) }));
    });
  });
}
