import {
  type FieldValue,
  type FindQuery,
  fieldValue,
  foldText,
  type StoredCollection,
  type StoredRecord,
} from "@reeve/core/store";
import { type Thing, things } from "./collections.js";

type Asked = Pick<FindQuery, "where" | "order" | "range" | "search">;

/** The expected result of a find over these things. */
export function expectedThings(all: readonly Thing[], query: Asked = {}): Thing[] {
  return expected(things, all, query);
}

/** The expected result of a find, computed by a plain filter and a sort over UTF-8 bytes. */
export function expected<R extends StoredRecord>(
  collection: StoredCollection<R>,
  all: readonly R[],
  query: Asked,
): R[] {
  const read = (record: R, field: string) => fieldValue(collection, record, field);
  const orders = [query.order ?? {}].flat().map(({ by = "createdAt", direction = "desc" }) => ({ by, direction }));
  const first = orders[0]?.by ?? "createdAt";
  const { from, before, through } = query.range ?? {};
  const isInside = (record: R, bound: string | number | undefined, holds: (order: number) => boolean) =>
    bound === undefined || compareNotNull(read(record, first), bound, holds);
  const words = foldText(query.search ?? "").split(/\s+/u);
  return all
    .filter((record) =>
      Object.entries(query.where ?? {}).every(([field, asked]) => {
        const held = collection.fields[field]?.type === "texts" ? listOf(record, field) : [read(record, field)];
        return [asked].flat().some((value) => (held.length === 0 ? value === null : held.includes(value)));
      }),
    )
    .filter((record) => words.every((word) => foldText(collection.search?.(record) ?? "").includes(word)))
    .filter((record) => isInside(record, from, (order) => order >= 0))
    .filter((record) => isInside(record, before, (order) => order < 0))
    .filter((record) => isInside(record, through, (order) => order <= 0))
    .sort((a, b) => {
      for (const { by, direction } of orders) {
        const order = compare(read(a, by), read(b, by));
        if (order !== 0) return direction === "asc" ? order : -order;
      }
      return orders[0]?.direction === "asc" ? compare(a.id, b.id) : compare(b.id, a.id);
    });
}

function listOf<R extends StoredRecord>(record: R, field: string): readonly FieldValue[] {
  return (record as unknown as Record<string, readonly string[]>)[field] ?? [];
}

function compareNotNull(value: FieldValue, bound: string | number, holds: (order: number) => boolean): boolean {
  return value !== null && holds(compare(value, bound));
}

/** `null` counts as largest. */
function compare(a: FieldValue, b: FieldValue): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}
