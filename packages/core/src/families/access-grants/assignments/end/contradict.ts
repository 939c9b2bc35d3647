import type { Context } from "#kernel/operation/context.js";
import { assignmentStatus } from "../machine.js";
import { type AccessAssignment, accessAssignments } from "../schema.js";

/** Takes an attestation back, because the target was seen to have the access. It is asked to end it again. */
export async function contradict(ctx: Context, one: AccessAssignment): Promise<AccessAssignment> {
  if (one.status !== "attested") return one;
  const reason = "The target was seen to have it.";
  const options = { triggeredBy: "connector", reason, patch: { attestation: null } } as const;
  return ctx.transition(accessAssignments, assignmentStatus, one, { event: "contradict" }, options);
}

/** The most assignments that one grant is attested for. */
const MOST = 200;

/** The same for all that wait for the end of some grants. */
export async function contradictAll(ctx: Context, grantKeys: readonly string[]): Promise<void> {
  for (const ending of new Set(grantKeys)) {
    const { rows } = await ctx.db.find(accessAssignments, { where: { ending }, size: MOST });
    for (const row of rows) await contradict(ctx, await ctx.current(accessAssignments, row));
  }
}
