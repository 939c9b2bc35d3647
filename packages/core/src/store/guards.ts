import type { StoredRecord } from "./collection.js";
import type { QuotaClaim } from "./quota.js";

/** Throws unless the record is new (version 1). */
export function checkNew(record: StoredRecord): void {
  checkId(record);
  if (record.version !== 1) throw new TypeError(`a new record has version 1, not ${record.version}`);
}

/** Throws unless `next` can follow `previous`: same id, version one higher. */
export function checkSuccessor(next: StoredRecord, previous: StoredRecord): void {
  checkId(next);
  if (next.id !== previous.id) throw new TypeError("a record keeps its id");
  if (next.version !== previous.version + 1) {
    throw new TypeError(`version ${previous.version} is followed by ${previous.version + 1}, not ${next.version}`);
  }
}

function checkId(record: StoredRecord): void {
  if (typeof record.id !== "string" || record.id === "") throw new TypeError("a record has an id");
}

/** Throws unless every claim is valid and for a different quota. */
export function checkClaims(claims: readonly QuotaClaim[]): void {
  const keys = new Set(claims.map(({ key }) => key));
  if (keys.size < claims.length) throw new TypeError("a quota is claimed once in a call");
  for (const { limit, until, spent, wanted } of claims) {
    const sound = [limit, until, spent, wanted].every((number) => Number.isSafeInteger(number) && number >= 0);
    if (!sound) throw new TypeError("a claim is made of whole numbers from 0");
  }
}
