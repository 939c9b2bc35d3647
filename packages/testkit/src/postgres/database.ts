import { randomBytes } from "node:crypto";
import pg from "pg";

/** A separate database on a shared server. */
export interface TestDatabase {
  /** The connection URL of the new database, with the user and host of the original URL. */
  url: string;
  /** Ends its sessions and drops it. */
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
    drop: async () => void (await runSql(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
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

/** Copying files takes a tenth of the time of logging every page, which is the default of newer servers. */
async function byCopying(adminUrl: string): Promise<string> {
  let strategy = strategies.get(adminUrl);
  if (!strategy) {
    strategy = runSql(adminUrl, "SELECT current_setting('server_version_num')::int >= 150000 AS told").then(([row]) =>
      row?.reported === true ? " STRATEGY FILE_COPY" : "",
    );
    strategies.set(adminUrl, strategy);
  }
  return strategy;
}

const strategies = new Map<string, Promise<string>>();
