import type { ConsoleView } from "@reeve/store-sql";
import type { ClientBase } from "pg";
import { searchRole } from "../connect/roles.js";
import type { ConsoleNames } from "../statement/console-views.js";
import type { Namespace } from "../statement/namespace.js";

/** What a store expects in its database. */
export interface Installation {
  readonly namespace: Namespace;
  readonly runtimeRole: string;
  /** The login of requests, where known. */
  readonly login?: string | undefined;
  /** The SQL console, if configured. */
  readonly console?: { readonly names: ConsoleNames; readonly views: readonly ConsoleView[] };
}

/** What a database contains of an installation, and what the current user may do there. */
export interface Facts {
  readonly user: string;
  readonly database: string;
  readonly mayCreateSchemas: boolean;
  readonly mayCreateRoles: boolean;
  readonly mayCreateExtension: boolean;
  readonly isSuperuser: boolean;
  /** The owner of the schema; `null` when there is none. */
  readonly owner: string | null;
  readonly ownsSchema: boolean;
  /** The tables and views in the schema. */
  readonly relations: readonly string[];
  /** Columns of the ledger of migrations; empty without a ledger. */
  readonly ledger: readonly string[];
  readonly readsLedger: boolean;
  /** The roles that exist, those that the user may act as, and those it may grant. */
  readonly roles: readonly string[];
  readonly memberOf: readonly string[];
  readonly givesAway: readonly string[];
  /** Whether the login of requests is known and cannot take the runtime role. */
  readonly loginLacksRole: boolean;
  /** Whether the runtime role has its grants. */
  readonly isGranted: boolean;
  readonly hasPublicSchema: boolean;
  /** The extensions for searches that exist, and those that can be created. Some servers do not have them. */
  readonly extensions: readonly string[];
  readonly possibleExtensions: readonly string[];
}

/** The extensions that give searches an index: of trigrams, and led by the tenant. */
export const SEARCH_EXTENSIONS = ["pg_trgm", "btree_gin"] as const;

/** The roles of an installation. */
export function rolesOf({ runtimeRole, console: sqlConsole }: Installation): readonly string[] {
  const names = sqlConsole ? [sqlConsole.names.group, sqlConsole.names.owner] : [];
  return [runtimeRole, searchRole(runtimeRole), ...names];
}

/** Reads the catalogues only, so any user can call it. */
export async function readFacts(client: ClientBase, installation: Installation): Promise<Facts> {
  const { namespace, runtimeRole, login } = installation;
  const values = [namespace.schema, rolesOf(installation), runtimeRole, login ?? null, SEARCH_EXTENSIONS];
  const { rows } = await client.query<Facts>(FACTS, values);
  return rows[0] as Facts;
}

const FACTS = `with server as (select current_setting('server_version_num')::int >= 160000 as split), acting as (
  select case when split then 'set' else 'member' end as kind from server
), wanted as (select r.oid, r.rolname::text as name from pg_roles r where r.rolname = any($2::text[]))
select me.rolname as "user", current_database() as database,
  me.rolsuper as "isSuperuser", me.rolsuper or me.rolcreaterole as "mayCreateRoles",
  has_database_privilege(current_database(), 'create') as "mayCreateSchemas",
  me.rolsuper or (has_database_privilege(current_database(), 'create') and coalesce((
    select bool_and(v.trusted) from pg_available_extension_versions v where v.name = any($5::text[])), false)) as "mayCreateExtension",
  pg_get_userbyid(n.nspowner) as owner,
  coalesce(pg_has_role(n.nspowner, 'usage'), true) as "ownsSchema",
  array(select c.relname::text from pg_class c
    where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') order by 1) as relations,
  array(select a.attname::text from pg_attribute a
    where a.attrelid = ledger.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as ledger,
  coalesce(has_schema_privilege(n.oid, 'usage') and has_table_privilege(ledger.oid, 'select'), false) as "readsLedger",
  array(select name from wanted) as roles,
  array(select name from wanted where pg_has_role(oid, (select kind from acting))) as "memberOf",
  array(select name from wanted where pg_has_role(oid, 'member with admin option')
    or (me.rolcreaterole and not (select split from server))) as "givesAway",
  coalesce((select l.rolname <> $3::text and not l.rolsuper and not coalesce(
    (select pg_has_role(l.oid, w.oid, (select kind from acting)) from wanted w where w.name = $3::text), false)
    from pg_roles l where l.rolname = $4::text), false) as "loginLacksRole",
  coalesce((select has_table_privilege(w.oid, heads.oid, 'insert') from wanted w where w.name = $3::text), false) as "isGranted",
  to_regnamespace('public') is not null as "hasPublicSchema",
  array(select extname::text from pg_extension where extname = any($5::text[])) as extensions,
  array(select name::text from pg_available_extensions where name = any($5::text[])) as "possibleExtensions"
from pg_roles me
  left join pg_namespace n on n.nspname = $1::text
  left join pg_class ledger on ledger.relnamespace = n.oid and ledger.relname = 'migrations'
  left join pg_class heads on heads.relnamespace = n.oid and heads.relname = 'chain_heads'
where me.rolname = current_user`;
