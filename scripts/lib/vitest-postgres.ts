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
  const server = given ? undefined : await startPostgres({ inMemory: true });
  project.provide("postgresUrl", server?.url() ?? (given as string));
  project.provide("postgresSocketUrl", server?.socketUrl() ?? (given as string));
  return async () => {
    await server?.stop();
    await dropAll(names, given);
  };
}

/** Drops what is on a server that stays. With TEST_CITUS_URL all that was noted is on the nodes of the cluster. */
async function dropAll(names: string, given: string | undefined): Promise<void> {
  const isOnCluster = Boolean(process.env.TEST_CITUS_URL);
  if (!existsSync(names) || !(given || isOnCluster)) return;
  const { dropOnNodes } = isOnCluster ? await import("../../packages/core/test/helpers/cluster-databases.js") : {};
  for (const name of readFileSync(names, "utf8").trim().split("\n")) {
    if (dropOnNodes) await dropOnNodes(name);
    else await runSql(given as string, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}
