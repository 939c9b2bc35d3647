import { type AccessReconciliation, accessReconciliations } from "#families/access-grants/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { AccessDrift } from "../drift/schema.js";
import type { AccessDriftScan } from "./schema.js";

type Scan = Pick<AccessDriftScan, "id" | "coverage">;

/** Keys of grants of which a scan cannot say how they stand, so that a difference of theirs goes on. */
export async function unclearGrants(
  ctx: ReadContext,
  scan: Scan,
  drift: readonly Pick<AccessDrift, "grantKey">[],
): Promise<ReadonlySet<string>> {
  const keys = [...new Set(drift.map(({ grantKey }) => grantKey))];
  const reconciliations = await ctx.db.lookupMany(
    accessReconciliations,
    "grant",
    keys.map((grantKey) => ({ grantKey })),
  );
  return new Set(reconciliations.flatMap((row) => (row && isUnclear(row.value, scan) ? [row.value.grantKey] : [])));
}

/** Nobody looks at a grant that is being changed, and one that was not answered for or never was there is not missed. */
function isUnclear({ phase, wanted, targetState, listedBy }: AccessReconciliation, { id, coverage }: Scan): boolean {
  if (phase !== "idle") return true;
  if (wanted === "absent" || listedBy === id) return false;
  return coverage === "verify" || targetState !== "present";
}
