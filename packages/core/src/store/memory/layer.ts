import type { FieldValue } from "../collection.js";
import type { StoredEvent } from "../event-log.js";
import { MemoryDues } from "./dues.js";

/**
 * A stored record with what queries need. A removed one stays where the collection retains, so that its id is not
 * reused.
 */
export interface Entry {
  readonly tenantId: string;
  readonly id: string;
  readonly version: number;
  readonly text: string;
  readonly staleAt: string | null;
  readonly createdAt: string;
  readonly values: Readonly<Record<string, FieldValue>>;
  /** Folded text that `search` covers. */
  readonly searchable: string;
  readonly removedAt: string | null;
  /** The shape of the code that wrote it. */
  readonly shape: number;
  /** Deleted for good with the commit. */
  readonly gone?: true;
}

/** An event with the streams that show it. */
export interface LoggedEvent {
  readonly event: StoredEvent;
  readonly streams: ReadonlySet<string>;
}

/** The holder of a unique key. */
export interface Holder {
  readonly tenantId: string;
  readonly id: string;
}

/** Entries by collection, tenant and id. */
type Entries = Map<string, Map<string, Map<string, Entry>>>;

/**
 * Changes over the layer below. The bottom layer holds what is committed. Each transaction writes to a layer of its
 * own, which is merged on commit and dropped on rollback.
 */
export class Layer {
  readonly #entries: Entries = new Map();
  readonly #holders = new Map<string, Holder | null>();
  readonly #events = new Map<string, LoggedEvent[]>();
  /** What to erase and prune below on commit. Empty in the bottom layer, which does it at once. */
  readonly #erased = new Map<string, Set<number>>();
  readonly #pruned = new Map<string, number>();
  /** What to change in dues below on commit. */
  readonly #duesChanged: ((dues: MemoryDues) => void)[] = [];
  /** Those of the bottom layer. */
  readonly dues: MemoryDues;

  constructor(
    private readonly below?: Layer,
    dues = new MemoryDues(),
  ) {
    this.dues = dues;
  }

  entry(collection: string, tenantId: string, id: string): Entry | undefined {
    const own = this.#entries.get(collection)?.get(tenantId)?.get(id);
    return own ?? this.below?.entry(collection, tenantId, id);
  }

  /** The entries of a collection in one tenant, without removed ones. */
  live(collection: string, tenantId: string): Entry[] {
    return [...this.#merged(collection, tenantId).values()].filter((entry) => entry.removedAt === null);
  }

  /** The entries of a collection in all tenants, without removed ones. */
  liveOfAll(collection: string): Entry[] {
    return [...this.#tenants(collection)].flatMap((tenantId) => this.live(collection, tenantId));
  }

  /** Every entry of a tenant with its collection, removed ones too. */
  entriesOf(tenantId: string): (readonly [collection: string, entry: Entry])[] {
    return [...this.#collections()]
      .flatMap((name) => [...this.#merged(name, tenantId).values()].map((entry) => [name, entry] as const))
      .filter(([, { gone }]) => !gone);
  }

  /** The keys that a tenant holds. */
  heldBy(tenantId: string): (readonly [key: string, holder: Holder])[] {
    const keys = new Set([...this.#holders.keys(), ...(this.below?.heldBy(tenantId) ?? []).map(([key]) => key)]);
    return [...keys].flatMap((key) => {
      const holder = this.holder(key);
      return holder?.tenantId === tenantId ? [[key, holder] as const] : [];
    });
  }

  put(collection: string, entry: Entry): void {
    entriesAt(this.#entries, collection, entry.tenantId).set(entry.id, entry);
  }

  holder(key: string): Holder | undefined {
    const own = this.#holders.get(key);
    return own === undefined ? this.below?.holder(key) : (own ?? undefined);
  }

  hold(key: string, holder: Holder | null): void {
    this.#holders.set(key, holder);
  }

  /** All events of a tenant in ascending sequence. */
  events(tenantId: string): readonly LoggedEvent[] {
    const own = this.#events.get(tenantId) ?? [];
    const earlier = this.below?.events(tenantId) ?? [];
    const all = own.length === 0 ? earlier : [...earlier, ...own];
    return without(all, this.#pruned.get(tenantId), this.#erased.get(tenantId));
  }

  /** The newest event of a tenant; it is never pruned. */
  lastEvent(tenantId: string): StoredEvent | undefined {
    return this.#events.get(tenantId)?.at(-1)?.event ?? this.below?.lastEvent(tenantId);
  }

  append(tenantId: string, logged: LoggedEvent): void {
    const own = this.#events.get(tenantId);
    if (own) own.push(logged);
    else this.#events.set(tenantId, [logged]);
  }

  eraseEvents(tenantId: string, sequences: ReadonlySet<number>): void {
    if (this.below) this.#erased.set(tenantId, new Set([...(this.#erased.get(tenantId) ?? []), ...sequences]));
    else this.#events.set(tenantId, without(this.#events.get(tenantId) ?? [], undefined, sequences));
  }

  pruneEvents(tenantId: string, upTo: number): void {
    if (this.below) this.#pruned.set(tenantId, Math.max(upTo, this.#pruned.get(tenantId) ?? 0));
    else this.#events.set(tenantId, without(this.#events.get(tenantId) ?? [], upTo, undefined));
  }

  /** Changes dues with the commit. */
  changeDues(change: (dues: MemoryDues) => void): void {
    this.#duesChanged.push(change);
  }

  /** Merges a layer above into this one. */
  absorb(above: Layer): void {
    for (const [collection, ofTenants] of above.#entries) {
      for (const [tenantId, entries] of ofTenants) this.#take(collection, tenantId, entries);
    }
    for (const [key, holder] of above.#holders) this.#holders.set(key, holder);
    for (const [tenantId, events] of above.#events) for (const each of events) this.append(tenantId, each);
    for (const [tenantId, sequences] of above.#erased) this.eraseEvents(tenantId, sequences);
    for (const [tenantId, upTo] of above.#pruned) this.pruneEvents(tenantId, upTo);
    for (const change of above.#duesChanged) change(this.dues);
  }

  /** A copy of a bottom layer. */
  copy(): Layer {
    const copied = new Layer(undefined, this.dues.copy());
    copied.absorb(this);
    return copied;
  }

  #take(collection: string, tenantId: string, entries: ReadonlyMap<string, Entry>): void {
    const own = entriesAt(this.#entries, collection, tenantId);
    for (const [id, entry] of entries) {
      if (entry.gone && !this.below) own.delete(id);
      else own.set(id, entry);
    }
  }

  #merged(collection: string, tenantId: string): Map<string, Entry> {
    const own = this.#entries.get(collection)?.get(tenantId);
    const under = this.below ? this.below.#merged(collection, tenantId) : undefined;
    if (!own || !under) return own ?? under ?? new Map();
    return new Map([...under, ...own]);
  }

  #collections(): Set<string> {
    return new Set([...this.#entries.keys(), ...(this.below ? this.below.#collections() : [])]);
  }

  #tenants(collection: string): Set<string> {
    const own = this.#entries.get(collection)?.keys() ?? [];
    return new Set([...own, ...(this.below ? this.below.#tenants(collection) : [])]);
  }
}

/** The events after `pruned`. Those in `erased` lose their data. */
function without(
  events: readonly LoggedEvent[],
  pruned: number | undefined,
  erased: ReadonlySet<number> | undefined,
): LoggedEvent[] {
  if (pruned === undefined && erased === undefined) return events as LoggedEvent[];
  const left = pruned === undefined ? events : events.filter(({ event }) => event.sequence > pruned);
  return left.map((logged) =>
    erased?.has(logged.event.sequence) ? { ...logged, event: Object.freeze({ ...logged.event, data: null }) } : logged,
  );
}

function entriesAt(all: Entries, collection: string, tenantId: string): Map<string, Entry> {
  const ofTenants = all.get(collection) ?? new Map<string, Map<string, Entry>>();
  const entries = ofTenants.get(tenantId) ?? new Map<string, Entry>();
  all.set(collection, ofTenants.set(tenantId, entries));
  return entries;
}
