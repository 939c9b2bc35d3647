import type { Context } from "../../../../kernel/operation/context.js";
import { isIdOf } from "../../../../store/collection.js";
import { identities } from "../../../estate/index.js";
import { machineClients, roles, users } from "../../../identity/index.js";
import { MAY_USE } from "../../access.js";
import { samlAssignments } from "../../assignments/schema.js";
import { inBatches, openSessions } from "../queries.js";
import type { SamlSession } from "../schema.js";
import { endSessions } from "./end.js";

/** Ends the open sessions, at an application or of somebody, of those who may not sign on there any more. */
export async function endSessionsWithoutAccess(
  ctx: Context,
  where: { readonly appId: string } | { readonly userId: string },
): Promise<void> {
  const sessions = await openSessions(ctx.db, where);
  if (sessions.length > 0) await endSessions(ctx, await withoutAccess(ctx, sessions), "access_revoked");
}

async function withoutAccess(ctx: Context, sessions: readonly SamlSession[]): Promise<readonly SamlSession[]> {
  const ids = [...new Set(sessions.map(({ userId }) => userId))];
  const people = await inBatches(ids, (some) => ctx.db.getMany(users, some));
  const clients = await inBatches(
    ids.filter((id) => isIdOf(identities, id)),
    (some) => ctx.db.getMany(machineClients, some),
  );
  const rolesOf = new Map(people.map(({ id, value }) => [id, value.roles]));
  const scopesOf = new Map(clients.map(({ id, value }) => [id, value.scopes]));
  const mayUse = (userId: string): boolean => {
    const given = rolesOf.get(userId);
    const scopes = scopesOf.get(userId);
    const held = given ? ctx.env.use(roles).permissionsOf(given) : scopes && new Set(scopes);
    // What somebody may whom only the host knows is told at their next sign-on.
    return held?.has(MAY_USE.permission) ?? true;
  };
  const keys = sessions.flatMap(({ appId, userId }) =>
    subjectsOf(userId, rolesOf.get(userId) ?? []).map((subject) => ({ appId, subject })),
  );
  const rows = await inBatches(keys, (some) => ctx.db.lookupMany(samlAssignments, "subject", some));
  const assigned = new Set(keys.flatMap(({ appId, subject }, at) => (rows[at] ? [`${appId} ${subject}`] : [])));
  const isAssigned = ({ appId, userId }: SamlSession) =>
    subjectsOf(userId, rolesOf.get(userId) ?? []).some((one) => assigned.has(`${appId} ${one}`));
  return sessions.filter((session) => !mayUse(session.userId) || !isAssigned(session));
}

/** The subjects that stand for somebody, as assignments keep them. */
const subjectsOf = (userId: string, given: readonly string[]): string[] =>
  isIdOf(identities, userId)
    ? [`ai_identity:${userId}`]
    : ["everyone", `user:${userId}`, ...given.map((role) => `role:${role}`)];
