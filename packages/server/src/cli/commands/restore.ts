import { existsSync } from "node:fs";
import { Failure } from "../../failure.js";
import { createCommandLog } from "../../log.js";
import { reasonOf } from "../../service/control-plane.js";
import { masterKeyFile } from "../../service/master-key.js";
import { restorePostgres } from "../../service/postgres-tools.js";
import { aroundRestore, storeName } from "../../service/store.js";
import type { Settings } from "../../settings/settings.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import { markOlder, NOT_CHECKED, verified, workedCopy } from "../verified-copy.js";
import { ended, endedOf } from "./after-restore.js";

const OLDER = "its schema is older than this program; run reeve migrate and reeve after-restore before a server starts";

/** What was done in the restored database, as text. */
interface Restored {
  readonly events: string;
  readonly told: string;
  readonly code: ExitCode;
}

/**
 * Restores a backup where there is no database yet, after the checks of `backup`. It never overwrites. Exit code 2 when
 * something is left to do before a server starts.
 */
export async function restore(invocation: Invocation, file: string): Promise<ExitCode> {
  const { output } = invocation;
  const settings = settingsOf(invocation);
  const { store } = settings;
  if (!existsSync(file)) throw new Failure(`there is no file ${file}`);
  const keyFile = masterKeyFile(settings);
  const mayRestore = () => {
    if (settings.masterKey === undefined && !existsSync(keyFile))
      throw new Failure(`REEVE_MASTER_KEY is required: the key that the backup was made with, there or in ${keyFile}`);
  };
  let done: Restored;
  if (store.kind === "postgres") {
    mayRestore();
    output.progress(`Restoring ${storeName(store)}`);
    await aroundRestore(store, createCommandLog(settings.logLevel), () =>
      restorePostgres(store.migrationUrl ?? store.url, file),
    );
    done = await inDatabase(invocation, settings);
  } else {
    // SQLite would read a journal of the database before into this one.
    const there = ["", "-wal", "-journal"].map((end) => store.file + end).find(existsSync);
    if (there !== undefined) throw new Failure(`${there} is there already; move it away first`);
    mayRestore();
    const copy = { from: file, to: store.file, onProgress: output.progress };
    done = await workedCopy(settings, copy, (inCopy) => inTheCopy(invocation, inCopy));
  }
  const { events, told, code } = done;
  const into = store.kind === "postgres" ? storeName(store) : store.file;
  output.result({ file, events }, `${file} is restored into ${into}: ${events}; ${told}`);
  return code;
}

/** Verifies a copy that nobody can open yet and ends what it brings back. A fault leaves no database. */
async function inTheCopy({ output }: Invocation, settings: Settings): Promise<Restored> {
  if (await markOlder(settings)) return { events: NOT_CHECKED, told: OLDER, code: 2 };
  const events = await verified(settings, output.progress);
  return { events, told: endedOf(await ended(settings, output)), code: 0 };
}

/**
 * The same in a database that is there already, and marked. What it brings back is ended for a chain with faults too,
 * because its rows stay for whoever looks into it.
 */
async function inDatabase({ output }: Invocation, settings: Settings): Promise<Restored> {
  if (await markOlder(settings)) return { events: NOT_CHECKED, told: OLDER, code: 2 };
  const events = await orFault(verified(settings, output.progress));
  const told = await orFault(ended(settings, output).then(endedOf));
  const name = storeName(settings.store);
  const faults = [events, told].flatMap(({ fault }) => fault ?? []);
  if (told.fault !== undefined) {
    const remedy = "drop it and restore again, or run reeve after-restore before a server starts";
    throw new Failure(`${[...new Set(faults)].join("; ")}; ${name} is restored, and no server starts on it: ${remedy}`);
  }
  if (events.fault !== undefined) throw new Failure(`${events.fault}; ${name} is restored all the same: ${told.text}`);
  return { events: events.text, told: told.text, code: 0 };
}

type Outcome = { readonly text: string; readonly fault?: undefined } | { readonly fault: string };

async function orFault(step: Promise<string>): Promise<Outcome> {
  try {
    return { text: await step };
  } catch (error) {
    return { fault: reasonOf(error) };
  }
}
