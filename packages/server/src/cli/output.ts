import spinner, { type Spinner } from "yocto-spinner";
import type { Failure } from "../failure.js";
import { jsonLine, shownLines } from "./view/shown-text.js";

const BETWEEN_LINES_MS = 500;

/** The output of a command: results on standard output, all else on standard error. */
export interface Output {
  /** Whether results go to another program as JSON lines. */
  readonly isJson: boolean;
  /** The columns of the terminal that results go to; `undefined` elsewhere. */
  readonly width: number | undefined;
  /** Prints lines for people. */
  print(...lines: string[]): void;
  /** Progress of long work: one changing line on a terminal, elsewhere at most two lines a second. */
  progress(text: string): void;
  /** One of many results during the work: always a JSON line. */
  item(value: object): void;
  /** The result: `text` for people, or with `--json` the value as a JSON line. */
  result(value: object, text: string): void;
  /** Results for other programs, line by line on standard output in both forms. */
  lines(value: object, lines: readonly string[]): void;
  /** What a list holds: `lines` for people, or with `--json` each value as a JSON line. */
  list(values: readonly object[], lines: readonly string[]): void;
  /** A text for another program as it is. On a terminal what cannot be seen is escaped. */
  text(text: string): void;
  /** Prints why the command ends with exit code 1. */
  fail(failure: Failure): void;
}

/** Output to the streams of this process. No character of somebody else's text reaches a terminal that acts on it. */
export function processOutput(isJson: boolean, env: NodeJS.ProcessEnv): Output {
  const terminal = process.stderr.isTTY && !isJson;
  let spinning: Spinner | undefined;
  let last = Number.NEGATIVE_INFINITY;
  const still = () => {
    spinning?.stop();
    spinning = undefined;
  };
  for (const stream of [process.stdout, process.stderr]) stream.on("error", goOnWithoutReader);
  const write = (stream: NodeJS.WriteStream, text: string) => {
    still();
    stream.write(`${text}\n`);
  };
  const print = (text: string) => write(process.stderr, shownLines(text));
  const put = (lines: readonly string[]) => lines.length > 0 && write(process.stdout, shownLines(lines.join("\n")));
  const json = (value: object) => write(process.stdout, jsonLine(value));
  return {
    isJson,
    width: process.stdout.columns ?? (Number(env.COLUMNS) || undefined),
    print: (...lines) => (isJson ? undefined : print(lines.join("\n"))),
    progress(text) {
      if (isJson) return;
      if (terminal) {
        spinning ??= spinner({ stream: process.stderr }).start();
        spinning.text = shownLines(text);
        return;
      }
      const now = performance.now();
      if (now - last < BETWEEN_LINES_MS) return;
      last = now;
      print(text);
    },
    item: json,
    result: (value, text) => (isJson ? json(value) : print(text)),
    lines: (value, lines) => (isJson ? json(value) : put(lines)),
    list: (values, lines) => (isJson ? values.forEach(json) : put(lines)),
    text: (text) => write(process.stdout, process.stdout.isTTY ? shownLines(text) : text.replace(/\n$/, "")),
    fail({ reasons, code }) {
      if (isJson) json({ error: { reasons, ...(code === undefined ? {} : { code }) } });
      print(reasons.map((reason) => `reeve: ${reason}`).join("\n"));
    },
  };
}

/** Work goes on when the program that reads its output has ended, as `head` does. Its exit code still tells of it. */
function goOnWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
