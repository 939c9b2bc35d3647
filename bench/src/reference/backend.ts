import type { JWK } from "jose";
import type { Asset } from "./asset.js";
import type { Event } from "./event.js";

/** A value, at once where the driver is synchronous. */
export type Awaitable<T> = T | Promise<T>;

/** Where a page ended. */
export interface Position {
  readonly createdAt: string;
  readonly id: string;
}

export interface AssetQuery {
  readonly tenantId: string;
  readonly assetType?: string | undefined;
  /** Folded text of three characters or more. */
  readonly search?: string | undefined;
  readonly size: number;
  readonly page: number;
  readonly after?: Position | undefined;
  /** Whether the items are wanted as the text of one JSON array. */
  readonly asText: boolean;
}

export interface AssetPage {
  /** The JSON of each item, or of all of them as an array. */
  readonly items: readonly string[] | string;
  readonly total: number;
  readonly exact: boolean;
  readonly next?: Position | undefined;
}

/** What the hand-written handlers ask of a database: the same statements on the same tables as Reeve's. */
export interface Backend {
  /** The JSON of an asset. */
  find(tenantId: string, id: string): Awaitable<string | undefined>;
  page(query: AssetQuery): Awaitable<AssetPage>;
  /** Stores asset, event, chain head and counters in one transaction. */
  create(tenantId: string, asset: Asset, event: Event): Awaitable<void>;
  /** Ids of at most three assets that are older than one and may be the same thing. */
  similar(tenantId: string, asset: Asset): Awaitable<readonly string[]>;
  /** As `create` for a change of status; `false` when the stored version is not `previous.version`. */
  move(tenantId: string, next: Asset, previous: Asset, event: Event): Awaitable<boolean>;
  /** Public keys of tokens by key id. */
  keys(): Awaitable<readonly { readonly id: string; readonly publicJwk: JWK }[]>;
  close(): Awaitable<void>;
}

/** More matches than this are not counted. */
export const COUNT_LIMIT = 200;
/** A search looks at no more matches than this. */
export const CANDIDATES = 10_000;
