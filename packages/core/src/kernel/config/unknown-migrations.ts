import { StoreError } from "#store/store-error.js";
import type { Environment } from "./environment.js";

/** Whether the database may have tables and fields of a newer version, which this code would leave out. */
export async function hasUnknownMigrations(env: Environment): Promise<boolean> {
  return (await env.store.status()).migration.unknown === true;
}

/** Refuses work that must not leave anything out. `what` names it as an order to the reader. */
export async function requireKnownMigrations(env: Environment, what: string): Promise<void> {
  if (!(await hasUnknownMigrations(env))) return;
  const why = "the database has migrations of a newer version, whose tables and fields this one does not know";
  throw new StoreError("schema", `${why}: ${what} with the newest version that runs on it`);
}
