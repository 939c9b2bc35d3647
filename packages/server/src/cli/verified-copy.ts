import { mkdirSync, renameSync, rmSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "../failure.js";
import { createCommandLog } from "../log.js";
import { masterKeyOf } from "../service/master-key.js";
import { openStore } from "../service/store.js";
import type { Settings } from "../settings/settings.js";
import { countsOf } from "./commands/verify-events.js";
import { withControlPlane } from "./with-control-plane.js";

interface Copy {
  readonly from: string;
  readonly to: string;
  readonly onProgress: (text: string) => void;
}

/**
 * Copies a SQLite database, verifies the copy and renames it into place. Resolves to a summary of its events. A failed
 * copy leaves nothing behind. Rejects with `Failure`.
 */
export async function verifiedCopy(settings: Settings, { from, to, onProgress }: Copy): Promise<string> {
  const { copySqlite, settleSqlite } = await import("@reeve/store-sqlite");
  const part = `${to}.${process.pid}.part`;
  const inPart: Settings = { ...settings, store: { kind: "sqlite", file: part }, masterKey: masterKeyOf(settings) };
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    await copySqlite(from, part, (share) => onProgress(`${Math.floor(share * 100)} % copied`)).catch((error: Error) => {
      throw new Failure(`${from} cannot be copied: ${error.message}`);
    });
    await chmod(part, 0o600);
    const events = await verified(inPart, onProgress);
    settleSqlite(part);
    renameSync(part, to);
    return events;
  } finally {
    for (const end of ["", "-wal", "-shm"]) rmSync(part + end, { force: true });
  }
}

/**
 * Verifies the chain of every tenant of a copy, and that the master key opens it. Resolves to a summary. Rejects with
 * `Failure` when a chain has a fault.
 */
export async function verified(settings: Settings, onProgress: (text: string) => void): Promise<string> {
  if (!(await hasNewestSchema(settings))) return "events not checked, as its schema is older than this program";
  const found = await withControlPlane(settings, (controlPlane) =>
    controlPlane.verifyEvents((progress) => onProgress(countsOf(progress))),
  );
  if (found.faults.length > 0)
    throw new Failure(`the copy does not verify: ${countsOf(found)}; see reeve verify-events`);
  return countsOf(found);
}

/**
 * Whether the schema is current. An older one is not verified, because opening it as a control plane would upgrade it.
 */
export async function hasNewestSchema({ store: setting, logLevel }: Settings): Promise<boolean> {
  const store = await openStore(setting, createCommandLog(logLevel));
  try {
    const { applied, latest } = (await store.status()).migration;
    return applied >= latest;
  } finally {
    await store.close();
  }
}
