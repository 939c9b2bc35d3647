import { writeFile } from "node:fs/promises";
import type { PostgresStore } from "@reeve/store-postgres";
import { Failure } from "../../failure.js";
import { createCommandLog } from "../../log.js";
import { reasonOf } from "../../service/control-plane.js";
import { storeName } from "../../service/store.js";
import type { Settings } from "../../settings/settings.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";

interface DistributeOptions {
  readonly dryRun?: boolean;
  readonly sql?: string;
}

/**
 * Distributes the tables of a migrated database over the nodes of a Citus cluster. `dryRun` only says where each table
 * belongs. `sql` writes the statements to a new file instead. Both exit with 2 when some are left to do.
 */
export async function distribute(
  invocation: Invocation,
  { dryRun = false, sql }: DistributeOptions,
): Promise<ExitCode> {
  const { output } = invocation;
  const settings = settingsOf(invocation);
  return withPostgres(settings, async (store) => {
    const name = storeName(settings.store);
    if (sql !== undefined) {
      const text = await store.cluster.sql();
      if (text !== "") await writeNew(sql, text);
      const said = text === "" ? `${name}: all tables are distributed` : `${sql} holds what is left to do in ${name}`;
      output.result({ file: text === "" ? null : sql }, said);
      return text === "" ? 0 : 2;
    }
    const before = await store.cluster.tables();
    const open = before.filter(({ isDone }) => !isDone).length;
    if (dryRun) {
      const width = Math.max(...before.map(({ table }) => table.length));
      const lines = before.map(
        (each) => `${each.table.padEnd(width)}  ${each.placement}${each.isDone ? "" : ", to do"}`,
      );
      output.lines({ tables: before, left: open }, [
        ...lines,
        `${name}: ${open} of ${before.length} tables are left to do`,
      ]);
      return open === 0 ? 0 : 2;
    }
    let done = 0;
    await store.cluster.distribute(({ table, placement }) => {
      done += 1;
      output.progress(`${done} of ${open}: ${table} (${placement})`);
    });
    output.result(
      { distributed: done },
      `${name}: ${done} tables distributed, ${before.length - open} were so already`,
    );
    return 0;
  });
}

async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: "wx", mode: 0o600 }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new Failure(code === "EEXIST" ? `${file} is there already; name a new file` : `${file}: ${code}`);
  });
}

async function withPostgres<T>({ store: setting, logLevel }: Settings, work: (store: PostgresStore) => Promise<T>) {
  if (setting.kind !== "postgres")
    throw new Failure("only PostgreSQL has a cluster: name its coordinator by REEVE_STORE");
  const { createPostgresStore } = await import("@reeve/store-postgres");
  const { kind, ...options } = setting;
  const store = createPostgresStore({ ...options, logger: createCommandLog(logLevel) });
  try {
    return await work(store);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`cannot use ${storeName(setting)}: ${reasonOf(error)}`);
  } finally {
    await store.close();
  }
}
