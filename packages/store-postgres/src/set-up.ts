import { StoreError } from "@reeve/core/store";
import pg from "pg";
import { type Facts, type Installation, rolesOf } from "./facts.js";
import { LEDGER_COLUMNS } from "./ledger.js";
import { roleStatement, searchRole } from "./roles.js";

/** A statement of what must be there before tables are made. */
export interface SetUp {
  readonly sql: string;
  /** Whether the one who asked may run it. */
  readonly permitted: boolean;
  /** A role belongs to the server, so another database may make the same one at this moment. */
  readonly shared?: boolean;
  /** Searches are slower without it. */
  readonly optional?: boolean;
}

const OTHER = "choose another one by the option `schema`";

/** Refuses a schema that holds something else than Reeve's tables, or that one may not look into. */
export function checkSchema({ namespace: { schema } }: Installation, facts: Facts): void {
  const { owner, user, relations, ledger, readsLedger } = facts;
  if (ledger.length === 0 && relations.length > 0) {
    const some = relations.slice(0, 5).join(", ");
    const more = relations.length > 5 ? ` and ${relations.length - 5} more` : "";
    throw new StoreError("schema", `the schema "${schema}" holds what is not Reeve's (${some}${more}): ${OTHER}`);
  }
  if (ledger.length === 0) return;
  if (!LEDGER_COLUMNS.every((column) => ledger.includes(column)))
    throw new StoreError("schema", `the schema "${schema}" has a table "migrations" that is not Reeve's: ${OTHER}`);
  if (!readsLedger)
    throw new StoreError("schema", `the schema "${schema}" belongs to "${owner}" and is closed to "${user}": ${OTHER}`);
}

/** Refuses before anything is made what could not be made whole, with what an administrator has to run. */
export function checkPermitted(installation: Installation, facts: Facts): void {
  const { owner, user, database, ownsSchema } = facts;
  const { schema, quoted } = installation.namespace;
  if (owner !== null && !ownsSchema) {
    const give = `ALTER SCHEMA ${quoted} OWNER TO ${pg.escapeIdentifier(user)}`;
    throw new StoreError(
      "schema",
      `the schema "${schema}" belongs to "${owner}": ${OTHER}, or have it given: ${give};`,
    );
  }
  const missing = missingSetUp(installation, facts, pg.escapeIdentifier(user));
  if (missing.every(({ permitted }) => permitted)) return;
  const sql = missing.map((each) => `${each.sql};`).join("\n");
  const line = `"${user}" may not make all that Reeve needs in the database "${database}": an administrator has to run there`;
  throw new StoreError("schema", `${line}\n${sql}`);
}

/** What is missing beside tables, in order. `owner` stands in the statements for who is to own the tables. */
export function missingSetUp(installation: Installation, facts: Facts, owner: string): readonly SetUp[] {
  return [
    ...missingSchema(installation, facts, owner),
    ...missingRoles(installation, facts),
    ...missingMembers(installation, facts, owner),
    ...missingExtension(installation, facts),
  ];
}

function missingSchema({ namespace, console: sqlConsole }: Installation, facts: Facts, owner: string): SetUp[] {
  const permitted = facts.mayCreateSchemas;
  const schema = { sql: `CREATE SCHEMA ${namespace.quoted} AUTHORIZATION ${owner}`, permitted };
  // The views of the console lie in a schema that is made anew whenever they change.
  const others = { sql: `GRANT CREATE ON DATABASE ${pg.escapeIdentifier(facts.database)} TO ${owner}`, permitted };
  return [...(facts.owner === null ? [schema] : []), ...(sqlConsole && !permitted ? [others] : [])];
}

function missingRoles(installation: Installation, { roles, mayCreateRoles }: Facts): SetUp[] {
  const { runtimeRole } = installation;
  const planned = [runtimeRole, searchRole(runtimeRole)];
  const missing = rolesOf(installation).filter((role) => !roles.includes(role));
  return missing.map((role) => {
    return { sql: roleStatement(role, planned.includes(role)), permitted: mayCreateRoles, shared: true };
  });
}

/** The owner of the tables gives functions and views away to roles, and the login of requests becomes the runtime role. */
function missingMembers(
  { runtimeRole, login, console: sqlConsole }: Installation,
  facts: Facts,
  owner: string,
): SetUp[] {
  const made = facts.mayCreateRoles ? (role: string) => !facts.roles.includes(role) : () => false;
  const permitted = (role: string) => facts.givesAway.includes(role) || made(role);
  const held = [searchRole(runtimeRole), ...(sqlConsole ? [sqlConsole.names.owner] : [])];
  const lacking = facts.isSuperuser ? [] : held.filter((role) => !facts.memberOf.includes(role));
  const grant = (role: string, to: string): SetUp => {
    return { sql: `GRANT ${pg.escapeIdentifier(role)} TO ${to}`, permitted: permitted(role) };
  };
  return [
    ...lacking.map((role) => grant(role, owner)),
    ...(login !== undefined && facts.loginLacksRole ? [grant(runtimeRole, pg.escapeIdentifier(login))] : []),
  ];
}

function missingExtension({ namespace }: Installation, facts: Facts): SetUp[] {
  if (facts.trigrams !== "possible") return [];
  const home = facts.hasPublicSchema ? "public" : namespace.quoted;
  const sql = `CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA ${home}`;
  return [{ sql, permitted: facts.mayCreateExtension, optional: true }];
}
