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

/**
 * What a call asks of a store, without its values. First the statement, which a collection and its fields make; then how it
 * is asked from this place, such as a transaction that has written. Stores make each of them apart from the other.
 */
export function askedOf(place: string, verb: string, args: readonly unknown[]): readonly string[] {
  if (verb === "firstTimes") {
    const firsts = (args[0] as readonly FirstQuery[]).map(
      ({ collection, where, by }) => `firstTimes ${collection.name}${filters(where)} by ${by}`,
    );
    return [...firsts, `${place}: firstTimes`];
  }
  const [subject, second, third] = args;
  if (!isCollection(subject)) return [`${place}: ${verb}${ofOther(verb, args)}`];
  const { statement, manner } = ofCollection(verb, subject, second, third);
  return [`${verb} ${subject.name}${statement}`, `${place}: ${verb}${manner}`];
}

interface Parts {
  readonly statement: string;
  readonly manner: string;
}

function ofCollection(verb: string, collection: Asked, second: unknown, third: unknown): Parts {
  switch (verb) {
    case "getMany":
    case "insertMany":
      return { statement: "", manner: ` ${many((second as readonly unknown[]).length)}` };
    case "lookup":
      return { statement: `.${String(second)}${nulls(third as Where)}`, manner: "" };
    case "lookupMany":
    case "lookupAll":
    case "countBy":
      return { statement: `.${String(second)}`, manner: "" };
    case "findTopPerKey":
      return { statement: `.${(second as { field: string }).field}`, manner: "" };
    case "find":
    case "list":
    case "count":
      return ofQuery((second ?? {}) as Partial<FindQuery>);
    case "replace":
      return { statement: "", manner: ` ${changes(collection, second as StoredRecord, third as StoredRecord)}` };
    default:
      return { statement: "", manner: "" };
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

function ofQuery({ where, search, order, range, page, after }: Partial<FindQuery>): Parts {
  const orders = order === undefined ? [] : Array.isArray(order) ? order : [order as Order];
  const keys = orders.map(({ by = "createdAt", direction = "desc" }: Order) => `${by} ${direction}`);
  const said = (what: string, value: unknown) => (value === undefined ? "" : ` ${what}`);
  return {
    statement: [
      filters(where),
      search === undefined ? "" : ` search ${wordsOf(search)}`,
      keys.length === 0 ? "" : ` by ${keys.join(", ")}`,
      range === undefined ? "" : ` range ${Object.keys(range).sort().join("+")}`,
    ].join(""),
    manner: said("after", after) + said("page", page) + said("search", search) + said("range", range),
  };
}

/** Words of fewer than three letters are in no index. */
const wordsOf = (search: string) => (search.split(/\s+/).some((word) => [...word].length < 3) ? "short" : "long");

function filters(where: Filters | undefined): string {
  const given = Object.entries(where ?? {}).filter(([, value]) => value !== undefined);
  if (given.length === 0) return "";
  const kind = (value: FieldValue | readonly FieldValue[]) =>
    value === null ? "=null" : Array.isArray(value) && value.length > 1 ? " in" : "=";
  return ` where ${given
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
  return [...new Set(kinds)].sort().join("+");
}
