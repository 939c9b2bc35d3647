import { startPostgres } from "@reeve/testkit/postgres";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** An administrator's URL of the PostgreSQL all test files share; make a database per file with createDatabase. */
    postgresUrl: string;
    /** What keeps the data in this run of a file; memory when absent. */
    store?: "sqlite" | "postgres";
  }
}

/** One real PostgreSQL for the whole run: the one of TEST_DATABASE_URL, or our own from the npm-shipped binaries. */
export default async function setup(project: TestProject) {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    project.provide("postgresUrl", given);
    return;
  }
  const server = await startPostgres();
  project.provide("postgresUrl", server.url());
  return () => server.stop();
}
