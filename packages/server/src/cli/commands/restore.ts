import { existsSync } from "node:fs";
import type { EventsVerification } from "@reeve/core";
import { Failure } from "../../failure.js";
import { createCommandLog } from "../../log.js";
import { reasonOf } from "../../service/control-plane.js";
import { masterKeyFile } from "../../service/master-key.js";
import { analyzePostgres, requireDump, restorePostgres } from "../../service/postgres-tools.js";
import { type PostgresStoreSetting, storeName, withPostgres } from "../../service/store.js";
import type { Settings } from "../../settings/settings.js";
import { checkThere } from "../checkpoint-file.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import type { Output } from "../output.js";
import { markForOthers, type Verifying, verified, verifiedText, workedCopy } from "../verified-copy.js";
import { ended, endedOf } from "./after-restore.js";
import { reportBeyond, type VerifyOptions } from "./verify-events.js";

const LEFT = {
  older: "its schema is older than this program; run reeve migrate and reeve after-restore before a server starts",
  newer:
    "it has tables that this program does not know; run reeve after-restore of the version that made it, or afterRestore() of its host, before a server starts",
};

/** What was done in the restored database. */
interface Restored {
  readonly found?: EventsVerification | undefined;
  readonly reported: string;
  /** Whether something is left to do before a server starts. */
  readonly isLeft?: true;
}

/**
 * Restores a backup where there is no database yet, after the checks of `backup`. It never overwrites. Exit code 2 when
 * something is left to do before a server starts, or a chain ends before a checkpoint.
 */
export async function restore(invocation: Invocation, file: string, { checkpoints }: VerifyOptions): Promise<ExitCode> {
  const { output } = invocation;
  const settings = settingsOf(invocation);
  const { store } = settings;
  for (const each of [file, checkpoints]) checkThere(each);
  checkTarget(settings);
  const verifying = { onProgress: output.progress, checkpoints };
  let done: Restored;
  if (store.kind === "postgres") {
    output.progress(`Restoring ${storeName(store)}`);
    const url = store.migrationUrl ?? store.url;
    await requireDump(file, store.schema);
    await restoreDump(settings, store, url, file);
    await analyze(output, url);
    done = await inDatabase(output, settings, verifying);
  } else {
    const copy = { from: file, to: store.file, onProgress: output.progress };
    ({ done } = await workedCopy(settings, copy, (inCopy) => inTheCopy(output, inCopy, verifying)));
  }
  const { found, reported, isLeft = false } = done;
  const events = verifiedText(found);
  const into = store.kind === "postgres" ? storeName(store) : store.file;
  if (found) reportBeyond(output, found);
  output.result({ file, events }, `${file} is restored into ${into}: ${events}; ${reported}`);
  return !isLeft && found?.beyond.length === 0 ? 0 : 2;
}

async function restoreDump(
  { logLevel }: Settings,
  store: PostgresStoreSetting,
  url: string,
  file: string,
): Promise<void> {
  try {
    await withPostgres(store, createCommandLog(logLevel), (opened) =>
      opened.restore(() => restorePostgres(url, file, store.schema)),
    );
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${storeName(store)} takes no restore: ${reasonOf(error)}; name an empty database`);
  }
}

/** Throws a `Failure` where nothing may be restored. */
function checkTarget(settings: Settings): void {
  const { store } = settings;
  if (store.kind === "sqlite") {
    // SQLite would read a journal of the database before into this one.
    const there = ["", "-wal", "-journal"].map((end) => store.file + end).find(existsSync);
    if (there !== undefined) throw new Failure(`${there} is there already; move it away first`);
  }
  const keyFile = masterKeyFile(settings);
  if (settings.masterKey === undefined && !existsSync(keyFile))
    throw new Failure(`REEVE_MASTER_KEY is required: the key that the backup was made with, there or in ${keyFile}`);
}

/** A restore without statistics is slow and not wrong, so their failure is told and ends nothing. */
async function analyze(output: Output, url: string): Promise<void> {
  output.progress("Gathering the statistics of its tables");
  try {
    await analyzePostgres(url);
  } catch (error) {
    output.progress(`Queries are slow until someone runs ANALYZE in this database: ${reasonOf(error)}`);
  }
}

/** Verifies a copy that nobody can open yet and ends what it brings back. A fault leaves no database. */
async function inTheCopy(output: Output, settings: Settings, verifying: Verifying): Promise<Restored> {
  const other = await markForOthers(settings);
  const found = await verified(settings, verifying);
  if (other) return { found, reported: LEFT[other], isLeft: true };
  return { found, reported: endedOf(await ended(settings, output)) };
}

/**
 * The same in a database that is there already, and marked. What it brings back is ended for a chain with faults too,
 * because its rows stay for whoever looks into it.
 */
async function inDatabase(output: Output, settings: Settings, verifying: Verifying): Promise<Restored> {
  const other = await markForOthers(settings);
  if (other) return { found: await verified(settings, verifying), reported: LEFT[other], isLeft: true };
  const [verification] = await Promise.allSettled([verified(settings, verifying)]);
  const [end] = await Promise.allSettled([ended(settings, output)]);
  const name = storeName(settings.store);
  if (end.status === "rejected") {
    const faults = [verification, end].flatMap((step) => (step.status === "rejected" ? reasonOf(step.reason) : []));
    const remedy = "drop it and restore again, or run reeve after-restore before a server starts";
    throw new Failure(`${[...new Set(faults)].join("; ")}; ${name} is restored, and no server starts on it: ${remedy}`);
  }
  const reported = endedOf(end.value);
  if (verification.status === "rejected")
    throw new Failure(`${reasonOf(verification.reason)}; ${name} is restored all the same: ${reported}`);
  return { found: verification.value, reported };
}
