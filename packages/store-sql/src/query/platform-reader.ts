import {
  checkPlatform,
  checkSize,
  type FindQuery,
  type Found,
  type PlatformReader,
  planFind,
  planPlatformLookup,
  type Row,
  type StoredCollection,
  type StoredRecord,
  type Where,
} from "@reeve/core/store";
import { tableOf } from "../schema/table.js";
import type { Access } from "./access.js";
import { foundOf, platformRowOf } from "./rows.js";
import { findValues, lookupValues } from "./values.js";

/** Reads collections of platform scope across tenants. */
export class SqlPlatformReader implements PlatformReader {
  constructor(private readonly access: Pick<Access, "queries" | "rows">) {}

  async get<R extends StoredRecord>(collection: StoredCollection<R>, id: string): Promise<Row<R> | undefined> {
    checkPlatform(collection);
    const [row] = await this.access.rows(this.access.queries.platformGet(tableOf(collection)), { id });
    return row && platformRowOf<R>(tableOf(collection), row);
  }

  async lookup<R extends StoredRecord>(
    collection: StoredCollection<R>,
    key: string,
    values: Where,
  ): Promise<Row<R> | undefined> {
    const where = planPlatformLookup(collection, key, values, "across tenants");
    if (!where) return undefined;
    const { queries } = this.access;
    const slots = lookupValues(queries.dialect, "", where);
    const [row] = await this.access.rows(queries.platformLookup(tableOf(collection), key), slots);
    return row && platformRowOf<R>(tableOf(collection), row);
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
    const { queries } = this.access;
    const slots = { ...lookupValues(queries.dialect, "", where), size };
    const rows = await this.access.rows(queries.platformLookupAll(tableOf(collection), key), slots);
    return rows.map((cells) => platformRowOf<R>(tableOf(collection), cells));
  }

  async find<R extends StoredRecord>(
    collection: StoredCollection<R>,
    query: Pick<FindQuery, "size" | "after">,
  ): Promise<Found<R>> {
    checkPlatform(collection);
    const plan = planFind(collection, query);
    const { queries } = this.access;
    const find = queries.platformFind(tableOf(collection), plan.after !== undefined);
    const rows = await this.access.rows(find, findValues(queries.dialect, "", plan));
    return foundOf<R>(rows, plan.size, (cells) => platformRowOf(tableOf(collection), cells));
  }
}
