import { accessProfiles } from "#families/access/index.js";
import { assets, deniedBecause, effectiveOfAll } from "#families/estate/index.js";
import { batched } from "#kernel/async/batched.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { type Circumstances, ineffectiveBecause } from "./rules.js";
import { AccessAssignment } from "./schema.js";
import { Unknown, unknownOf } from "./unknown-access.js";

/** An assignment with whether it is in force now, as it is served. */
export const ShownAssignment = AccessAssignment.extend({
  effective: z.boolean().meta({ description: "Whether it is in force now." }),
  ineffectiveBecause: z.array(z.string()).meta({ description: "Why it is not; empty when it is." }),
  unknown: Unknown.nullable().meta({ description: "Why `targetState` is `unknown`; `null` when it is not." }),
}).meta({ id: "AccessAssignment" });
export type ShownAssignment = z.output<typeof ShownAssignment>;

/** Reads what the effect of assignments depends on, with a few queries for all that are asked for at once. */
export function circumstancesOf(ctx: ReadContext): (one: AccessAssignment) => Promise<Circumstances> {
  const denied = batched<string, string | undefined>(async (ids) => {
    const rows = await ctx.db.getMany(assets, ids);
    const decisions = await effectiveOfAll(
      ctx,
      rows.map((row) => ctx.derived(assets, row)),
    );
    const reported = [...decisions]
      .filter(([, { decision }]) => decision !== "deny")
      .map(([id]) => [id, undefined] as const);
    const why = [...decisions].filter(([, { decision }]) => decision === "deny");
    const absent = ids.filter((id) => !decisions.has(id)).map((id) => [id, "not_found"] as const);
    return new Map([...reported, ...absent, ...why.map(([id, decision]) => [id, deniedBecause(decision)] as const)]);
  });
  const statuses = batched<string, string>(async (ids) => {
    const rows = await ctx.db.getMany(accessProfiles, ids);
    return new Map(rows.map(({ id, value }) => [id, value.status]));
  });
  return async ({ assetId, accessProfileId }) => {
    const [assetDenied, status] = await Promise.all([denied(assetId), statuses(accessProfileId)]);
    return { now: ctx.now, assetDenied, profile: status === undefined ? undefined : { status } };
  };
}

/** Shows assignments with whether they are in force at this moment. */
export function assignmentView(ctx: ReadContext): (one: AccessAssignment) => Promise<ShownAssignment> {
  const circumstances = circumstancesOf(ctx);
  return async (one) => {
    const reasons = ineffectiveBecause(one, await circumstances(one));
    return { ...one, effective: reasons.length === 0, ineffectiveBecause: reasons, unknown: unknownOf(one) };
  };
}
