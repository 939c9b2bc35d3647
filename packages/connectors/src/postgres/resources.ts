import { ConnectorError, type ObservedResource, type Page, type PageRequest, WHOLE } from "@reeve/core/connectors";
import { z } from "zod";
import type { Server } from "./manifest.js";
import { TYPES, type Type } from "./profiles.js";
import { reading } from "./session.js";

const USERS_OWN = "nspname !~ '^pg_' AND nspname <> 'information_schema'";

/**
 * What there is of each type: `oid`, `name`, its owner, its list of privileges, what it lies in, how statements name it
 * (quoted by the server), and what else is said about it.
 */
export const OBJECTS: Readonly<Record<Type, string>> = {
  database: `SELECT oid, datname AS name, datdba AS owner, datacl AS acl, NULL::oid AS parent,
      format('DATABASE %I', datname) AS named, jsonb_build_object('owner', pg_get_userbyid(datdba)) AS attributes
    FROM pg_database WHERE datname = current_database()`,
  schema: `SELECT oid, nspname AS name, nspowner AS owner, nspacl AS acl,
      (SELECT oid FROM pg_database WHERE datname = current_database()) AS parent,
      format('SCHEMA %I', nspname) AS named, jsonb_build_object('owner', pg_get_userbyid(nspowner)) AS attributes
    FROM pg_namespace WHERE ${USERS_OWN}`,
  table: `SELECT c.oid, n.nspname || '.' || c.relname AS name, c.relowner AS owner, c.relacl AS acl,
      n.oid AS parent, format('TABLE %I.%I', n.nspname, c.relname) AS named,
      jsonb_build_object('owner', pg_get_userbyid(c.relowner), 'kind', CASE c.relkind WHEN 'r' THEN 'table'
        WHEN 'p' THEN 'partitioned table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
        ELSE 'foreign table' END) AS attributes
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND ${USERS_OWN}`,
  role: `SELECT oid, rolname AS name, NULL::oid AS owner, NULL::aclitem[] AS acl, NULL::oid AS parent,
      format('%I', rolname) AS named, jsonb_build_object('login', rolcanlogin, 'superuser', rolsuper,
        'createRole', rolcreaterole, 'createDatabase', rolcreatedb, 'replication', rolreplication,
        'bypassRowSecurity', rolbypassrls) AS attributes
    FROM pg_roles`,
};

const PARENTS: Partial<Record<string, Type>> = { schema: "database", table: "schema" };

/** An object id, as the catalogs have it. */
export const OID = /^(0|[1-9]\d{0,9})$/;

const Row = z.object({
  oid: z.string().regex(OID),
  name: z.string(),
  parent: z.string().nullable(),
  attributes: z.record(z.string(), z.union([z.string(), z.boolean()])),
});

export async function listResources(
  ctx: Server,
  type: string,
  { cursor = "0", limit }: PageRequest,
): Promise<Page<ObservedResource>> {
  const known = TYPES.find((each) => each === type);
  if (!known || !OID.test(cursor)) throw new ConnectorError("invalid", "There is no such type or page.");
  const found = await reading(ctx, (session) =>
    session.rows(
      Row,
      `SELECT oid::text, name, parent::text, attributes FROM (${OBJECTS[known]}) AS object
       WHERE oid::bigint > $1::bigint ORDER BY object.oid LIMIT $2`,
      [cursor, limit + 1],
    ),
  );
  const items = found.slice(0, limit).map((row) => observed(known, row));
  const last = items.at(-1);
  return found.length > limit && last ? { items, nextCursor: last.externalId, complete: false } : { items, ...WHOLE };
}

function observed(type: Type, { oid, name, parent, attributes }: z.output<typeof Row>): ObservedResource {
  const above = PARENTS[type];
  return {
    type,
    externalId: oid,
    name,
    attributes,
    ...(above && parent ? { parent: { type: above, externalId: parent } } : {}),
    ...(attributes.superuser || attributes.bypassRowSecurity ? { sensitivity: "critical" } : {}),
  };
}
