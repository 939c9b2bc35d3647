import { linkSync, mkdirSync, rmSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import type { EventsVerification, Store } from "@reeve/core";
import { Failure } from "../failure.js";
import { masterKeyOf } from "../service/master-key.js";
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

/**
 * Copies a SQLite database, works in the copy and puts it in place, so that what is there has all of the work. A failed
 * copy leaves nothing behind. Rejects with `Failure`.
 */
export async function workedCopy<T>(
  settings: Settings,
  { from, to, onProgress }: Copy,
  work: (inCopy: Settings) => Promise<T>,
): Promise<T> {
  const { copySqlite, settleSqlite } = await import("@reeve/store-sqlite");
  const part = `${to}.${process.pid}.part`;
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    await copySqlite(from, part, (share) => onProgress(`${Math.floor(share * 100)} % copied`)).catch((error: Error) => {
      throw new Failure(`${from} cannot be copied: ${error.message}`);
    });
    await chmod(part, 0o600);
    const done = await work({
      ...settings,
      store: { kind: "sqlite", file: part },
      masterKey: masterKeyOf(settings),
    });
    settleSqlite(part);
    place(part, to);
    return done;
  } finally {
    for (const end of ["", "-wal", "-shm", "-quotas", "-quotas-wal", "-quotas-shm"])
      rmSync(part + end, { force: true });
  }
}

/** Unlike a rename, a link replaces no file that somebody has made meanwhile. */
function place(part: string, to: string): void {
  try {
    linkSync(part, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Failure(`${to} is there already; move it away first`);
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
 * Whether the schema is older than this program. Then it is marked as restored, so that no server starts before what it
 * brings back is ended: doing that here would upgrade it, and an older program may want it.
 */
export async function markOlder(settings: Settings): Promise<boolean> {
  return withStore(settings, async (store) => {
    const older = await isOlder(store);
    if (older) await store.markRestored?.(true);
    return older;
  });
}

/** Throws a `Failure` for a database without tables of Reeve. */
async function isOlder(store: Store): Promise<boolean> {
  const { applied, latest } = (await store.status()).migration;
  if (applied === 0) throw new Failure("it holds no database of Reeve");
  return applied < latest;
}
