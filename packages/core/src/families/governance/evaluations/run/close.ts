import { changeFindings, closedBecause, findings, LIVE_STATUSES } from "#families/findings/index.js";
import type { Context } from "#kernel/operation/context.js";
import { everyPage } from "#kernel/operation/every-page.js";
import { outdateResults } from "../results/store-results.js";

/**
 * Closes all findings of a policy that is out of force, in the transaction that put it there. Where there was one, the
 * policy is asked again once it is back in force, even if that is before any run.
 */
export async function closeFindingsOf(ctx: Context, policyId: string): Promise<void> {
  for (const status of LIVE_STATUSES)
    for await (const rows of everyPage(ctx.db, findings, { where: { policyId, status } })) {
      const changes = rows.map(({ value }) => ({
        before: value,
        patch: closedBecause(value, "policy_disabled", ctx),
      }));
      await changeFindings(ctx, changes, { triggeredBy: "policy" });
      await outdateResults(ctx, policyId, [...new Set(rows.map(({ value }) => value.assetId))]);
    }
}
