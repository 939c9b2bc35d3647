import {
  ConnectorError,
  type DiscoveredAsset,
  INCOMPLETE_REASONS,
  type IncompleteReason,
  type LeftOutPart,
  type ListingEnd,
  type Page,
  type PageRequest,
  type RejectedItem,
  wholeUnless,
} from "@reeve/core/connectors";
import { z } from "zod";
import type { RepositoryFile, Snapshot } from "./file.js";
import { kindOf } from "./kinds.js";
import { FILE_LIMITS } from "./limits.js";
import { findsIn, idOf } from "./read.js";

/** One repository of a listing. */
export interface ListedRepository {
  readonly id: string;
  /** Where the listing goes on with it. */
  readonly position: string;
  /** Its files; `null` where it is empty. Rejects with `ConnectorError` of class `not_found` where it is not shown. */
  open(): Promise<Snapshot | null>;
  /** `undefined` when the file is larger than `FILE_LIMITS.bytes`. Rejects as `open` does. */
  read(file: RepositoryFile): Promise<string | undefined>;
}

/** The end of a page of a listing, once for each page, whether or not there were repositories on it. */
export interface PageEnd {
  /** Entries of the page that cannot be used. */
  readonly rejected: readonly RejectedItem[];
  /** Where the next page begins; absent after the last one. */
  readonly next?: string;
  /** Whether the listing of repositories is whole, after the last page. */
  readonly end?: ListingEnd;
}

/** Repositories in an order that stays, from a position on. */
export type RepositoryListing = (from: string | undefined) => AsyncIterable<ListedRepository | PageEnd>;

const Cursor = z.object({
  position: z.string().max(200),
  /** The repository there; empty at the beginning of a page that was not looked at. */
  id: z.string().max(200),
  file: z.int().min(0),
  find: z.int().min(0),
  revision: z.string().max(100),
  doubt: z.enum(INCOMPLETE_REASONS).nullable(),
});
type Cursor = z.output<typeof Cursor>;

/** Finds AI in repositories, a page at a time. Broken and hostile files are rejected one by one. */
export async function discoverInRepositories(
  listing: RepositoryListing,
  { cursor, limit }: PageRequest,
): Promise<Page<DiscoveredAsset>> {
  const start = cursor === undefined ? undefined : cursorOf(cursor);
  const items: DiscoveredAsset[] = [];
  const rejected: RejectedItem[] = [];
  const warnings: LeftOutPart[] = [];
  let calls = 0;
  let doubt: IncompleteReason | null = start?.doubt ?? null;
  let resumed = start;
  for await (const repository of listing(start?.position)) {
    if ("rejected" in repository) {
      rejected.push(...repository.rejected);
      const { next, end } = repository;
      if (repository.rejected.length > 0) doubt ??= "rejected";
      else if (end && !end.complete) doubt ??= end.incomplete;
      calls += 1;
      if (next !== undefined && calls >= FILE_LIMITS.calls)
        return pageTo({ id: "", position: next }, { file: 0, find: 0, revision: "" });
      continue;
    }
    if (calls >= FILE_LIMITS.calls || items.length >= limit)
      return pageTo(repository, { file: 0, find: 0, revision: "" });
    const from = resumed;
    resumed = undefined;
    // What stood at this place is another one now, so one may have been left out.
    if (from && from.id !== "" && from.id !== repository.id) doubt ??= "changed";
    calls += 2;
    const snapshot = await orGone(repository.open());
    if (snapshot === GONE) {
      // Hosts say so too of what they no longer show, and its finds may still be there.
      doubt ??= "hidden";
      rejected.push({ externalId: repository.id, reason: "It is listed and not shown." });
    }
    if (!snapshot || snapshot === GONE) continue;
    const files = snapshot.files.filter(({ path }) => kindOf(path)).sort(byPath);
    if (!snapshot.whole || files.length > FILE_LIMITS.files) {
      doubt ??= "hidden";
      reject(snapshot, "", "It has more files than are looked at, or files that are not shown as documented.");
    }
    const moved = from !== undefined && from.revision !== "" && from.revision !== snapshot.revision;
    if (moved) doubt ??= "changed";
    const goesOn = from?.id === repository.id && !moved ? from : { file: 0, find: 0 };
    for (let file = goesOn.file; file < Math.min(files.length, FILE_LIMITS.files); file += 1) {
      const given = files[file] as RepositoryFile;
      const place = { file, find: 0, revision: snapshot.revision };
      if (calls >= FILE_LIMITS.calls || items.length >= limit) return pageTo(repository, place);
      if (given.symbolicLink) {
        // What it leads to is found itself, so nothing is missing.
        warnings.push({ externalId: idOf(snapshot, given.path), part: given.path, reason: NOT_FOLLOWED });
        continue;
      }
      calls += 1;
      const found = await findsOf(repository, snapshot, given);
      const skipped = file === goesOn.file ? goesOn.find : 0;
      const fitting = found.assets.slice(skipped, skipped + limit - items.length);
      items.push(...fitting);
      if (skipped === 0) rejected.push(...found.rejected);
      // A part belongs to the page of its find.
      const ids = new Set(fitting.map(({ externalId }) => externalId));
      warnings.push(...found.warnings.filter(({ externalId }) => ids.has(externalId)));
      if (found.rejected.length > 0) doubt ??= "rejected";
      const next = skipped + fitting.length;
      if (next < found.assets.length) return pageTo(repository, { ...place, find: next });
    }
  }
  // It stood at a place that is not there any more, so one may have been left out.
  if (resumed && resumed.id !== "") doubt ??= "changed";
  return { items, rejected, warnings, ...wholeUnless(doubt) };

  function pageTo(
    { id, position }: Pick<ListedRepository, "id" | "position">,
    place: Pick<Cursor, "file" | "find" | "revision">,
  ) {
    return { items, rejected, warnings, complete: false, nextCursor: encoded({ ...place, id, position, doubt }) };
  }

  function reject(snapshot: Snapshot, path: string, reason: string) {
    rejected.push({ externalId: idOf(snapshot, path), reason });
  }
}

const NOT_FOLLOWED = "It is a symbolic link, which is not followed.";
const GONE = Symbol("gone");

async function orGone<T>(reading: Promise<T>): Promise<T | typeof GONE> {
  try {
    return await reading;
  } catch (error) {
    if (ConnectorError.is(error) && error.errorClass === "not_found") return GONE;
    throw error;
  }
}

async function findsOf(repository: ListedRepository, snapshot: Snapshot, file: RepositoryFile) {
  const unread = (reason: string) => ({
    assets: [],
    rejected: [{ externalId: idOf(snapshot, file.path), reason }],
    warnings: [],
  });
  const tooLarge = `It is larger than ${FILE_LIMITS.bytes / 1_024} KiB.`;
  if ((file.size ?? 0) > FILE_LIMITS.bytes) return unread(tooLarge);
  const text = await orGone(repository.read(file));
  if (text === GONE) return unread("It is listed and not shown.");
  return text === undefined ? unread(tooLarge) : findsIn(snapshot, file, text);
}

const byPath = (one: RepositoryFile, other: RepositoryFile) =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : 0;
const encoded = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString("base64url");

function cursorOf(text: string): Cursor {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch (cause) {
    throw new ConnectorError("invalid", "The cursor is not one of this listing.", { code: "cursor", cause });
  }
}
