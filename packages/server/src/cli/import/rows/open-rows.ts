import { type FileHandle, open } from "node:fs/promises";
import { extname } from "node:path";
import { Failure } from "../../../failure.js";
import { readFailure } from "../../lines.js";
import { csvRows } from "./csv-rows.js";
import { jsonRows } from "./json-rows.js";
import { lineRows } from "./line-rows.js";
import type { Rows } from "./row.js";

export const FORMATS = ["csv", "json", "jsonl"] as const;
export type Format = (typeof FORMATS)[number];

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  ".csv": "csv",
  ".tsv": "csv",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
};
const HEAD_BYTES = 65_536;

/** The rows of a file. Its format is the given one, or follows from the extension, or else from how it begins. */
export async function openRows(
  file: string,
  { format, items }: { readonly format?: Format; readonly items?: string | undefined },
): Promise<Rows & { readonly format: Format }> {
  const known = format ?? BY_EXTENSION[extname(file).toLowerCase()] ?? (items === undefined ? undefined : "json");
  const chosen = known ?? formatOf(await headOf(file), extname(file).toLowerCase() === ".json");
  const rows = chosen === "csv" ? await csvRows(file) : chosen === "json" ? jsonRows(file, items) : lineRows(file);
  return { ...rows, format: chosen };
}

/**
 * The format of a file that begins like this. A document that begins with an object is JSON lines when the first line
 * holds all of it and another follows, or when it is alone in a file that is not named `.json`.
 */
function formatOf(head: string, isNamedJson: boolean): Format {
  const text = head.trimStart();
  if (text.startsWith("[")) return "json";
  if (!text.startsWith("{")) return "csv";
  const [first = "", ...others] = text.split("\n");
  const isAlone = others.every((line) => line.trim() === "");
  return isWhole(first) && !(isAlone && isNamedJson) ? "jsonl" : "json";
}

function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** How a file begins. What is no file, such as a pipe, could not be read a second time. */
async function headOf(file: string): Promise<string> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const kind = await handle.stat();
    if (!kind.isFile() && !kind.isDirectory()) throw new Failure(`say by --format which format ${file} has`);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } catch (error) {
    throw readFailure(file, error);
  } finally {
    await handle?.close();
  }
}
