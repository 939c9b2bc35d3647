import { existsSync } from "node:fs";
import { Failure } from "../../failure.js";
import { createCommandLog } from "../../log.js";
import { reasonOf } from "../../service/control-plane.js";
import { masterKeyFile } from "../../service/master-key.js";
import { restorePostgres } from "../../service/postgres-tools.js";
import { makeRoles, storeName } from "../../service/store.js";
import type { Settings } from "../../settings/settings.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import { hasNewestSchema, verified, verifiedCopy } from "../verified-copy.js";
import { withControlPlane } from "../with-control-plane.js";
import { endedOf } from "./after-restore.js";

/** Restores a backup where there is no database yet, after the checks of `backup`. It never overwrites. */
export async function restore(invocation: Invocation, file: string): Promise<ExitCode> {
  const { output } = invocation;
  const settings = settingsOf(invocation);
  const { store } = settings;
  if (!existsSync(file)) throw new Failure(`there is no file ${file}`);
  if (store.kind === "sqlite" && existsSync(store.file))
    throw new Failure(`${store.file} is there already; move it away first`);
  const keyFile = masterKeyFile(settings);
  if (settings.masterKey === undefined && !existsSync(keyFile))
    throw new Failure(`REEVE_MASTER_KEY is required: the key that the backup was made with, there or in ${keyFile}`);
  if (store.kind === "postgres") {
    output.progress(`Restoring ${storeName(store)}`);
    await makeRoles(store, createCommandLog(settings.logLevel));
    await restorePostgres(store.migrationUrl ?? store.url, file);
    const events = await afterwards(store, verified(settings, output.progress));
    const told = await afterwards(store, ended(invocation, settings));
    output.result({ file, events }, `${file} is restored into ${storeName(store)}: ${events}; ${told}`);
    return 0;
  }
  const events = await verifiedCopy(settings, { from: file, to: store.file, onProgress: output.progress });
  const told = await ended(invocation, settings);
  output.result({ file, events }, `${file} is restored into ${store.file}: ${events}; ${told}`);
  return 0;
}

/** Says of a failure behind `pg_restore` what is there all the same: the database, with all that was revoked since. */
async function afterwards<T>(store: Settings["store"], step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    const remedy = "drop it and restore again, or run reeve after-restore before a server starts";
    const failure = new Failure(
      `${reasonOf(error)}; ${storeName(store)} is restored, and tokens that were revoked since work in it: ${remedy}`,
    );
    failure.cause = error;
    throw failure;
  }
}

/** Ends what the backup has brought back, unless that would upgrade a schema that an older program may want. */
async function ended({ output }: Invocation, settings: Settings): Promise<string> {
  if (!(await hasNewestSchema(settings)))
    return "its schema is older than this program; run reeve migrate and reeve after-restore before a server starts";
  const done = await withControlPlane(settings, (controlPlane) =>
    controlPlane.afterRestore((progress) => output.progress(endedOf(progress))),
  );
  return endedOf(done);
}
