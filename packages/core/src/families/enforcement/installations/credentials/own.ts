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

/** Notes that an installation was heard of, at most once a minute. */
export async function noteSeen(ctx: Context, installation: Installation): Promise<void> {
  const minute = timestamp(ctx.request.nowMs - (ctx.request.nowMs % minutesMs(1)));
  if (installation.lastSeenAt !== null && installation.lastSeenAt >= minute) return;
  await ctx.update(installations, installation, { lastSeenAt: minute }, { event: false, stamp: false });
}
