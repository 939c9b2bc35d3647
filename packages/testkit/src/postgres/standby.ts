import { execFile } from "node:child_process";
import { chownSync, cpSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import type { Binaries } from "./binaries.js";

/** Files that belong to the running server: its process, its socket and the lock of that. */
const OF_THE_PROCESS = /^(?:postmaster[.](?:pid|opts)|[.]s[.]PGSQL[.].*)$/;

/** Copies the data of a running server as the start of a standby, by its own backup mode. */
export async function copyForStandby({ identity }: Binaries, url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    cpSync(from, to, { recursive: true, filter: (path) => !OF_THE_PROCESS.test(relative(from, path)) });
    const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
    writeFileSync(join(to, "backup_label"), rows[0]?.labelfile ?? "");
    writeFileSync(join(to, "standby.signal"), "");
  } finally {
    await client.end();
  }
  if (identity.uid === undefined) return;
  chownSync(to, identity.uid, identity.gid ?? identity.uid);
  await promisify(execFile)("chown", ["-R", `${identity.uid}:${identity.gid}`, to]);
}
