import type { JWK } from "jose";
import type { Asset } from "./asset.js";
import type { Event } from "./event.js";

/** A value or a promise of it. Synchronous drivers return it directly. */
export type Awaitable<T> = T | Promise<T>;

/** The position after a page. */
export interface Position {
  readonly createdAt: string;
  readonly id: string;
}

export interface AssetQuery {
  readonly tenantId: string;
  readonly assetType?: string | undefined;
  /** Folded text of at least three characters. */
  readonly search?: string | undefined;
  readonly size: number;
  readonly page: number;
  readonly after?: Position | undefined;
  /** Whether to return the items as the text of one JSON array. */
  readonly asText: boolean;
}

export interface AssetPage {
  /** The JSON of each item, or of all of them as one array. */
  readonly items: readonly string[] | string;
  readonly total: number;
  readonly exact: boolean;
  readonly next?: Position | undefined;
}

/** The database access of hand-written handlers: the same statements on the same tables as Reeve's. */
export interface Backend {
  /** The JSON of an asset. */
  find(tenantId: string, id: string): Awaitable<string | undefined>;
  page(query: AssetQuery): Awaitable<AssetPage>;
  /** Stores asset, event, chain head and counters in one transaction. */
  create(tenantId: string, asset: Asset, event: Event): Awaitable<void>;
  /** Ids of at most three older assets that may be duplicates. */
  similar(tenantId: string, asset: Asset): Awaitable<readonly string[]>;
  /** Like `create`, for a change of status. `false` when the stored version is not `previous.version`. */
  move(tenantId: string, next: Asset, previous: Asset, event: Event): Awaitable<boolean>;
  /** Public keys for tokens, by key id. */
  keys(): Awaitable<readonly { readonly id: string; readonly publicJwk: JWK }[]>;
  close(): Awaitable<void>;
}

/** The most matches that are counted. */
export const COUNT_LIMIT = 200;
/** The most matches that a search examines. */
export const CANDIDATES = 10_000;
