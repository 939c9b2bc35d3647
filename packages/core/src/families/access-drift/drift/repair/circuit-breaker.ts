import { accessAssignments } from "#families/access-grants/index.js";
import { isAnomalous } from "#families/connectors/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { countsNow } from "#kernel/operation/numbers.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import { accessDrift } from "../schema.js";

/** The most repairs of an hour that are counted. As many are never plausible. */
const MOST = 1_000;
/** What lets somebody go on where the circuit breaker has stopped something. */
const ACCEPT = "access-target:accept";

/**
 * 409 when more of a target is put right within an hour than is plausible: then the scan is wrong rather than the
 * target. Somebody who may accept that goes on with `acceptAnomaly`.
 */
export async function tripOnManyRepairs(ctx: Context, connectorInstanceId: string, isAccepted: boolean): Promise<void> {
  const range = { from: timestamp(ctx.request.nowMs - hoursMs(1)) };
  const order = { by: "repairedAt", direction: "desc" } as const;
  const { rows } = await ctx.db.find(accessDrift, { where: { connectorInstanceId }, order, range, size: MOST });
  const live = (await countsNow(ctx, accessAssignments, "liveOf")).get(connectorInstanceId) ?? 0;
  const recent = rows.length;
  const known = Math.max(0, live - recent);
  if (recent < MOST && !isAnomalous({ found: 1, missing: 1, known, recent })) return;
  if (isAccepted) return requirePermission(ctx.env, ctx.principal, ACCEPT);
  throw new ReeveError(
    "anomaly_pending",
    `${recent} repairs of this target within an hour are more than is plausible.`,
    {
      members: { recent, known: live },
    },
  );
}
