import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runSql, startPostgres } from "@reeve/testkit/postgres";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /**
     * The administrator's URL of the PostgreSQL that all test files share. Create a database per file by
     * `createDatabase`.
     */
    postgresUrl: string;
    /** The same by its Unix socket. */
    postgresSocketUrl: string;
    /** A file with the names of databases to drop after the run, one per line. */
    databasesToDrop: string;
    /** The store of the test file in this project; memory when absent. */
    store?: "sqlite" | "postgres";
  }
}

/** One real PostgreSQL for the whole run: that of TEST_DATABASE_URL, or one from the npm-shipped binaries. */
export default async function setup(project: TestProject) {
  const names = join(project.getProvidedContext().temporaryFolder, "databases");
  project.provide("databasesToDrop", names);
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    project.provide("postgresUrl", given);
    project.provide("postgresSocketUrl", given);
    return () => dropAll(given, names);
  }
  const server = await startPostgres({ inMemory: true });
  project.provide("postgresUrl", server.url());
  project.provide("postgresSocketUrl", server.socketUrl());
  return () => server.stop();
}

async function dropAll(url: string, names: string): Promise<void> {
  if (!existsSync(names)) return;
  for (const name of readFileSync(names, "utf8").trim().split("\n")) {
    await runSql(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}
