import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { type AccessReconciliation, accessReconciliations } from "../schema.js";

/** The reconciliation as it is now, if this process still holds it. Rejects with `concurrent_modification` otherwise. */
export async function heldReconciliation(
  ctx: Context,
  { id, fence }: Pick<AccessReconciliation, "id" | "fence">,
): Promise<AccessReconciliation> {
  const row = await ctx.db.get(accessReconciliations, id);
  if (row?.value.fence !== fence) throw new ReeveError("concurrent_modification");
  return row.value;
}

/** When a reconciliation goes on that has nothing to do now: at once when somebody has come or gone meanwhile. */
export function restOf(
  ctx: Pick<Context, "now">,
  reconciliation: Pick<AccessReconciliation, "asked">,
  seen: Pick<AccessReconciliation, "asked">,
  nextAt: string | null,
): Pick<AccessReconciliation, "phase" | "dueAt"> {
  const dueAt = reconciliation.asked === seen.asked ? nextAt : ctx.now;
  return { dueAt, phase: dueAt === null ? "idle" : "due" };
}
