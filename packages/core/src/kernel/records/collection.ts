import { fieldValue, type StoredCollection, type StoredRecord } from "#store/collection.js";
import { checkShape } from "#store/shape.js";
import type { Machine } from "./machine.js";

/** A declared collection: how the store keeps it, and how the kernel treats its records. */
export interface Collection<R extends StoredRecord = StoredRecord> extends StoredCollection<R> {
  /** How events and links name the record: `asset` gives `asset.created`. The path is that of the collection. */
  readonly resource?: {
    readonly type: string;
    readonly event: string;
    readonly path: string;
    /** Further paths below which its ids stand, with the parameters that are in them. */
    readonly alsoAt?: readonly string[];
    /** Its area writes it with events of its own, never with the usual ones of a context. */
    readonly ownEvents?: true;
    /** What reads it, where that is no operation at its path: without one of these the data of its events is hidden. */
    readonly readBy?: readonly string[];
  };
  /** What is said where a unique key is taken whose fields mean nothing to callers. */
  readonly taken?: Readonly<Record<string, string>>;
  /** The tenant's limit that its records count against. */
  readonly limit?: string;
  /** Ids of other records whose activity shows the events of this one. */
  readonly related?: (record: R) => readonly string[];
  /**
   * Id of the record that is the other side of the same thing, `null` where there is none. It names this one in turn. The
   * activity of either is that of both.
   */
  readonly otherSide?: (record: R) => string | null;
  /** Streams that show the events of all its records, also of those that were removed. */
  readonly shownUnder?: readonly string[];
  /**
   * For records with `involved`, which keep who changed them since the last decision. A change of `free` fields alone does
   * not count. `owners` tells who answers for the record.
   */
  readonly involved?: { readonly free: readonly string[]; readonly owners?: (record: R) => readonly string[] };
  /** The machine of each machine-owned field. */
  readonly machines?: Readonly<Record<string, Machine>>;
  /** The transition that time makes. `staleAt` and `derive` follow from it. */
  readonly timeTransition?: TimeTransition<R>;
}

/** A transition that time makes. Readers see it at once. The next write or `tick` stores it with its event. */
export interface TimeTransition<R> {
  /** The field with the moment. An index must be ordered by it. */
  readonly by: string;
  readonly machine: Machine;
  /** An automatic event of the machine, or a function of the record. `null` when no state changes. */
  readonly event: string | ((record: R) => string | null);
  readonly reason: string;
  /** Fields that change as well. After it the record must no longer be due. */
  readonly patch?: (record: R) => Partial<R>;
}

type Optional =
  | "scope"
  | "fields"
  | "indexes"
  | "unique"
  | "uniqueInTenant"
  | "filters"
  | "orders"
  | "counted"
  | "sealed"
  | "retain"
  | "broadcast";

/** Declares a collection with defaults: tenant scope, no fields, newest first. */
export function defineCollection<R extends StoredRecord>(
  spec: Omit<Collection<R>, Optional> & Partial<Pick<Collection<R>, Optional>>,
): Collection<R> {
  const collection: Collection<R> = {
    scope: "tenant",
    fields: {},
    unique: {},
    uniqueInTenant: [],
    filters: {},
    orders: {},
    counted: [],
    sealed: [],
    retain: false,
    broadcast: false,
    ...spec,
    ...(spec.timeTransition ? withTimeTransition(spec, spec.timeTransition) : {}),
    ...(spec.secrets || spec.resource ? { secrets: [...(spec.secrets ?? []), ...(spec.sealed ?? [])] } : {}),
    indexes: [{ where: [] }, ...(spec.indexes ?? [])],
  };
  const named = [
    ...collection.indexes.flatMap((index) => [...index.where, index.by ?? "createdAt"]),
    ...Object.values(collection.unique).flat(),
    ...collection.counted,
    ...Object.entries(collection.filters).map(([name, { field = name }]) => field),
    ...Object.values(collection.orders),
    ...turnFields(collection),
    ...Object.values(collection.fields).flatMap((field) => ("combines" in field ? field.combines : [])),
  ];
  for (const field of named) {
    if (field !== "createdAt" && !(field in collection.fields)) {
      throw new Error(`collection ${collection.name}: "${field}" is not a declared field`);
    }
  }
  for (const { by = "createdAt", partial } of collection.indexes) {
    const orders = ["createdAt", ...Object.values(collection.orders)];
    if (partial && orders.includes(by))
      throw new Error(`collection ${collection.name}: an order by "${by}" needs the records without it too`);
  }
  const sought = [
    ...collection.indexes.flatMap(({ where, by = "createdAt" }) => [...where, by]),
    ...collection.counted,
  ];
  const texts = [...sought, ...Object.values(collection.unique).flat()].find(
    (field) => collection.fields[field]?.type === "texts",
  );
  if (texts) throw new Error(`collection ${collection.name}: the texts "${texts}" can be filtered by and nothing else`);
  for (const by of [...Object.values(collection.orders), ...turnFields(collection)]) {
    if (!collection.indexes.some((index) => index.where.length === 0 && (index.by ?? "createdAt") === by)) {
      throw new Error(`collection ${collection.name}: no index has all records in the order by "${by}"`);
    }
  }
  for (const key of collection.uniqueInTenant) {
    if (collection.scope !== "platform" || !(key in collection.unique))
      throw new Error(`collection ${collection.name}: "${key}" is no unique key of platform scope`);
  }
  if (collection.search && !collection.retain) {
    throw new Error(`collection ${collection.name}: a searchable one retains`);
  }
  checkShape(collection);
  return Object.freeze(collection);
}

function turnFields({ filters }: Pick<Collection, "filters">): readonly string[] {
  return Object.values(filters).flatMap(({ changesAt }) => changesAt ?? []);
}

/** The most time transitions of a record at one moment. More are a mistake in a declaration. */
const STEPS = 4;

/** Adds `timeTransition` to the collection's own `staleAt` and `derive`. */
function withTimeTransition<R extends StoredRecord>(
  spec: Pick<Collection<R>, "staleAt" | "derive"> & Partial<Pick<Collection<R>, "fields">>,
  timeTransition: TimeTransition<R>,
): Pick<Collection<R>, "staleAt" | "derive"> {
  const { fields = {} } = spec;
  const { by, machine, event } = timeTransition;
  const field = fields[by];
  const automatic = machine.transitions.filter((transition) => transition.automatic);
  const known = typeof event === "string" ? automatic.some((row) => row.event === event) : automatic.length > 0;
  if (field?.type !== "time" || !known)
    throw new Error(`time transition of ${machine.name} by "${by}" is not declared`);
  const dueAt = (record: R) =>
    ((field.of ? field.of(record) : (record as Record<string, unknown>)[by]) ?? null) as string | null;
  const step = (record: R): R => {
    const next = timeTransitionEvent(timeTransition, record);
    const row = automatic.find((candidate) => candidate.event === next);
    return { ...record, ...timeTransition.patch?.(record), ...(row ? { [machine.field]: row.to } : {}) };
  };
  return {
    staleAt: (record) => earliest(dueAt(record), spec.staleAt?.(record) ?? null),
    derive(record, now) {
      const most = timeTransition.patch ? STEPS : 1;
      let seen = record;
      for (let steps = 0; steps < most && (dueAt(seen) ?? "~") <= now; steps += 1) seen = step(seen);
      return spec.derive ? spec.derive(seen, now) : seen;
    },
  };
}

function earliest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** When `timeTransition` of a record is due; `null` when there is none. */
export function timeTransitionAt<R extends StoredRecord>(collection: Collection<R>, record: R): string | null {
  return collection.timeTransition
    ? (fieldValue(collection, record, collection.timeTransition.by) as string | null)
    : null;
}

/** The machine's event for a due record; `null` when its state stays. */
export function timeTransitionEvent<R>({ event }: TimeTransition<R>, record: R): string | null {
  return typeof event === "string" ? event : event(record);
}
