import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { StoreStatus } from "@reeve/core/store";
import { Failure } from "../../failure.js";
import { backfillText } from "../../service/backfill-text.js";
import { storeName } from "../../service/store.js";
import type { Settings } from "../../settings/settings.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import { withStore } from "../with-store.js";

interface MigrateOptions {
  readonly dryRun?: boolean;
  readonly sql?: string;
}

/**
 * Creates or upgrades the schema, and fills rows that it reshapes. `dryRun` only counts missing migrations. `sql` writes
 * them to a new file for an administrator. Both exit with 2 when something is missing.
 */
export async function migrate(invocation: Invocation, { dryRun = false, sql }: MigrateOptions): Promise<ExitCode> {
  const { output } = invocation;
  const settings = settingsOf(invocation);
  const { store } = settings;
  if ((dryRun || sql !== undefined) && store.kind === "sqlite" && !existsSync(store.file)) {
    output.result({ applied: 0 }, `${storeName(store)} is not there yet: every migration is missing`);
    return 2;
  }
  if (sql !== undefined) return writeSql(invocation, settings, sql);
  const { migration, backfills = [] } = await withStore(settings, async (opened) => {
    if (!dryRun) await opened.migrate();
    return opened.status();
  });
  const { applied, latest } = migration;
  const unfinished = backfills.filter(({ finished }) => !finished);
  const isDone = applied >= latest && unfinished.length === 0;
  const outcome = [outcomeOf(migration), ...unfinished.map(backfillText)].join("; ");
  output.result({ applied, latest, backfills }, `${storeName(store)}: ${outcome} (${applied} of ${latest})`);
  return isDone ? 0 : 2;
}

function outcomeOf({ applied, latest }: StoreStatus["migration"]): string {
  if (applied > latest) return "the schema is newer than this program";
  if (applied === latest) return "the schema is the newest";
  return latest - applied === 1 ? "one migration is missing" : `${latest - applied} migrations are missing`;
}

async function writeSql({ output }: Invocation, settings: Settings, file: string): Promise<ExitCode> {
  const text = (await withStore(settings, async (store) => store.migrationSql?.())) ?? "";
  if (text === "") {
    output.result({ file: null }, `${storeName(settings.store)}: nothing is missing, so nothing is written`);
    return 0;
  }
  await writeFile(file, text, { flag: "wx", mode: 0o600 }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new Failure(code === "EEXIST" ? `${file} is there already; name a new file` : `${file}: ${code}`);
  });
  output.result({ file }, `${file} holds what is missing in ${storeName(settings.store)}`);
  return 2;
}
