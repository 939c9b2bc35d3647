import type { Collection, StoredRecord } from "./collection.js";
import type { Environment } from "./environment.js";
import type { Machine } from "./machine.js";
import type { Operation } from "./operation.js";

/** One folder under families/: its records, machines, operations, and what it does as time passes. */
export interface Family<Operations extends readonly Operation[] = readonly Operation[]> {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: collections of different records stand in one list
  readonly collections: readonly Collection<any>[];
  readonly machines: readonly Machine[];
  readonly operations: Operations;
  /** Makes true in the store what the clock has already made true for readers. Safe to repeat; returns what it did. */
  readonly tick?: (env: Environment, tenantId: string, now: string) => Promise<number>;
}

export type AnyCollection = Collection<StoredRecord>;

export function defineFamily<const Operations extends readonly unknown[]>(
  family: Omit<Family, "operations"> & { readonly operations: Operations },
): Omit<Family, "operations"> & { readonly operations: Operations } {
  return Object.freeze(family);
}
