import type { Principal, PrincipalLookup, PrincipalQuery } from "@reeve/core/connectors";
import { z } from "zod";
import { lookupOf } from "../lookup.js";
import type { Server } from "./manifest.js";
import { OID } from "./resources.js";
import { reading } from "./session.js";

const Row = z.object({ oid: z.string().regex(OID), name: z.string(), login: z.boolean() });

/** Roles by id or exact name; without one, those that may be meant. Predefined roles are the last of these. */
const ROLES = `SELECT oid::text, rolname AS name, rolcanlogin AS login FROM pg_roles`;
const NAMED = `${ROLES} WHERE oid::text = $1 OR rolname = $1`;
const ALIKE = `${ROLES} ORDER BY rolname LIKE 'pg\\_%', left(lower(rolname), 2) <> left(lower($1), 2), oid LIMIT 200`;

/** A role by its object id or its name. Every role may read who is there, so one that is not found is not there. */
export function findPrincipal(ctx: Server, { named }: PrincipalQuery): Promise<PrincipalLookup> {
  return reading(ctx, async (session) => {
    const roles = async (text: string) => (await session.rows(Row, text, [named])).map(roleOf);
    return lookupOf(await roles(NAMED), () => roles(ALIKE));
  });
}

const roleOf = ({ oid, name, login }: z.output<typeof Row>): Principal => ({
  type: login ? "service_account" : "group",
  externalId: oid,
  displayName: name,
});
