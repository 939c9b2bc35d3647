import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** A separate database on a shared server. */
export interface TestDatabase {
  /** The connection URL of the new database, with the user and host of the original URL. */
  url: string;
  /** Waits a second for its sessions to end, ends those that are left, and drops it. */
  drop(): Promise<void>;
}

/**
 * Creates an empty database, or a copy of `template`, on the server of `adminUrl`. Its user needs the right to create
 * databases. Nobody may be connected to the template meanwhile.
 */
export async function createDatabase(adminUrl: string, options: { template?: string } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const template = pg.escapeIdentifier(options.template ?? "template0");
  await runSql(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}${await byCopying(adminUrl)}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      await sessionsEnded(adminUrl, name);
      await runSql(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** Runs one statement on a new connection and returns the rows. */
export async function runSql(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Waits until a database has no sessions, at most a second. `end()` of a pool resolves before the server has ended its
 * sessions, and one that is cut meanwhile raises an error that the pool has no listener for (pg-pool 3.14).
 */
async function sessionsEnded(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (const until = Date.now() + 1_000; Date.now() < until; await sleep(20)) {
      const { rows } = await client.query("SELECT 1 FROM pg_stat_activity WHERE datname = $1 LIMIT 1", [name]);
      if (rows.length === 0) return;
    }
  } finally {
    await client.end();
  }
}

/** Copying files takes a tenth of the time of logging every page, which is the default of newer servers. */
async function byCopying(adminUrl: string): Promise<string> {
  let strategy = strategies.get(adminUrl);
  if (!strategy) {
    strategy = runSql(adminUrl, "SHOW server_version_num").then(([row]) =>
      Number(row?.server_version_num) >= 150_000 ? " STRATEGY FILE_COPY" : "",
    );
    strategies.set(adminUrl, strategy);
  }
  return strategy;
}

const strategies = new Map<string, Promise<string>>();
