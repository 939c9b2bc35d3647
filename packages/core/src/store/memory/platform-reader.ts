import type { StoredCollection, StoredRecord } from "../collection.js";
import { compareText } from "../compare.js";
import { planFind } from "../find-plan.js";
import type { FindQuery, Where } from "../find-query.js";
import { checkPlatform, checkSize, planPlatformLookup } from "../query.js";
import type { Row } from "../row.js";
import type { Found, PlatformReader } from "../store.js";
import type { Entry, Holder, Layer } from "./layer.js";
import { found, orderedPage, rowOf } from "./query.js";
import { currentEntry, idKey, uniqueKey } from "./records.js";

/** Reads collections of platform scope across tenants. */
export class MemoryPlatformReader implements PlatformReader {
  constructor(private readonly view: () => Layer) {}

  async get<R extends StoredRecord>(collection: StoredCollection<R>, id: string): Promise<Row<R> | undefined> {
    checkPlatform(collection);
    return this.#row(collection, this.view().holder(idKey(collection, "", id)));
  }

  async lookup<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    values: Where,
  ): Promise<Row<R> | undefined> {
    const where = planPlatformLookup(collection, key, values, "across tenants");
    const held = where && uniqueKey(collection, "", key, Object.fromEntries(where));
    return this.#row(collection, held === undefined ? undefined : this.view().holder(held));
  }

  async lookupAll<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    values: Where,
    size: number,
  ): Promise<Row<R>[]> {
    const where = planPlatformLookup(collection, key, values, "within a tenant");
    checkSize(size);
    if (!where) return [];
    const held = this.#live(collection).filter((entry) =>
      where.every(([field, value]) => entry.values[field] === value),
    );
    return Array.from(held)
      .sort((one, other) => compareText(one.createdAt, other.createdAt) || compareText(one.id, other.id))
      .slice(0, size)
      .map((entry) => rowOf<R>(entry));
  }

  async find<R extends StoredRecord>(
    collection: StoredCollection<R>,
    query: Pick<FindQuery, "size" | "after">,
  ): Promise<Found<R>> {
    checkPlatform(collection);
    const plan = planFind(collection, query);
    return found<R>(orderedPage(this.#live(collection), plan));
  }

  #row<R extends StoredRecord>(collection: StoredCollection<R>, holder: Holder | undefined): Row<R> | undefined {
    const entry = holder && this.view().entry(collection.name, holder.tenantId, holder.id);
    return entry?.removedAt === null ? rowOf<R>(currentEntry(collection, entry)) : undefined;
  }

  #live<R extends StoredRecord>(collection: StoredCollection<R>): Entry[] {
    return this.view()
      .liveOfAll(collection.name)
      .map((entry) => currentEntry(collection, entry));
  }
}
