import { createReadStream } from "node:fs";
import { Failure } from "../failure.js";

const LINE_FEED = 0x0a;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The lines of a file, one at a time, as text; `undefined` for one that is no UTF-8. Throws a `Failure` when the file
 * cannot be read. Only a line feed ends a line, since JSON may hold what other readers take for an end. A carriage
 * return before it and a byte order mark do not belong to the line.
 */
export async function* linesOf(file: string): AsyncGenerator<string | undefined> {
  let parts: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
        yield textOf([...parts, chunk.subarray(from, end)]);
        [parts, from] = [[], end + 1];
      }
      if (from < chunk.length) parts.push(chunk.subarray(from));
    }
  } catch (error) {
    throw readFailure(file, error);
  }
  if (parts.length > 0) yield textOf(parts);
}

function textOf(parts: readonly Buffer[]): string | undefined {
  try {
    return UTF8.decode(Buffer.concat(parts)).replace(/\r$/, "");
  } catch {
    return undefined;
  }
}

/** The failure of reading a file, by the name of its cause; any other error as it is. */
export function readFailure(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof Failure) return error;
  return new Failure(code === "ENOENT" ? `there is no file ${file}` : `${file} cannot be read: ${code}`);
}
