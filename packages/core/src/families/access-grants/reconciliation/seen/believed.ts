import type { VerifyResult } from "#connectors/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { type AccessLane, accessLanes, kindOf } from "../schema.js";

type Db = Pick<ReadContext, "db">;

/** Whether a target does not show something that it took, so that nothing is concluded from what it lacks. */
export async function hides({ db }: Db, connectorInstanceId: string): Promise<boolean> {
  return (await db.find(accessLanes, { where: { hiddenOf: connectorInstanceId }, size: 1 })).rows.length > 0;
}

/** Whether a target has shown access of this kind that it was asked for. */
async function shows({ db }: Db, lane: AccessLane): Promise<boolean> {
  return (await db.find(accessLanes, { where: { shownOn: kindOf(lane) }, size: 1 })).rows.length > 0;
}

/**
 * What a look at a grant is worth. A target that lacks it in its answer lacks it only if it has shown it before, or if it
 * is known to show such access and nothing of Reeve's may be there. Everything else is `unknown`.
 */
export async function believed(
  ctx: Db,
  lane: AccessLane,
  presence: VerifyResult["presence"],
): Promise<AccessLane["targetState"]> {
  if (presence !== "absent" || lane.shown) return presence;
  if (await hides(ctx, lane.connectorInstanceId)) return "unknown";
  return lane.granted && !(await shows(ctx, lane)) ? "unknown" : "absent";
}

/** The lane of a grant, if there is one. */
export const laneOf = async ({ db }: Db, grantKey: string): Promise<AccessLane | undefined> =>
  (await db.lookup(accessLanes, "grant", { grantKey }))?.value;

/** As `believed`, of a grant by its key, which nobody may have asked for here. */
export async function believedOf(
  ctx: Db,
  { grantKey, connectorInstanceId }: Pick<AccessLane, "grantKey" | "connectorInstanceId">,
  presence: VerifyResult["presence"],
): Promise<AccessLane["targetState"]> {
  const lane = await laneOf(ctx, grantKey);
  if (lane) return believed(ctx, lane, presence);
  return presence === "absent" && (await hides(ctx, connectorInstanceId)) ? "unknown" : presence;
}
