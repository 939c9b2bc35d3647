import type { StoredCollection } from "./collection.js";
import { fail } from "./declared.js";
import type { CountQuery, FindQuery } from "./find-query.js";

type Counting = Pick<StoredCollection<never>, "counted" | "addedFields">;
/** What is checked of a collection with added fields. */
export type WithAddedFields = Counting &
  Pick<StoredCollection<never>, "name" | "fields" | "unique" | "scope" | "indexes" | "filters" | "orders">;

/** Whether the answer depends on columns that older code does not fill. */
export function usesAddedFields(
  { addedFields = [] }: Pick<StoredCollection<never>, "addedFields">,
  { where = {}, search, order = [] }: CountQuery & Pick<FindQuery, "order">,
): boolean {
  if (addedFields.length === 0) return false;
  const orders = "length" in order ? order : [order];
  const used = [...Object.keys(where), ...orders.map(({ by }) => by)];
  return search !== undefined || used.some((field) => field !== undefined && addedFields.includes(field));
}

/** The counted fields whose counters are right. Code that does not know a field writes without counting it. */
export function keptCounters({ counted, addedFields = [] }: Counting): readonly string[] {
  return addedFields.length === 0 ? counted : counted.filter((field) => !addedFields.includes(field));
}

/** The unique keys that code which still writes does not know, by name. */
export function addedKeys({
  unique,
  addedFields = [],
}: Pick<StoredCollection<never>, "unique" | "addedFields">): readonly string[] {
  if (addedFields.length === 0) return [];
  return Object.keys(unique).filter((key) => unique[key]?.some((field) => addedFields.includes(field)));
}

/** Throws if code that writes without the added fields could make them wrong. */
export function checkAddedFields(collection: WithAddedFields): void {
  for (const field of collection.addedFields ?? [])
    if (!(field in collection.fields)) fail(collection, `the added "${field}" is not a declared field`);
  checkAddedCounters(collection);
  checkAddedKeys(collection);
}

/** Until it is settled, an added field is counted row by row, which takes an index. */
function checkAddedCounters(collection: WithAddedFields): void {
  const { addedFields = [], fields, counted, indexes } = collection;
  for (const name of counted) {
    const field = fields[name];
    const parts = field && "combines" in field ? field.combines : [];
    const added = parts.find((part) => addedFields.includes(part));
    if (added !== undefined && !addedFields.includes(name))
      fail(collection, `the counted "${name}" combines the added "${added}", so it is added itself`);
    const isIndexed = indexes.some(({ where }) => where.length === 1 && where[0] === name);
    if (addedFields.includes(name) && !isIndexed) fail(collection, `the added "${name}" is counted, and has no index`);
  }
}

/**
 * A record whose key another one has too is stored without it until it is settled, so nothing else may be read from
 * these columns. Older code must not be refused by a key that it does not know.
 */
function checkAddedKeys(collection: WithAddedFields): void {
  const { addedFields = [], scope, unique, counted, indexes, filters, orders } = collection;
  const listed = [
    ...counted,
    ...indexes.flatMap(({ where, by }) => [...where, ...(by === undefined ? [] : [by])]),
    ...Object.entries(filters).map(([name, { field = name }]) => field),
    ...Object.values(orders),
  ];
  for (const key of addedKeys(collection)) {
    if (scope === "platform") fail(collection, `the added key "${key}" cannot hold across tenants`);
    for (const field of unique[key] ?? []) {
      if (!addedFields.includes(field))
        fail(
          collection,
          `the added key "${key}" needs a field of its own in place of "${field}", which older code writes`,
        );
      if (listed.includes(field))
        fail(collection, `the added "${field}" of the key "${key}" cannot serve lists or counts too`);
    }
  }
}
