import { z } from "#schema/z.js";
import type { StoredRecord } from "#store/collection.js";
import type { Collection } from "./collection.js";

/** The properties that every governed record has. */
export interface Stamped extends StoredRecord {
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

type StampName = keyof Stamped;

/** A new record. Stamped properties are optional. */
export type Draft<R extends StoredRecord> =
  | R
  | (Omit<R, StampName> & { readonly [K in Extract<keyof R, StampName>]?: R[K] });

/** The changeable fields of a record. Id and version are the kernel's. */
export type Patch<R extends StoredRecord> = Partial<Omit<R, "id" | "version">>;

interface Marks {
  readonly now: string;
  readonly by: string;
}

/** The record of a draft. A complete record is stored as it is. */
export function created<R extends StoredRecord>(
  { name, schema }: Collection<R>,
  draft: Draft<R>,
  newId: () => string,
  { now, by }: Marks,
): R {
  if ("version" in draft && draft.version !== undefined) return draft as R;
  if (!(schema instanceof z.ZodObject)) throw new Error(`${name}: the schema does not say what a record carries`);
  const id = draft.id ?? newId();
  const record: Record<string, unknown> = { id, version: 1, createdAt: now };
  if ("createdBy" in schema.shape) record.createdBy = by;
  if ("updatedAt" in schema.shape) record.updatedAt = now;
  if ("updatedBy" in schema.shape) record.updatedBy = by;
  return Object.assign(record, draft) as unknown as R;
}

/**
 * The version that the last change made. Later versions only copy fields of other records. Defaults to the current one.
 */
export function editVersionOf(record: StoredRecord): number {
  return (record as { readonly editVersion?: number }).editVersion ?? record.version;
}

/** The next version of a record. Without `marks` it does not show who changed it. */
export function advanced<R extends StoredRecord>(
  previous: R,
  patch: Patch<R>,
  marks: Marks | undefined,
  isCopy = false,
): R {
  const next: Record<string, unknown> = { ...previous, ...patch, version: previous.version + 1 };
  if (marks && "updatedAt" in previous) next.updatedAt = marks.now;
  if (marks && "updatedBy" in previous) next.updatedBy = marks.by;
  if (!isCopy && "editVersion" in previous) next.editVersion = next.version;
  return next as unknown as R;
}
