import type { Context } from "../../../../kernel/operation/context.js";
import { users } from "../../../identity/index.js";
import { samlAssignments } from "../../assignments/schema.js";
import { type SamlSession, samlSessions } from "../schema.js";
import { endSession } from "./end.js";

const PAGE = 200;

/** Ends the sessions at an application of all to whom it is not assigned any more. */
export async function endSessionsOfUnassigned(ctx: Context, appId: string): Promise<void> {
  const query = { where: { appId, state: "live" }, size: PAGE };
  const sessions: SamlSession[] = [];
  let found = await ctx.db.find(samlSessions, query);
  sessions.push(...found.rows.map(({ value }) => value));
  while (found.next) {
    found = await ctx.db.find(samlSessions, { ...query, after: found.next });
    sessions.push(...found.rows.map(({ value }) => value));
  }
  for (const session of sessions) if (!(await mayStay(ctx, session))) await endSession(ctx, session, "access_revoked");
}

async function mayStay(ctx: Context, { appId, userId }: SamlSession): Promise<boolean> {
  const [user] = await ctx.db.getMany(users, [userId]);
  const subjects = user
    ? ["everyone", `user:${userId}`, ...user.value.roles.map((role) => `role:${role}`)]
    : [`ai_identity:${userId}`];
  const keys = subjects.map((subject) => ({ appId, subject }));
  return (await ctx.db.lookupMany(samlAssignments, "subject", keys)).some((row) => row !== undefined);
}
