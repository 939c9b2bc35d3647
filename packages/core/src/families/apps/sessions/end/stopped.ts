import type { Environment } from "#kernel/config/environment.js";
import { NEVER } from "#kernel/operation/dues.js";
import { everyPage } from "#kernel/operation/every-page.js";
import { isQuiet } from "#kernel/operation/first-dues.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { samlSessions } from "../schema.js";
import { endSessions } from "./end.js";
import { deniedIdentities } from "./usable.js";

const PAGE = 200;

/**
 * Ends the open sessions of AI identities that a kill switch, a halt or what they depend on stops. Returns how many.
 * Whether they may sign on is asked at each sign-on, so that never waits for this.
 */
export async function endStoppedSessions(env: Environment, tenantId: string): Promise<number> {
  // Each open session has an end.
  if (isQuiet(env, tenantId, samlSessions, { by: "endsAt", through: NEVER })) return 0;
  let ended = 0;
  const open = { where: { kind: "client", state: "live" }, size: PAGE };
  for await (const rows of everyPage(env.store.forTenant(tenantId), samlSessions, open)) {
    const ids = [...new Set(rows.map(({ value }) => value.userId))];
    const outside = systemContext(env, tenantId, "tick");
    // Looks without a transaction first, so that a tenant with nothing stopped takes no lock.
    if (ids.length > 0 && (await deniedIdentities(outside, ids)).size > 0)
      ended += await outside.write(async (ctx) => {
        const denied = await deniedIdentities(ctx, ids);
        const current = await ctx.db.getMany(
          samlSessions,
          rows.map(({ id }) => id),
        );
        const stopped = current
          .map(({ value }) => value)
          .filter((one) => one.state === "live" && denied.has(one.userId));
        await endSessions(ctx, stopped, "access_revoked");
        return stopped.length;
      });
  }
  return ended;
}
