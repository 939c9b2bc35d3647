import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type SqlAnswer, type SqlConsole, type SqlQuestion, StoreError } from "@reeve/core/store";
import { type ConsoleView, requireReading } from "@reeve/store-sql";
import { quotedName } from "./names.js";

/** Lies beside this file in the sources and beside the bundle once built. */
const SCRIPT = fileURLToPath(new URL("./console-process.mjs", import.meta.url));
/** Questions answered at a time: each is a process. */
const AT_ONCE = 2;
/** How long the process may take before it begins with the statement, in ms. */
const START_MS = 20_000;
/** What the process may take for JavaScript values, in MiB. */
const OLD_SPACE = 256;

/** What the process tells: `ready` when it begins, and in the end one of these. */
type Outcome = { readonly answer: SqlAnswer } | { readonly refused: string };

/** The console of a database file. Each question is answered by a process of its own that is killed when its time is up. */
export class SqliteConsole implements SqlConsole {
  #running = 0;

  constructor(
    private readonly file: string,
    private readonly views: readonly ConsoleView[],
  ) {}

  async run(question: SqlQuestion): Promise<SqlAnswer> {
    requireReading(question.statement);
    if (this.#running === AT_ONCE) throw new StoreError("busy", "other questions are being answered");
    this.#running += 1;
    try {
      const views = this.views.map((view) => ({ ...view, table: quotedName(view.name) }));
      const outcome = await ask({ file: this.file, views, question });
      if ("refused" in outcome) throw new StoreError("refused", outcome.refused);
      return outcome.answer;
    } finally {
      this.#running -= 1;
    }
  }
}

function ask(task: { readonly question: SqlQuestion } & Readonly<Record<string, unknown>>): Promise<Outcome> {
  // The process gets no environment, because that may hold secrets. Windows needs the one variable.
  const child = spawn(process.execPath, [`--max-old-space-size=${OLD_SPACE}`, SCRIPT], {
    env: { SystemRoot: process.env.SystemRoot },
    windowsHide: true,
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify(task));
  return new Promise((resolve, reject) => {
    let told = "";
    let complaint = "";
    let late: StoreError | undefined;
    const end = (error: StoreError) => {
      late = error;
      child.kill("SIGKILL");
    };
    let timer = setTimeout(() => end(new StoreError("unavailable", "the console did not start in time")), START_MS);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (told === "") {
        clearTimeout(timer);
        const { timeoutMs } = task.question;
        timer = setTimeout(() => end(new StoreError("timeout", `not done within ${timeoutMs} ms`)), timeoutMs);
      }
      told += text;
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
      else if (code === 0) resolve(JSON.parse(told.slice(told.indexOf("\n"))) as Outcome);
      else if (signal !== null) reject(new StoreError("refused", "The statement needs more memory than it may have."));
      else reject(new StoreError("unavailable", "the console failed", { cause: new Error(complaint) }));
    });
  });
}
