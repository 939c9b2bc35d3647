import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { Failure } from "../failure.js";

/** The first line of standard input, without echo. */
export async function readSecret(what: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: process.stdin.isTTY });
  try {
    for await (const line of lines) return line;
    throw new Failure(`the ${what} is a line of standard input, and there is none`);
  } finally {
    lines.close();
  }
}
