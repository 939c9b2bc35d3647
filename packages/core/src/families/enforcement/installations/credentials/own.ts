import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { type Installation, installations } from "../schema.js";

/** The installation that calls, active. 403 for every other caller. */
export async function requireInstallation(ctx: ReadContext): Promise<Installation> {
  const row = await ctx.db.lookup(installations, "identity", { identityId: ctx.principal.userId });
  if (row?.value.status === "active") return row.value;
  throw new ReeveError("permission_denied", "Only an enrolled installation may do this, with its own credential.");
}

/** Notes that an installation was heard of, at most once a minute. Others may note it meanwhile. */
export async function noteSeen(ctx: Context, { id, lastSeenAt }: Installation): Promise<void> {
  const minute = timestamp(ctx.request.nowMs - (ctx.request.nowMs % minutesMs(1)));
  const isNoted = (moment: string | null) => moment !== null && moment >= minute;
  if (isNoted(lastSeenAt)) return;
  const current = await ctx.getForUpdate(installations, id);
  if (!isNoted(current.lastSeenAt))
    await ctx.update(installations, current, { lastSeenAt: minute }, { event: false, stamp: false });
}
