import spinner, { type Spinner } from "yocto-spinner";
import type { Failure } from "../failure.js";

const BETWEEN_LINES_MS = 500;

/** The output of a command: results on standard output, all else on standard error. */
export interface Output {
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
  /** Prints why the command ends with exit code 1. */
  fail(failure: Failure): void;
}

/** Output to the streams of this process. */
export function processOutput(json: boolean): Output {
  const terminal = process.stderr.isTTY && !json;
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
  const print = (text: string) => write(process.stderr, text);
  return {
    print: (...lines) => (json ? undefined : print(lines.join("\n"))),
    progress(text) {
      if (json) return;
      if (terminal) {
        spinning ??= spinner({ stream: process.stderr }).start();
        spinning.text = text;
        return;
      }
      const now = performance.now();
      if (now - last < BETWEEN_LINES_MS) return;
      last = now;
      print(text);
    },
    item: (value) => write(process.stdout, JSON.stringify(value)),
    result: (value, text) => (json ? write(process.stdout, JSON.stringify(value)) : print(text)),
    lines: (value, lines) => write(process.stdout, json ? JSON.stringify(value) : lines.join("\n")),
    fail({ reasons }) {
      if (json) write(process.stdout, JSON.stringify({ error: { reasons } }));
      print(reasons.map((reason) => `reeve: ${reason}`).join("\n"));
    },
  };
}

/** Work goes on when the program that reads its output has ended, as `head` does. Its exit code still tells of it. */
function goOnWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
