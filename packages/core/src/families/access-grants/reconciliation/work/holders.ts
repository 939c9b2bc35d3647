import type { ReadContext } from "#kernel/operation/read-context.js";
import { type AccessAssignment, accessAssignments } from "../../assignments/schema.js";
import type { AccessReconciliation } from "../schema.js";

/** The most assignments of one grant that count. */
const MOST = 1_000;

/** The assignments that a grant is about. */
export interface Holders {
  /** Those that want it to be there, also the ones that have not begun. */
  readonly holding: readonly AccessAssignment[];
  /** Those that wait for its end. */
  readonly ending: readonly AccessAssignment[];
  readonly wanted: "present" | "absent";
  /** When the next of them begins; `null` when none is to begin. */
  readonly nextAt: string | null;
}

/** Who holds a grant at this moment. */
export async function holdersOf(
  ctx: ReadContext,
  { grantKey }: Pick<AccessReconciliation, "grantKey">,
): Promise<Holders> {
  const of = async (field: string) => {
    const { rows } = await ctx.db.find(accessAssignments, { where: { [field]: grantKey }, size: MOST });
    return rows.map((row) => ctx.derived(accessAssignments, row));
  };
  const [holding, previous, ending] = [await of("holding"), await of("holdingPrevious"), await of("ending")];
  const all = [...holding, ...previous];
  const alive = all.filter(({ status }) => status === "pending" || status === "active");
  const begun = alive.filter(({ notBefore }) => notBefore <= ctx.now);
  const later = alive.flatMap(({ notBefore }) => (notBefore > ctx.now ? [notBefore] : [])).sort();
  return {
    holding: holding.filter(({ status }) => status === "pending" || status === "active"),
    ending: [...ending, ...all.filter(({ status }) => status === "revoking")],
    wanted: begun.length > 0 ? "present" : "absent",
    nextAt: later[0] ?? null,
  };
}
