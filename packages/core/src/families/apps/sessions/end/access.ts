import { identities } from "#families/estate/index.js";
import { machineClients, roles, users } from "#families/identity/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { Context } from "#kernel/operation/context.js";
import { isIdOf } from "#store/collection.js";
import { MAY_USE } from "../../access.js";
import { samlAssignments } from "../../assignments/schema.js";
import { openSessions } from "../queries.js";
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
  const people = await inChunks(ids, (some) => ctx.db.getMany(users, some));
  const clients = await inChunks(
    ids.filter((id) => isIdOf(identities, id)),
    (some) => ctx.db.getMany(machineClients, some),
  );
  const rolesOf = new Map(people.map(({ id, value }) => [id, value.roles]));
  const scopesOf = new Map(clients.map(({ id, value }) => [id, value.scopes]));
  const heldBy = ({ userId, hostRoles }: SamlSession) => [...(rolesOf.get(userId) ?? []), ...hostRoles];
  const mayUse = (session: SamlSession): boolean =>
    isIdOf(identities, session.userId)
      ? (scopesOf.get(session.userId)?.includes(MAY_USE.permission) ?? true)
      : ctx.env.use(roles).permissionsOf(heldBy(session)).has(MAY_USE.permission);
  const subjectKeys = (session: SamlSession) =>
    subjectsOf(session.userId, heldBy(session)).map((subject) => ({ appId: session.appId, subject }));
  const keys = sessions.flatMap(subjectKeys);
  const rows = await inChunks(keys, (some) => ctx.db.lookupMany(samlAssignments, "subject", some));
  const assigned = new Set(keys.flatMap(({ appId, subject }, at) => (rows[at] ? [`${appId} ${subject}`] : [])));
  const isAssigned = (session: SamlSession) =>
    subjectKeys(session).some(({ appId, subject }) => assigned.has(`${appId} ${subject}`));
  return sessions.filter((session) => !mayUse(session) || !isAssigned(session));
}

/** The subjects that stand for somebody, as assignments keep them. */
const subjectsOf = (userId: string, given: readonly string[]): string[] =>
  isIdOf(identities, userId)
    ? [`ai_identity:${userId}`]
    : ["everyone", `user:${userId}`, ...given.map((role) => `role:${role}`)];
