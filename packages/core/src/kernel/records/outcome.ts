import { brand, brandOf, isBranded } from "#ports/brand.js";
import type { StoredRecord } from "#store/collection.js";

const PAGE = brandOf("Page");

/** A page of a list: the items as JSON text, and its numbers. */
export class Page {
  /** Whether a value is one, even from another copy of this package. */
  static is(value: unknown): value is Page {
    return isBranded(value, PAGE);
  }

  constructor(
    readonly items: string,
    readonly page: number,
    readonly size: number,
    readonly total: { readonly count: number; readonly exact: boolean },
    readonly nextCursor: string | null,
  ) {}

  get text(): string {
    const pages = this.total.exact ? Math.ceil(this.total.count / this.size) : null;
    const relation = this.total.exact ? "exact" : "atLeast";
    return `{"items":${this.items},"page":${this.page},"size":${this.size},"totalItems":${this.total.count},"totalPages":${pages},"totalRelation":"${relation}","nextCursor":${JSON.stringify(this.nextCursor)}}`;
  }
}

brand(Page, PAGE);

const RAW = brandOf("Raw");

/** An answer other than a plain JSON value: other media, another status or extra headers. */
export class Raw {
  /** Whether a value is one, even from another copy of this package. */
  static is(value: unknown): value is Raw {
    return isBranded(value, RAW);
  }

  constructor(
    readonly body: string | Uint8Array,
    readonly contentType: string,
    readonly options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {}
}

brand(Raw, RAW);

/** Whether a value is a single record, whose version becomes the ETag. */
export function isRecord(value: unknown): value is StoredRecord {
  return typeof value === "object" && value !== null && "id" in value && "version" in value && "createdAt" in value;
}

const changedByTime = new WeakSet<object>();

/** Marks a record that a time transition made differ from what is stored under its version. */
export function markChangedByTime<R extends object>(record: R): R {
  changedByTime.add(record);
  return record;
}

/** Whether a record differs from what is stored under its version. */
export function isChangedByTime(record: object): boolean {
  return changedByTime.has(record);
}

const shown = new WeakMap<object, object>();

/** Keeps what readers saw of a record before its time transition was stored. */
export function rememberShown(record: object, seen: object): void {
  shown.set(record, seen);
}

/** What readers saw of a record until now, which differs from it when its time transition has just been stored. */
export function shownOf(record: object): object {
  return shown.get(record) ?? record;
}
