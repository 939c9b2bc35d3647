import type { Context } from "../../../../kernel/operation/context.js";
import { holdingOf } from "../../assignments/rules.js";
import type { AccessAssignment } from "../../assignments/schema.js";
import { accessLanes } from "../../lanes/schema.js";
import { contradicts } from "../rules.js";
import { accessDrift } from "../schema.js";
import { endDrift, noteDrift, sightingOf } from "./note.js";

/** Differences of one grant, one of each kind at most. */
const MOST = 20;

/**
 * Keeps what a look at one grant in force means: a difference that it shows, or the end of those that it contradicts.
 * Returns the id of the difference.
 */
export async function noteLook(
  ctx: Context,
  one: AccessAssignment,
  {
    presence,
    authoritative,
  }: { readonly presence: "present" | "absent" | "mismatch"; readonly authoritative: boolean },
): Promise<string | null> {
  if (one.status !== "active" || !holdingOf(one)) return null;
  const lane = (await ctx.db.lookup(accessLanes, "grant", { grantKey: one.grantKey }))?.value;
  if (lane && lane.phase !== "idle") return null;
  if (presence !== "present") {
    const kind = presence === "absent" ? "missing_in_target" : "over_privileged";
    const sighting = sightingOf(one, kind, { certain: authoritative });
    const [noted] = await noteDrift(ctx, [sighting], { scanId: null, detectedBy: "verify" });
    return noted?.id ?? null;
  }
  const { rows } = await ctx.db.find(accessDrift, { where: { standingOn: one.grantKey }, size: MOST });
  for (const row of rows) {
    const drift = await ctx.current(accessDrift, row);
    if (contradicts(drift.kind, presence)) await endDrift(ctx, drift);
  }
  return null;
}
