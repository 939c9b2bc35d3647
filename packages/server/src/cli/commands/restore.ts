import { existsSync } from "node:fs";
import { Failure } from "../../failure.js";
import { masterKeyFile } from "../../service/master-key.js";
import { restorePostgres } from "../../service/postgres-tools.js";
import { storeName } from "../../service/store.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import { verifiedCopy } from "../verified-copy.js";

/** Restores a backup where there is no database yet, after the checks of `backup`. It never overwrites. */
export async function restore(invocation: Invocation, file: string): Promise<ExitCode> {
  const { output } = invocation;
  const settings = settingsOf(invocation);
  const { store } = settings;
  if (!existsSync(file)) throw new Failure(`there is no file ${file}`);
  if (store.kind === "postgres") {
    output.progress(`Restoring ${storeName(store)}`);
    await restorePostgres(store.migrationUrl ?? store.url, file);
    output.result({ file }, `${file} is restored into ${storeName(store)}. Run reeve verify-events next.`);
    return 0;
  }
  if (existsSync(store.file)) throw new Failure(`${store.file} is there already; move it away first`);
  const keyFile = masterKeyFile(settings);
  if (settings.masterKey === undefined && !existsSync(keyFile))
    throw new Failure(`REEVE_MASTER_KEY is required: the key that the backup was made with, there or in ${keyFile}`);
  const events = await verifiedCopy(settings, { from: file, to: store.file, onProgress: output.progress });
  output.result({ file, events }, `${file} is restored into ${store.file}: ${events}`);
  return 0;
}
