import { createReadStream } from "node:fs";
import { Failure } from "../../../failure.js";
import { readFailure } from "../../lines.js";

const UTF16_MARK = [0xff, 0xfe];

/** The text of a file in pieces, without its byte order mark. It is UTF-8, or UTF-16 with a mark. */
export async function* textOf(file: string): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  try {
    for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
      const isUtf16 = UTF16_MARK.every((byte, at) => bytes[at] === byte);
      decoder ??= new TextDecoder(isUtf16 ? "utf-16le" : "utf-8", { fatal: true });
      yield decoder.decode(bytes, { stream: true });
    }
    if (decoder) yield decoder.decode();
  } catch (error) {
    if (Object(error).code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw readFailure(file, error);
    throw new Failure(`${file} is not UTF-8; save it as UTF-8 ("CSV UTF-8" in a spreadsheet)`);
  }
}

/** Text in the same pieces, of which the first is at least the first line, or `most` characters of it. */
export async function withFirstLine(
  pieces: AsyncIterable<string>,
  most: number,
): Promise<[string, AsyncIterable<string>]> {
  const iterator = pieces[Symbol.asyncIterator]();
  let first = "";
  while (first.length < most && !/[\r\n]/.test(first)) {
    const { done, value } = await iterator.next();
    if (done) break;
    first += value;
  }
  async function* all(): AsyncGenerator<string> {
    yield first;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return [first, all()];
}
