import { existsSync, rmSync } from "node:fs";
import { Failure } from "../../failure.js";
import { dumpPostgres } from "../../service/postgres-tools.js";
import { storeName } from "../../service/store.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import { requireStore } from "../require-store.js";
import { verified, verifiedText, workedCopy } from "../verified-copy.js";

/**
 * Copies the database to a new file while servers run. A copy of SQLite is verified: its pages, the master key and
 * every event chain. The file appears complete or not at all.
 */
export async function backup(invocation: Invocation, file: string): Promise<ExitCode> {
  const { output } = invocation;
  const settings = settingsOf(invocation);
  const { store } = settings;
  if (existsSync(file)) throw new Failure(`${file} is there already; name a new file`);
  if (store.kind === "postgres") {
    output.progress(`Dumping ${storeName(store)}`);
    await dumpPostgres(store.migrationUrl ?? store.url, file, store.schema);
    await requireStore(invocation).catch((error: unknown) => {
      rmSync(file, { force: true });
      throw error;
    });
    output.result({ file }, `${storeName(store)} is dumped into ${file}. Keep the master key apart from it.`);
    return 0;
  }
  await requireStore(invocation);
  const events = await workedCopy(settings, { from: store.file, to: file, onProgress: output.progress }, (inCopy) =>
    verified(inCopy, { onProgress: output.progress }).then(verifiedText),
  );
  output.result(
    { file, events },
    `${store.file} is copied into ${file}: ${events}. Keep the master key apart from it.`,
  );
  return 0;
}
