import { type ApplyResult, ConnectorError, type GrantSpec, type ObservedGrant } from "@reeve/core/connectors";
import { z } from "zod";
import { entriesOf } from "./entries.js";
import { Declined } from "./failure.js";
import { held } from "./grants.js";
import type { Server } from "./manifest.js";
import { type Profile, profileOf, profilesOf } from "./profiles.js";
import { OBJECTS } from "./resources.js";
import { type Session, writing } from "./session.js";

const PUBLIC = "0";
/** The first half of the keys of our advisory locks, so that those of the database's own users are others. */
const LOCKS = 0x5265_6576;
const DEPENDENTS = "2BP01";

/** What came of one step: whether anything changed, and what there is now. */
interface Step {
  readonly changed: boolean;
  readonly grant?: ObservedGrant;
  readonly replaced?: readonly string[];
}

export const grant = (ctx: Server, spec: GrantSpec): Promise<ApplyResult> =>
  changing(ctx, spec, (session) => granted(session, spec));

export const revoke = (ctx: Server, spec: GrantSpec): Promise<ApplyResult> =>
  changing(ctx, spec, (session) => revoked(session, spec));

/** Both steps happen or none. */
export const modify = (ctx: Server, from: GrantSpec, to: GrantSpec): Promise<ApplyResult> =>
  changing(ctx, from, async (session) => {
    const before = await revoked(session, from);
    const after = await granted(session, to);
    return { ...after, changed: before.changed || after.changed };
  });

async function changing(
  ctx: Server,
  { resource }: GrantSpec,
  work: (session: Session) => Promise<Step>,
): Promise<ApplyResult> {
  try {
    return await writing(ctx, async (session) => {
      // One change of an object at a time, because PostgreSQL refuses the second one of two at once.
      await session.rows(z.unknown(), "SELECT pg_advisory_xact_lock(($1::bigint << 32) | $2::oid::bigint)", [
        LOCKS,
        resource.externalId,
      ]);
      const { changed, ...result } = await work(session);
      return { outcome: changed ? "applied" : "already_applied", ...result };
    });
  } catch (error) {
    if (error instanceof Declined) return { outcome: "declined", reason: error.reason };
    if (ConnectorError.is(error) && error.code === DEPENDENTS)
      return { outcome: "declined", reason: "The principal has passed this access on to others, who would lose it." };
    throw error;
  }
}

async function granted(session: Session, spec: GrantSpec): Promise<Step> {
  const profile = await profileOf(session, spec.resource.type, spec.profileExternalId);
  if (profile.owner) throw new Declined("Ownership is not granted.");
  if (spec.principal.externalId === PUBLIC) throw new Declined("Nothing is granted to everybody.");
  const before = await held(session, spec, profile);
  if (before && includes(before, profile)) {
    if (before.profileExternalId === profile.externalId) return { changed: false, grant: before };
    throw new ConnectorError("conflict", "The principal administers the role, which is more than membership.");
  }
  const [object, principal] = await named(session, spec, profile);
  await session.run(
    profile.type === "role"
      ? `GRANT ${object} TO ${principal}${profile.privileges.includes("ADMIN") ? " WITH ADMIN OPTION" : ""}`
      : `GRANT ${profile.privileges.join(", ")} ON ${object} TO ${principal}`,
  );
  const after = await held(session, spec, profile);
  if (!after || !includes(after, profile)) throw refused();
  const replaced = before && before.profileExternalId !== profile.externalId ? [before.profileExternalId] : undefined;
  return { changed: true, grant: after, ...(replaced ? { replaced } : {}) };
}

async function revoked(session: Session, spec: GrantSpec): Promise<Step> {
  const profile = await profileOf(session, spec.resource.type, spec.profileExternalId);
  const before = await held(session, spec, profile);
  if (!before || before.profileExternalId !== profile.externalId) return { changed: false };
  if (before.immutable) throw new Declined("The owner has it, and could always take it back.");
  const [object, principal] = await named(session, spec, profile);
  for (const { grantor, forOwner } of await grantorsOf(session, spec, profile)) {
    if (profile.type === "role") await session.run(`REVOKE ${object} FROM ${principal} GRANTED BY ${grantor}`);
    else {
      // Only the grantor takes back what it granted; what the owner granted, whoever may act for the owner.
      if (!forOwner) await session.run(`SET LOCAL ROLE ${grantor}`);
      await session.run(`REVOKE ${profile.privileges.join(", ")} ON ${object} FROM ${principal}`);
      await session.run("RESET ROLE");
    }
  }
  if (await held(session, spec, profile)) throw refused();
  return { changed: true };
}

const includes = ({ permissions = [] }: ObservedGrant, { privileges }: Profile) =>
  privileges.every((name) => permissions.includes(name));

/** PostgreSQL only warns when it has not done what it was told, so what there is afterwards decides. */
const refused = () => new ConnectorError("permission", "The role of the connector may not change this.");

/**
 * How statements name the object and the principal, quoted by the server. Both may be renamed meanwhile: what there is
 * afterwards is looked up by id, and nothing happens if it is another one.
 */
async function named(
  session: Session,
  { resource, principal }: GrantSpec,
  profile: Profile,
): Promise<[string, string]> {
  const [found] = await session.rows(
    z.object({ object: z.string(), principal: z.string().nullable() }),
    `SELECT named AS object, CASE $2 WHEN '${PUBLIC}' THEN 'PUBLIC'
       ELSE (SELECT format('%I', rolname) FROM pg_roles WHERE oid::text = $2) END AS principal
     FROM (${OBJECTS[profile.type]}) AS object WHERE oid = $1::oid`,
    [resource.externalId, principal.externalId],
  );
  if (!found) throw new ConnectorError("not_found", "There is no such resource.", { code: "resource" });
  if (!found.principal) throw new ConnectorError("not_found", "There is no such role.", { code: "principal" });
  return [found.object, found.principal];
}

async function grantorsOf(session: Session, spec: GrantSpec, profile: Profile) {
  return session.rows(
    z.object({ grantor: z.string(), forOwner: z.boolean() }),
    `SELECT DISTINCT format('%I', rolname) AS grantor, coalesce(grantor = owner, false) AS "forOwner"
     FROM (${entriesOf(profile.type, await profilesOf(session))}) AS entry JOIN pg_roles ON pg_roles.oid = grantor
     WHERE entry.oid = $1::oid AND grantee::text = $2 AND profile = $3`,
    [spec.resource.externalId, spec.principal.externalId, profile.externalId],
  );
}
