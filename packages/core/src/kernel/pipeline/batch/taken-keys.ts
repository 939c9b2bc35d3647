import { StoreError } from "#store/store-error.js";
import type { AnyCollection } from "./held-writes.js";

/** Some parts used unique keys that other records hold. */
export class TakenKeys extends Error {
  constructor(readonly errors: ReadonlyMap<number, StoreError>) {
    super("unique keys are taken");
  }
}

/** The error of a unique key that another record holds. */
export function taken({ name }: AnyCollection, key: string): StoreError {
  return new StoreError("duplicate", `${name}: ${key} is taken`, { key });
}
