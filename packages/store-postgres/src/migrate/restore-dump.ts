import { StoreError } from "@reeve/core/store";
import pg from "pg";
import { searchRole } from "../connect/roles.js";
import { type Installation, readFacts } from "./facts.js";
import { guarded, markRestored } from "./migrate.js";
import { connected, inTransaction, type MigrateOptions } from "./owner.js";
import { missingRoleSetUp } from "./set-up.js";

/** See `PostgresStore.restore`. */
export async function restoreDump(options: MigrateOptions, schemaless: () => Promise<void>): Promise<void> {
  await prepareRestore(options);
  try {
    // The mark stays after a failure, because the rows may be there all the same.
    await markRestored(options, true);
    await schemaless();
  } finally {
    await finishRestore(options);
  }
}

/**
 * Creates what a dump names and cannot make itself, in a database that has none of its tables: the roles, which belong to
 * the server, and the schema. The role of the search functions may create there meanwhile, because their new owner must.
 */
async function prepareRestore(options: MigrateOptions): Promise<void> {
  await connected(options.dialer, async (client) => {
    const facts = await readFacts(client, options);
    const { schema } = options.namespace;
    if (facts.owner !== null)
      throw new StoreError("schema", `the database "${facts.database}" has the schema "${schema}" already`);
    await inTransaction(client, options, async () => {
      for (const step of missingRoleSetUp(options, facts, "CURRENT_USER")) await client.query(guarded(step));
      await client.query(`CREATE SCHEMA ${options.namespace.quoted}`);
      await client.query(`GRANT CREATE ON SCHEMA ${options.namespace.quoted} TO ${searchOwner(options)}`);
    });
  });
}

/** Takes back what a restore needed, and a schema that it has left empty. */
async function finishRestore(options: MigrateOptions): Promise<void> {
  await connected(options.dialer, async (client) => {
    const { quoted } = options.namespace;
    const { owner, relations } = await readFacts(client, options);
    if (owner === null) return;
    await client.query(
      relations.length === 0
        ? `DROP SCHEMA ${quoted}`
        : `REVOKE CREATE ON SCHEMA ${quoted} FROM ${searchOwner(options)}`,
    );
  });
}

const searchOwner = ({ runtimeRole }: Installation) => pg.escapeIdentifier(searchRole(runtimeRole));
