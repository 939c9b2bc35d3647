import type { VerifyResult } from "#connectors/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { type AccessReconciliation, accessReconciliations, kindOf } from "./schema.js";

type Db = Pick<ReadContext, "db">;

/** Whether a target does not show something that it took, so that nothing is concluded from what it lacks. */
export async function hides({ db }: Db, connectorInstanceId: string): Promise<boolean> {
  return (await db.find(accessReconciliations, { where: { hiddenOf: connectorInstanceId }, size: 1 })).rows.length > 0;
}

/** Whether a target has shown access of this kind that it was asked for. */
async function shows({ db }: Db, reconciliation: AccessReconciliation): Promise<boolean> {
  return (
    (await db.find(accessReconciliations, { where: { shownOn: kindOf(reconciliation) }, size: 1 })).rows.length > 0
  );
}

/**
 * What a look at a grant is worth. A target that lacks it in its answer lacks it only if it has shown it before, or if it
 * is known to show such access and nothing of Reeve's may be there. Everything else is `unknown`.
 */
export async function believed(
  ctx: Db,
  reconciliation: AccessReconciliation,
  presence: VerifyResult["presence"],
): Promise<AccessReconciliation["targetState"]> {
  if (presence !== "absent" || reconciliation.shown) return presence;
  if (await hides(ctx, reconciliation.connectorInstanceId)) return "unknown";
  return reconciliation.granted && !(await shows(ctx, reconciliation)) ? "unknown" : "absent";
}

/** The reconciliation of a grant, if there is one. */
export const reconciliationOf = async ({ db }: Db, grantKey: string): Promise<AccessReconciliation | undefined> =>
  (await db.lookup(accessReconciliations, "grant", { grantKey }))?.value;

/** As `believed`, of a grant by its key, which nobody may have asked for here. */
export async function believedOf(
  ctx: Db,
  { grantKey, connectorInstanceId }: Pick<AccessReconciliation, "grantKey" | "connectorInstanceId">,
  presence: VerifyResult["presence"],
): Promise<AccessReconciliation["targetState"]> {
  const reconciliation = await reconciliationOf(ctx, grantKey);
  if (reconciliation) return believed(ctx, reconciliation, presence);
  return presence === "absent" && (await hides(ctx, connectorInstanceId)) ? "unknown" : presence;
}
