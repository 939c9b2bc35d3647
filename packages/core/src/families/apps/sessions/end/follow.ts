import { machineClients, users } from "#families/identity/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import { MAY_USE } from "../../access.js";
import { endSessionsWithoutAccess } from "./access.js";
import { endSessionsOfUser } from "./end.js";

/** A user who may not sign in any more has no sessions at applications, and one who loses a role none by that role. */
export const followUsers = defineFollower(users, async (ctx, { before, after }) => {
  if (before?.status !== "active") return;
  if (after?.status !== "active") await endSessionsOfUser(ctx, before.id, "account_disabled");
  else if (before.roles.some((role) => !after.roles.includes(role)))
    await endSessionsWithoutAccess(ctx, { userId: before.id });
});

/** The same for AI identities that are suspended or gone, or may not use applications any more. */
export const followClients = defineFollower(machineClients, async (ctx, { before, after }) => {
  if (!before?.allowed) return;
  if (!after?.allowed) await endSessionsOfUser(ctx, before.id, "account_disabled");
  else if (!after.scopes.includes(MAY_USE.permission)) await endSessionsOfUser(ctx, before.id, "access_revoked");
});
