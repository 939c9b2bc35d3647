import { z } from "#schema/z.js";
import type { FieldValue, ListFilter, StoredRecord } from "#store/collection.js";
import type { Filters, FindQuery, Order } from "#store/find-query.js";
import type { Collection } from "../records/collection.js";
import { type PageQuery, pageQuery } from "./page.js";

/** The most values of a filter, and the most keys of an order. */
const MOST_VALUES = 50;
const MOST_KEYS = 3;

/** The query of a list: page, search, order, and the filters that the collection publishes. */
export type ListQuery = PageQuery & { readonly search?: string; readonly sort?: readonly string[] };

type Listed<R extends StoredRecord> = Pick<Collection<R>, "filters" | "orders" | "search">;

/**
 * The query schema of a collection's list, from its declaration, plus parameters of its own. `searched` names the
 * searched fields.
 */
export function listQuery<R extends StoredRecord, const S extends z.ZodRawShape = Record<never, never>>(
  collection: Listed<R>,
  searched?: string,
  own?: S,
): z.ZodType<ListQuery & z.output<z.ZodObject<S>>> {
  const sort = sortBy(["createdAt", ...Object.keys(collection.orders)]);
  return z.strictObject({
    ...pageQuery,
    ...filtersOf(collection, searched, { sort }),
    ...own,
  }) as unknown as z.ZodType<ListQuery & z.output<z.ZodObject<S>>>;
}

/** The query schema of what shows records of a collection at once, without pages: the search and filters of its list. */
export function filterQuery<R extends StoredRecord>(
  collection: Listed<R>,
  searched?: string,
): z.ZodType<Pick<ListQuery, "search">> {
  return z.strictObject(filtersOf(collection, searched)) as unknown as z.ZodType<Pick<ListQuery, "search">>;
}

function filtersOf<R extends StoredRecord>(collection: Listed<R>, searched?: string, order: z.ZodRawShape = {}) {
  return {
    ...(collection.search ? { search: searchText(searched) } : {}),
    ...order,
    ...Object.fromEntries(Object.entries(collection.filters).map(([name, filter]) => [name, filterOf(filter)])),
  };
}

/**
 * The order of a list, by some of these. A list that its path narrows has an index for each; one for `createdAt` too is
 * not worth its writes where records have a time of their own.
 */
export function sortBy(names: readonly string[], absent = "newest first") {
  const sort = z.array(z.enum(names.flatMap((name) => [name, `-${name}`])));
  return z
    .preprocess(parts, sort.min(1).max(MOST_KEYS).refine(eachOnce, "Names a field twice."))
    .optional()
    .meta({ description: `Order, \`-\` for descending; ${absent} when absent.` });
}

/** The store query of a list's query. */
export function askedOf<R extends StoredRecord>(
  collection: Listed<R>,
  query: Readonly<Record<string, unknown>>,
): Pick<FindQuery, "where" | "search" | "order"> {
  const where: Record<string, Filters[string]> = {};
  for (const [name, { field = name, orNone }] of Object.entries(collection.filters)) {
    const given = query[name] as readonly FieldValue[] | undefined;
    if (given === undefined) continue;
    const values = orNone ? [...given, null] : given;
    where[field] = values.length === 1 ? (values[0] as FieldValue) : values;
  }
  const order = (query.sort as readonly string[] | undefined)?.map((key): Order => {
    const name = key.replace(/^-/, "");
    return { by: collection.orders[name] ?? name, direction: key.startsWith("-") ? "desc" : "asc" };
  });
  const search = collection.search && typeof query.search === "string" ? query.search.trim() : "";
  return {
    ...(Object.keys(where).length > 0 ? { where } : {}),
    ...(search ? { search } : {}),
    ...(order ? { order } : {}),
  };
}

function searchText(searched = "text") {
  const description = `Words that must all be in ${searched}; case is ignored.`;
  return z.string().max(200).optional().meta({ description });
}

function filterOf({ values, type, maxLength = 200, ids, ...said }: ListFilter): z.ZodType {
  const item =
    type === "boolean"
      ? z.stringbool({ truthy: ["true"], falsy: ["false"] })
      : values
        ? z.enum(values)
        : z.string().max(maxLength);
  const description = [said.description, ...(ids ? ["By id of the asset or of its record."] : [])]
    .filter(Boolean)
    .join(" ");
  return description ? severalOf(item).meta({ description }) : severalOf(item);
}

/** One query value, or several separated by commas. Callers in process give a list. */
export function severalOf<T extends z.ZodType>(item: T): z.ZodOptional<z.ZodArray<T>> {
  const list = z.preprocess(parts, z.array(item).min(1).max(MOST_VALUES));
  return list.optional() as unknown as z.ZodOptional<z.ZodArray<T>>;
}

/** The parts of a value between commas. `\,` stands for a comma. */
function parts(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value.split(/(?<!\\),/).map((part) => part.replaceAll("\\,", ","));
}

function eachOnce(keys: readonly string[]): boolean {
  return new Set(keys.map((key) => key.replace(/^-/, ""))).size === keys.length;
}
