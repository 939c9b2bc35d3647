import type { Profile, Type } from "./profiles.js";
import { OBJECTS } from "./resources.js";

const ACL_KINDS = { database: "d", schema: "n", table: "r" } as const;

/** One row for each privilege: `oid`, `owner`, `grantee` (0 is PUBLIC), `grantor`, `privilege`, `profile`. */
export function entriesOf(type: Type, profiles: readonly Profile[]): string {
  return type === "role" ? MEMBERSHIPS : privilegesOf(type, profiles);
}

/** The owner's own privileges stand in the list too, as PostgreSQL has them by default. */
function privilegesOf(type: keyof typeof ACL_KINDS, profiles: readonly Profile[]): string {
  const known = profiles
    .filter((profile) => profile.type === type && !profile.owner)
    .flatMap(({ externalId, privileges }) => privileges.map((name) => `('${name}', '${externalId}')`));
  return `SELECT object.oid, object.owner, held.grantee, held.grantor, known.profile,
      unnest(CASE WHEN held.is_grantable AND held.grantee <> object.owner
        THEN ARRAY[known.privilege, known.privilege || ' WITH GRANT OPTION']
        ELSE ARRAY[known.privilege] END) AS privilege
    FROM (${OBJECTS[type]}) AS object
    CROSS JOIN LATERAL aclexplode(coalesce(object.acl, acldefault('${ACL_KINDS[type]}', object.owner))) AS held
    JOIN (VALUES ${known.join(", ")}) AS known (privilege, profile) ON known.privilege = held.privilege_type
    UNION ALL
    SELECT oid, owner, owner, owner, '${type}.owner', 'OWNER' FROM (${OBJECTS[type]}) AS object`;
}

/** A role may be granted several times by different grantors. It is one membership. */
const MEMBERSHIPS = `SELECT roleid AS oid, NULL::oid AS owner, member AS grantee, grantor,
    CASE WHEN administers THEN 'role.administrator' ELSE 'role.member' END AS profile,
    unnest(CASE WHEN administers THEN ARRAY['MEMBER', 'ADMIN'] ELSE ARRAY['MEMBER'] END) AS privilege
  FROM (SELECT *, bool_or(admin_option) OVER (PARTITION BY roleid, member) AS administers
        FROM pg_auth_members) AS membership`;

/**
 * Who has what a role has, over any number of memberships that pass privileges on. Since version 16 each membership
 * says whether it does; before, the member did. The owner of the database is a member of `pg_database_owner` unsaid.
 */
const REACH = `membership AS (
    SELECT m.roleid AS role, m.member FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member
    WHERE coalesce((to_jsonb(m) ->> 'inherit_option')::boolean, r.rolinherit)
    UNION ALL
    SELECT r.oid, d.datdba FROM pg_roles r, pg_database d
    WHERE r.rolname = 'pg_database_owner' AND d.datname = current_database()
  ), reach (role, member) AS (
    SELECT role, member FROM membership
    UNION
    SELECT reach.role, membership.member FROM reach JOIN membership ON membership.role = reach.member
  )`;

/**
 * Grants of one type, each with `permissions`, and whether it is `inherited`: through a role, or through PUBLIC, which
 * everyone who can log in has. What is direct stands for both. `$1` is the one object, or null; `$2` the smallest object id.
 */
export const grantsSql = (type: Type, profiles: readonly Profile[]): string => `WITH RECURSIVE ${REACH},
  entry AS (
    SELECT * FROM (${entriesOf(type, profiles)}) AS each
    WHERE ($1::oid IS NULL OR oid = $1::oid) AND oid::bigint >= $2::bigint
  ),
  held AS (
    SELECT oid, owner, grantee, profile, privilege, false AS inherited FROM entry
    UNION
    SELECT oid, owner, reach.member, profile, privilege, true
    FROM entry JOIN reach ON reach.role = entry.grantee
    UNION
    SELECT entry.oid, owner, pg_roles.oid, profile, privilege, true
    FROM entry CROSS JOIN pg_roles WHERE entry.grantee = 0 AND rolcanlogin
  ),
  found AS (
    SELECT DISTINCT ON (oid, grantee, profile) *
    FROM (SELECT oid, grantee, profile, inherited, coalesce(grantee = owner AND NOT inherited, false) AS immutable,
            array_agg(DISTINCT privilege ORDER BY privilege) AS permissions
          FROM held GROUP BY oid, owner, grantee, profile, inherited) AS each
    ORDER BY oid, grantee, profile, inherited
  )
  SELECT found.oid::text, grantee::text, profile, inherited, immutable, permissions,
    coalesce(rolname, 'PUBLIC') AS name, coalesce(rolcanlogin, false) AS login
  FROM found LEFT JOIN pg_roles ON pg_roles.oid = grantee`;
