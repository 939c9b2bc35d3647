import { defineFollower } from "../../../../kernel/operation/area.js";
import { machineClients, users } from "../../../identity/index.js";
import { endSessionsOfUser } from "./end.js";

/** A user who may not sign in any more has no sessions at applications either. */
export const followUsers = defineFollower(users, async (ctx, { before, after }) => {
  if (before?.status === "active" && after?.status !== "active")
    await endSessionsOfUser(ctx, before.id, "account_disabled");
});

/** The same for AI identities that are suspended or gone. */
export const followClients = defineFollower(machineClients, async (ctx, { before, after }) => {
  if (before?.allowed && !after?.allowed) await endSessionsOfUser(ctx, before.id, "account_disabled");
});
