import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { watchStatus } from "./machine.js";
import { summaryOf } from "./queries.js";
import { type Watch, watches } from "./schema.js";

/** How long a watch lasts unless its request says otherwise, and at most. */
const LASTS = daysMs(30);
export const MOST_DAYS = 90;

interface Wanted {
  readonly team: string | null;
  readonly reason: string;
  readonly expiresAt: string | undefined;
}

/** Asks for a watch. Decisions are enforced until somebody else approves it. */
export async function requestWatch(ctx: Context, { team, reason, expiresAt }: Wanted): Promise<Watch> {
  const latest = timestamp(ctx.request.nowMs + daysMs(MOST_DAYS));
  const ends = expiresAt ?? timestamp(ctx.request.nowMs + LASTS);
  if (ends <= ctx.now || ends > latest)
    throw invalidProperty("/expiresAt", `It lies ahead, by at most ${MOST_DAYS} days.`);
  const { id, version, ...marks } = ctx.stamp(watches);
  return ctx.insert(watches, {
    ...{ id, name: nameOf(team === null ? "Watch of all teams" : `Watch of ${team}`), status: "requested", version },
    ...{ metadata: {}, ...marks, team, reason, expiresAt: ends, requestedBy: ctx.principal.userId },
    ...{ decidedBy: null, decidedAt: null, relatedParty: false },
    ...{ enforcedBy: null, enforcedAt: null, seenDigest: null },
  });
}

/** Approves or rejects a watch that somebody else asks for. */
export async function decideWatch(
  ctx: Context,
  id: string,
  event: "approve" | "reject",
  reason: string | undefined,
): Promise<Watch> {
  const watch = await ctx.getForUpdate(watches, id);
  if (watch.status === (event === "approve" ? "watching" : "rejected")) return watch;
  const patch = { decidedBy: ctx.principal.userId, decidedAt: ctx.now };
  return ctx.transition(watches, watchStatus, watch, { event }, { reason, patch });
}

/** Turns to enforcing. 412 where other kinds of calls would be denied than those that were seen. */
export async function enforceAfter(
  ctx: Context,
  id: string,
  { digest, reason }: { readonly digest: string; readonly reason: string | undefined },
): Promise<Watch> {
  const watch = await ctx.getForUpdate(watches, id);
  if (watch.status === "enforced") return watch;
  const { digest: current } = await summaryOf(ctx, watch.id);
  if (current !== digest) throw new ReeveError("precondition_failed", undefined, { members: { current } });
  const patch = { enforcedBy: ctx.principal.userId, enforcedAt: ctx.now, seenDigest: digest };
  return ctx.transition(watches, watchStatus, watch, { event: "enforce" }, { reason, patch });
}
