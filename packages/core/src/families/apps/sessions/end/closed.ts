import type { Environment } from "#kernel/config/environment.js";
import { NEVER } from "#kernel/operation/dues.js";
import { isQuiet } from "#kernel/operation/first-dues.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { yieldToEventLoop } from "#store/event-loop.js";
import { closedBecause } from "../../access.js";
import { SUBJECT_KINDS, samlSessions } from "../schema.js";
import { endSessions } from "./end.js";

/** Sessions that end in one transaction. */
const BATCH = 10;

/** Ends the open sessions of a tenant that is suspended or closed, or not licensed any more. Returns how many. */
export async function endSessionsOfClosed(env: Environment, tenantId: string): Promise<number> {
  // Each open session has an end.
  if (isQuiet(env, tenantId, samlSessions, { by: "endsAt", through: NEVER })) return 0;
  const reader = env.store.forTenant(tenantId);
  const reason = await closedBecause(reader, env.clock.now());
  if (!reason) return 0;
  let ended = 0;
  for (const kind of SUBJECT_KINDS) {
    const open = { where: { kind, state: "live" }, size: BATCH };
    // Looks without a transaction first, so that a tenant with nothing open takes no lock.
    while ((await reader.find(samlSessions, open)).rows.length > 0) {
      ended += await systemContext(env, tenantId, "tick").write(async (ctx) => {
        const { rows } = await ctx.db.find(samlSessions, open);
        const sessions = rows.map(({ value }) => value);
        await endSessions(ctx, sessions, reason);
        return sessions.length;
      });
      await yieldToEventLoop();
    }
  }
  return ended;
}
