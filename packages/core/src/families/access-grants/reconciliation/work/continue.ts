import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { type AccessLane, accessLanes } from "../schema.js";

/** The lane as it is now, if this process still holds it. Rejects with `concurrent_modification` otherwise. */
export async function heldLane(ctx: Context, { id, fence }: Pick<AccessLane, "id" | "fence">): Promise<AccessLane> {
  const row = await ctx.db.get(accessLanes, id);
  if (row?.value.fence !== fence) throw new ReeveError("concurrent_modification");
  return row.value;
}

/** When a lane goes on that has nothing to do now: at once when somebody has come or gone meanwhile. */
export function restOf(
  ctx: Pick<Context, "now">,
  lane: Pick<AccessLane, "asked">,
  seen: Pick<AccessLane, "asked">,
  nextAt: string | null,
): Pick<AccessLane, "phase" | "dueAt"> {
  const dueAt = lane.asked === seen.asked ? nextAt : ctx.now;
  return { dueAt, phase: dueAt === null ? "idle" : "due" };
}
