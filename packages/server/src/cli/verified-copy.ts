import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { EventsVerification, Store } from "@reeve/core";
import { Failure } from "../failure.js";
import { makeFolder } from "../service/make-folder.js";
import { masterKeyOf } from "../service/master-key.js";
import { placeFile } from "../service/place-file.js";
import { makePrivateFile } from "../service/private-file.js";
import type { Settings } from "../settings/settings.js";
import { checkpointsOf } from "./checkpoint-file.js";
import { countsOf } from "./commands/verify-events.js";
import { withRestored } from "./with-control-plane.js";
import { withStore } from "./with-store.js";

interface Copy {
  readonly from: string;
  readonly to: string;
  readonly onProgress: (text: string) => void;
}

/** A copy that is in place. */
interface Copied<T> {
  /** What the work in it answered. */
  readonly done: T;
  /** The rows that each table had before the work. */
  readonly rows: ReadonlyMap<string, number>;
}

/**
 * Copies a SQLite database, works in the copy and puts it in place, so that what is there has all of the work. A failed
 * copy leaves nothing behind. Rejects with `Failure`.
 */
export async function workedCopy<T>(
  settings: Settings,
  { from, to, onProgress }: Copy,
  work: (inCopy: Settings) => Promise<T>,
): Promise<Copied<T>> {
  const { copySqlite, settleSqlite } = await import("@reeve/store-sqlite");
  const part = `${to}.${process.pid}.part`;
  try {
    makeFolder(dirname(to));
    await makePrivateFile(part);
    const onShare = (share: number) => onProgress(`${Math.floor(share * 100)} % copied`);
    const rows = await copySqlite(from, part, onShare).catch((error: Error) => {
      throw new Failure(`${from} cannot be copied: ${error.message}`);
    });
    const done = await work({
      ...settings,
      store: { kind: "sqlite", file: part, copyOf: from },
      masterKey: masterKeyOf(settings),
    });
    settleSqlite(part);
    placeFile(part, to);
    return { done, rows };
  } finally {
    for (const end of ["", "-wal", "-shm", "-quotas", "-quotas-wal", "-quotas-shm"])
      rmSync(part + end, { force: true });
  }
}

/** What to verify a copy with. */
export interface Verifying {
  readonly onProgress: (text: string) => void;
  /** A file of checkpoints kept elsewhere. */
  readonly checkpoints?: string | undefined;
}

/**
 * Verifies the chain of every tenant of a copy, and that the master key opens it. `undefined` when its schema is older.
 * Rejects with `Failure` when a chain has a fault.
 */
export async function verified(
  settings: Settings,
  { onProgress, checkpoints }: Verifying,
): Promise<EventsVerification | undefined> {
  if (await withStore(settings, isOlder)) return undefined;
  const options = checkpoints === undefined ? {} : { checkpoints: checkpointsOf(checkpoints) };
  const found = await withRestored(settings, (controlPlane) =>
    controlPlane.verifyEvents((progress) => onProgress(countsOf(progress)), options),
  );
  if (found.faults.length === 0) return found;
  const [{ tenantId, sequence, reason }] = found.faults as [EventsVerification["faults"][number]];
  const first = `${tenantId}, event ${sequence}: ${reason}`;
  throw new Failure(`the copy does not verify: ${countsOf(found)}; first ${first}; see reeve verify-events`);
}

/** What was verified, as text. */
export function verifiedText(found: EventsVerification | undefined): string {
  return found ? countsOf(found) : "events not checked, as its schema is older than this program";
}

/**
 * Why this program may not end what a copy brings back, if it may not. Then the copy is marked as restored, so that no
 * server starts before that is done. An older schema would be upgraded by it, and a program of then may want it. Of a
 * newer one it would leave out what it does not know.
 */
export async function markForOthers(settings: Settings): Promise<"older" | "newer" | undefined> {
  return withStore(settings, async (store) => {
    const newer = (await store.status()).migration.unknown ? "newer" : undefined;
    const other = (await isOlder(store)) ? "older" : newer;
    if (other) await store.markRestored?.(true);
    return other;
  });
}

/** Throws a `Failure` for a database without tables of Reeve. */
async function isOlder(store: Store): Promise<boolean> {
  const { applied, latest } = (await store.status()).migration;
  if (applied === 0) throw new Failure("it holds no database of Reeve");
  return applied < latest;
}
