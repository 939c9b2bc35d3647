import type { Order } from "#store/find-query.js";
import type { FieldValue, Filters, FindQuery, FirstQuery, StoredRecord, Where } from "#store/index.js";

/** What a collection declares, as far as its calls are told apart by it. */
interface Asked {
  readonly name: string;
  readonly fields: Readonly<Record<string, { readonly of?: (record: never) => unknown }>>;
  readonly unique: Readonly<Record<string, readonly string[]>>;
  readonly counted: readonly string[];
}

const many = (size: number) => (size === 0 ? "none" : size === 1 ? "one" : "many");
const isCollection = (value: unknown): value is Asked =>
  typeof value === "object" && value !== null && "fields" in value && "name" in value;

/** What a call asks of a store, without its values: the same texts mean the same statements of a database. */
export function askedOf(verb: string, args: readonly unknown[]): readonly string[] {
  if (verb === "firstTimes") return (args[0] as readonly FirstQuery[]).map(firstTime);
  const [subject, second, third] = args;
  if (isCollection(subject)) return [`${verb} ${subject.name}${ofCollection(verb, subject, second, third)}`];
  return [`${verb}${ofOther(verb, args)}`];
}

const firstTime = ({ collection, where, by }: FirstQuery) => `firstTimes ${collection.name}${filters(where)} by ${by}`;

function ofCollection(verb: string, collection: Asked, second: unknown, third: unknown): string {
  switch (verb) {
    case "getMany":
    case "insertMany":
      return ` ${many((second as readonly unknown[]).length)}`;
    case "lookup":
      return `.${String(second)}${nulls(third as Where)}`;
    case "lookupMany":
    case "lookupAll":
      return `.${String(second)}`;
    case "find":
    case "list":
    case "count":
      return query((second ?? {}) as Partial<FindQuery>);
    case "findTopPerKey":
      return `.${(second as { field: string }).field}`;
    case "countBy":
      return `.${String(second)}`;
    case "replace":
      return changes(collection, second as StoredRecord, third as StoredRecord);
    default:
      return "";
  }
}

function ofOther(verb: string, args: readonly unknown[]): string {
  const [first] = args as [{ stream?: string | readonly string[]; page?: number; before?: number } | string];
  switch (verb) {
    case "append":
      return ` ${many(args.length)}`;
    case "events": {
      const { stream, page, before } = first as Exclude<typeof first, string>;
      const streams = stream === undefined ? "all" : typeof stream === "string" ? "one" : many(stream.length);
      return ` of ${streams}${page === undefined ? "" : " by page"}${before === undefined ? "" : " before"}`;
    }
    case "purge":
      return first === "all" ? " all" : " removed";
    default:
      return "";
  }
}

function query({ where, search, order, range, page, after }: Partial<FindQuery>): string {
  const orders = order === undefined ? [] : Array.isArray(order) ? order : [order as Order];
  const keys = orders.map(({ by = "createdAt", direction = "desc" }: Order) => `${by} ${direction}`);
  return [
    filters(where),
    search === undefined
      ? ""
      : ` search ${
          search
            .trim()
            .split(/\s+/)
            .some((word) => [...word].length < 3)
            ? "short"
            : "long"
        }`,
    keys.length === 0 ? "" : ` by ${keys.join(", ")}`,
    range === undefined ? "" : ` range ${Object.keys(range).sort().join("+")}`,
    page === undefined ? "" : " page",
    after === undefined ? "" : ` after${after.by === null ? " null" : ""}${after.run === undefined ? "" : " run"}`,
  ].join("");
}

function filters(where: Filters | undefined): string {
  const names = Object.entries(where ?? {}).filter(([, value]) => value !== undefined);
  if (names.length === 0) return "";
  const kind = (value: FieldValue | readonly FieldValue[]) =>
    value === null ? "=null" : Array.isArray(value) ? (value.length > 1 ? " in" : "=") : "=";
  return ` where ${names
    .map(([name, value]) => `${name}${kind(value)}`)
    .sort()
    .join(" ")}`;
}

const nulls = (values: Where) => (Object.values(values).includes(null) ? " null" : "");

/** The kinds of fields that a replace changes: counters, keys and columns are kept in different places. */
function changes(collection: Asked, next: StoredRecord, previous: StoredRecord): string {
  const keys = Object.values(collection.unique).flat();
  const changed = Object.entries(collection.fields).filter(([name, { of }]) => {
    const read = (record: StoredRecord) => (of ? of(record as never) : (record as never)[name]) as unknown;
    return JSON.stringify(read(next)) !== JSON.stringify(read(previous));
  });
  const kinds = changed.map(([name]) =>
    collection.counted.includes(name) ? "counted" : keys.includes(name) ? "key" : "field",
  );
  return ` ${[...new Set(kinds)].sort().join("+")}`;
}
