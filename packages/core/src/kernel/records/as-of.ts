import type { StoredRecord } from "#store/collection.js";
import type { Row } from "#store/row.js";
import type { Collection } from "./collection.js";
import { markChangedByTime } from "./outcome.js";

/** The record of a row as time has made it at a moment. */
export function asOf<R extends StoredRecord>(
  { derive }: Collection<R>,
  { value, staleAt }: Pick<Row<R>, "value" | "staleAt">,
  now: string,
): R {
  return derive && staleAt !== null && staleAt <= now ? markChangedByTime(derive(value, now)) : value;
}
