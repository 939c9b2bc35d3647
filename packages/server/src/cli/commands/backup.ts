import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Failure } from "../../failure.js";
import { createCommandLog } from "../../log.js";
import { reasonOf } from "../../service/control-plane.js";
import { dumpPostgres, hintOf, toolVersion } from "../../service/postgres-tools.js";
import { type PostgresStoreSetting, storeName, withPostgres } from "../../service/store.js";
import type { Settings } from "../../settings/settings.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import { requireStore } from "../require-store.js";
import { verified, verifiedText, workedCopy } from "../verified-copy.js";

/**
 * Copies the database to a new file while servers run. A copy of SQLite is verified: its pages, the master key and
 * every event chain. A dump of PostgreSQL is read to its end and has the rows of the moment that was dumped. The file
 * appears complete or not at all.
 */
export async function backup(invocation: Invocation, file: string): Promise<ExitCode> {
  const { output } = invocation;
  const settings = settingsOf(invocation);
  const { store } = settings;
  checkPlace(file);
  if (store.kind === "postgres") await toolVersion("pg_dump");
  await requireStore(invocation);
  const keep = "Keep the master key apart from it.";
  if (store.kind === "postgres") {
    output.progress(`Dumping ${storeName(store)}`);
    const held = totalOf(await dumped(settings, store, file));
    output.result(
      { file, ...held },
      `${storeName(store)} is dumped into ${file} and read back: ${totalText(held)}. ${keep}`,
    );
    return 0;
  }
  const { done: events, rows } = await workedCopy(
    settings,
    { from: store.file, to: file, onProgress: output.progress },
    (inCopy) => verified(inCopy, { onProgress: output.progress }).then(verifiedText),
  );
  const held = totalOf(rows);
  output.result(
    { file, events, ...held },
    `${store.file} is copied into ${file}: ${totalText(held)}; ${events}. ${keep}`,
  );
  return 0;
}

/** Throws a `Failure` where no new file can be made. A folder that is missing may be a volume that is not mounted. */
function checkPlace(file: string): void {
  if (existsSync(file)) throw new Failure(`${file} is there already; name a new file`);
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) throw new Failure(`the folder ${folder} is not there; mount it or make it first`);
}

async function dumped({ logLevel }: Settings, store: PostgresStoreSetting, file: string) {
  const { migrationUrl: url = store.url, schema } = store;
  try {
    return await withPostgres(store, createCommandLog(logLevel), (opened) =>
      dumpPostgres(file, { url, schema, atOneMoment: (dump) => opened.dump(dump) }),
    );
  } catch (error) {
    if (error instanceof Failure) throw error;
    const reason = reasonOf(error);
    throw new Failure(`${storeName(store)} gives no dump: ${reason}${hintOf(reason)}`);
  }
}

interface Total {
  readonly tables: number;
  readonly rows: number;
}

function totalOf(counts: ReadonlyMap<string, number>): Total {
  return { tables: counts.size, rows: [...counts.values()].reduce((sum, rows) => sum + rows, 0) };
}

const totalText = ({ tables, rows }: Total): string => `${tables} tables with ${rows} rows in all`;
