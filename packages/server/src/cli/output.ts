import spinner, { type Spinner } from "yocto-spinner";
import type { Failure } from "../failure.js";

const BETWEEN_LINES_MS = 500;

/** Where a command says what it does: results on standard output, everything else on standard error. */
export interface Output {
  /** What a person reads once. */
  tell(...lines: string[]): void;
  /** How far long work is. On a terminal one line that changes, elsewhere at most two lines a second. */
  progress(text: string): void;
  /** One finding of many, while the work goes on: a JSON line in every form. */
  item(value: object): void;
  /** The outcome: `text` for a person, or with `--json` the value as one JSON line. */
  result(value: object, text: string): void;
  /** Results that other programs take line by line: on standard output in both forms. */
  lines(value: object, lines: readonly string[]): void;
  /** Why the command ends with exit code 1. */
  fail(failure: Failure): void;
}

/** Output on the streams of this process. */
export function processOutput(json: boolean): Output {
  const terminal = process.stderr.isTTY && !json;
  let spinning: Spinner | undefined;
  let last = Number.NEGATIVE_INFINITY;
  const still = () => {
    spinning?.stop();
    spinning = undefined;
  };
  const write = (stream: NodeJS.WriteStream, text: string) => {
    still();
    stream.write(`${text}\n`);
  };
  const tell = (text: string) => write(process.stderr, text);
  return {
    tell: (...lines) => (json ? undefined : tell(lines.join("\n"))),
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
      tell(text);
    },
    item: (value) => write(process.stdout, JSON.stringify(value)),
    result: (value, text) => (json ? write(process.stdout, JSON.stringify(value)) : tell(text)),
    lines: (value, lines) => write(process.stdout, json ? JSON.stringify(value) : lines.join("\n")),
    fail({ reasons }) {
      if (json) write(process.stdout, JSON.stringify({ error: { reasons } }));
      tell(reasons.map((reason) => `reeve: ${reason}`).join("\n"));
    },
  };
}
