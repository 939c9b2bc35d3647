import { existsSync } from "node:fs";
import { Failure } from "../../failure.js";
import { createCommandLog } from "../../log.js";
import { reasonOf } from "../../service/control-plane.js";
import { openStore, storeName } from "../../service/store.js";
import type { Settings } from "../../settings/settings.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";

/** Makes or upgrades the schema. With `dryRun` only counts what is missing, and ends with 2 when something is. */
export async function migrate(invocation: Invocation, { dryRun = false }): Promise<ExitCode> {
  const { output } = invocation;
  const settings = settingsOf(invocation);
  if (dryRun && settings.store.kind === "sqlite" && !existsSync(settings.store.file)) {
    output.result({ applied: 0 }, `${storeName(settings.store)} is not there yet: every migration is missing`);
    return 2;
  }
  const migration = await migrated(settings, dryRun);
  const missing = migration.latest - migration.applied;
  const outcome = missing === 0 ? "the schema is the newest" : `${missing} migrations are missing`;
  output.result(migration, `${storeName(settings.store)}: ${outcome} (${migration.applied} of ${migration.latest})`);
  return missing === 0 ? 0 : 2;
}

async function migrated({ store: setting, logLevel }: Settings, dryRun: boolean) {
  try {
    const store = await openStore(setting, createCommandLog(logLevel));
    try {
      if (!dryRun) await store.migrate();
      return (await store.status()).migration;
    } finally {
      await store.close();
    }
  } catch (error) {
    throw new Failure(`cannot use ${storeName(setting)}: ${reasonOf(error)}`);
  }
}
