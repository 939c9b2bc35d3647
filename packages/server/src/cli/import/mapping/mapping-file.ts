import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import { Failure } from "../../../failure.js";
import { readFailure } from "../../lines.js";
import mlflow from "../mappings/mlflow.json" with { type: "json" };
import servicenow from "../mappings/servicenow.json" with { type: "json" };
import spreadsheet from "../mappings/spreadsheet.json" with { type: "json" };

const MOST_BYTES = 1_048_576;

/** Mappings that come with the command, by name. */
const SHIPPED: Readonly<Record<string, unknown>> = { mlflow, servicenow, spreadsheet };

const Words = z.record(z.string(), z.unknown());
const Rule = z.strictObject({
  property: z.string(),
  values: Words.optional(),
  otherwise: z.unknown().optional(),
  separator: z.string().min(1).optional(),
});
const Target = z.union([z.string(), Rule]);

/** How the columns of a file become properties of assets. */
export const MappingFile = z.strictObject({
  /** The member of a JSON document that holds the list. */
  items: z.string().min(1).optional(),
  /** The property of each column; `null` for one that is left out. */
  columns: z.record(z.string(), z.union([z.null(), Target, z.array(Target).min(1)])).default({}),
  /** Words of the file and what they stand for, by property. */
  values: z.record(z.string(), Words).default({}),
  /** Values that every item has. */
  constants: z.record(z.string(), z.unknown()).default({}),
  /** Values of items that have none. */
  defaults: z.record(z.string(), z.unknown()).default({}),
});
export type MappingFile = z.output<typeof MappingFile>;
export type ColumnRule = z.output<typeof Rule>;

/** A mapping that comes with the command, or is read from a file. Throws a `Failure` that names what it does not know. */
export async function readMapping(nameOrFile: string): Promise<MappingFile> {
  const isShipped = Object.hasOwn(SHIPPED, nameOrFile);
  const parsed = MappingFile.safeParse(isShipped ? SHIPPED[nameOrFile] : await jsonOf(nameOrFile));
  if (parsed.success) return parsed.data;
  throw new Failure(
    ...parsed.error.issues.map(({ path, message }) => `${nameOrFile}: ${path.join(".") || "mapping"}: ${message}`),
  );
}

async function jsonOf(file: string): Promise<unknown> {
  const text = await textOf(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure(`${file} is no JSON: ${(error as Error).message}`);
  }
}

async function textOf(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > MOST_BYTES) throw new Failure(`${file} is larger than a mapping may be, 1 MiB`);
    return (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  } catch (error) {
    throw readFailure(file, error);
  }
}
