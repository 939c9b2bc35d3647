import { StoreError } from "@reeve/core/store";
import pg from "pg";
import { roleStatement, searchRole } from "../connect/roles.js";
import { type Facts, type Installation, rolesOf, SEARCH_EXTENSIONS } from "./facts.js";
import { LEDGER_COLUMNS } from "./ledger.js";

/** A statement that must run before tables are created. */
export interface SetUp {
  readonly sql: string;
  /** Whether the current user may run it. */
  readonly permitted: boolean;
  /** Roles belong to the server, so another database may be creating the same one. */
  readonly shared?: boolean;
  /** Without it, searches are slower. */
  readonly optional?: boolean;
}

const OTHER = "choose another one by the option `schema`";

/** Throws for a schema with foreign tables, or one that the user cannot read. */
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

/**
 * Throws, before anything is created, if the user cannot create all of it. The error has the SQL for an administrator.
 */
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

/** The missing roles, schema and extension, in order. `owner` is the SQL for the owner of the tables. */
export function missingSetUp(installation: Installation, facts: Facts, owner: string): readonly SetUp[] {
  return [
    ...missingSchema(installation, facts, owner),
    ...missingRoleSetUp(installation, facts, owner),
    ...missingExtensions(installation, facts),
  ];
}

/** The missing roles, and who has to belong to them. `owner` is the SQL for the owner of the tables. */
export function missingRoleSetUp(installation: Installation, facts: Facts, owner: string): readonly SetUp[] {
  return [...missingRoles(installation, facts), ...missingMembers(installation, facts, owner)];
}

function missingSchema({ namespace, console: sqlConsole }: Installation, facts: Facts, owner: string): SetUp[] {
  const permitted = facts.mayCreateSchemas;
  const schema = { sql: `CREATE SCHEMA ${namespace.quoted} AUTHORIZATION ${owner}`, permitted };
  // The schema of the console's views is recreated whenever they change.
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

/** The owner must belong to roles that get its functions and views, and the login of requests to the runtime role. */
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

function missingExtensions({ namespace }: Installation, facts: Facts): SetUp[] {
  const home = facts.hasPublicSchema ? "public" : namespace.quoted;
  const missing = SEARCH_EXTENSIONS.filter(
    (name) => !facts.extensions.includes(name) && facts.possibleExtensions.includes(name),
  );
  return missing.map((name) => ({
    sql: `CREATE EXTENSION IF NOT EXISTS ${name} SCHEMA ${home}`,
    permitted: facts.mayCreateExtension,
    optional: true,
  }));
}
