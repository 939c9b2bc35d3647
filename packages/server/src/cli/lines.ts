import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { Failure } from "../failure.js";

/** The lines of a file, one at a time. Throws a `Failure` when it cannot be read. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Failure(code === "ENOENT" ? `there is no file ${file}` : `${file} cannot be read: ${code}`);
  }
}
