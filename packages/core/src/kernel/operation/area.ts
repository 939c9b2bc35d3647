import type { StoredRecord } from "#store/collection.js";
import type { Environment } from "../config/environment.js";
import type { Extension } from "../config/extension.js";
import type { Collection } from "../records/collection.js";
import type { Machine } from "../records/machine.js";
import type { Context } from "./context.js";
import type { Due } from "./dues.js";
import type { Followed } from "./followers.js";
import type { Operation } from "./operation.js";

/** What an area does when a record of another area changes, in the same transaction. A throw rolls it back. */
export interface Follower {
  /** Name of the collection. */
  readonly collection: string;
  // biome-ignore lint/suspicious/noExplicitAny: followers of different records stand in one list
  readonly follow: (ctx: Context, change: Followed<any>) => Promise<void>;
}

export function defineFollower<R extends StoredRecord>(
  collection: Collection<R>,
  follow: (ctx: Context, change: Followed<R>) => Promise<void>,
): Follower {
  return Object.freeze({ collection: collection.name, follow });
}

/** An area, a folder under families/: its collections, machines, operations and timed work. */
export interface Area<Operations extends readonly Operation[] = readonly Operation[]> {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: collections of different records stand in one list
  readonly collections: readonly Collection<any>[];
  readonly machines: readonly Machine[];
  readonly operations: Operations;
  /** The changes that this area follows, in order: those of its own collections first. */
  readonly follows?: readonly Follower[];
  /** The parts that this area contributes to extension points. */
  readonly extends?: readonly Extension[];
  /** When `tick` has something to do. It runs only in tenants where one of these says so. */
  readonly dues?: readonly Due[];
  /** Stores what this process alone knows, in all tenants. Runs with every tick. Returns how much it stored. */
  readonly flush?: (env: Environment) => Promise<number>;
  /** Stores the time transitions that readers already see. Safe to repeat. Returns how many it stored. */
  readonly tick?: (env: Environment, tenantId: string, now: string) => Promise<number>;
  /** Ends what a restored backup must not bring back, such as tokens and codes. Safe to repeat. Returns how many. */
  readonly restored?: (env: Environment, tenantId: string) => Promise<number>;
}

export type AnyCollection = Collection<StoredRecord>;
