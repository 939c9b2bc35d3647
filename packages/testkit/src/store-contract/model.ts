import { type FieldValue, type FindQuery, fieldValue } from "@reeve/core/store";
import { type Thing, things } from "./collections.js";

/** What a find over these things must show, worked out the slow and plain way: a filter and a sort over UTF-8 bytes. */
export function expectedThings(
  all: readonly Thing[],
  query: Pick<FindQuery, "where" | "order" | "range"> = {},
): Thing[] {
  const by = query.order?.by ?? "createdAt";
  const sign = query.order?.direction === "asc" ? 1 : -1;
  const { from, before, through } = query.range ?? {};
  return all
    .filter((thing) =>
      Object.entries(query.where ?? {}).every(([field, value]) => fieldValue(things, thing, field) === value),
    )
    .filter((thing) => from === undefined || compareNotNull(fieldValue(things, thing, by), from, (order) => order >= 0))
    .filter(
      (thing) => before === undefined || compareNotNull(fieldValue(things, thing, by), before, (order) => order < 0),
    )
    .filter(
      (thing) => through === undefined || compareNotNull(fieldValue(things, thing, by), through, (order) => order <= 0),
    )
    .sort((a, b) => sign * (compare(fieldValue(things, a, by), fieldValue(things, b, by)) || compare(a.id, b.id)));
}

function compareNotNull(value: FieldValue, bound: string | number, holds: (order: number) => boolean): boolean {
  return value !== null && holds(compare(value, bound));
}

function compare(a: FieldValue, b: FieldValue): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}
