import { changeFindings } from "#families/findings/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { SIZE_LIMIT } from "#store/query.js";
import type { Row } from "#store/row.js";
import { type Policy, policies } from "../policies/schema.js";
import { without } from "./decide-exemption.js";
import { exemptionStatus } from "./machine.js";
import { findingsIn } from "./request/reach.js";
import { type Exemption, exemptions } from "./schema.js";

/**
 * Ends the exemptions and requests of a deleted policy, in the same transaction. Otherwise they would apply to the next
 * policy with that key. Its findings lose their covers.
 */
export const followDeletedPolicies = defineFollower<Policy>(policies, async (ctx, { before, after }) => {
  if (!before || after) return;
  const lapsed = await lapseExemptions(ctx, before.id);
  if (lapsed.size === 0) return;
  const everything = { policyKey: before.key, ruleKeys: [], selector: before.selector };
  for await (const batch of findingsIn(ctx.db, { policyId: before.id, scope: everything }, true)) {
    const covered = batch.filter(({ covers }) => covers.some(({ exemptionId }) => lapsed.has(exemptionId)));
    const changes = covered.map((finding) => ({ before: finding, patch: { covers: without(finding, lapsed) } }));
    await changeFindings(ctx, changes, { policyId: before.id, triggeredBy: "policy" });
  }
});

/** Returns the ids of those that were in force. */
async function lapseExemptions(ctx: Context, policyId: string): Promise<Set<string>> {
  const lapsed = new Set<string>();
  const options = { triggeredBy: "policy", reason: "Its policy was deleted." } as const;
  let rows: readonly Row<Exemption>[];
  do {
    ({ rows } = await ctx.db.find(exemptions, { where: { standingUnder: policyId }, size: SIZE_LIMIT }));
    for (const row of rows) {
      const exemption = await ctx.current(exemptions, row);
      // One whose end has passed has expired, even before a tick has stored that.
      if (exemption.version !== row.version) continue;
      if (exemption.status === "approved") lapsed.add(exemption.id);
      await ctx.transition(exemptions, exemptionStatus, exemption, { event: "lapse" }, options);
    }
  } while (rows.length === SIZE_LIMIT);
  return lapsed;
}
