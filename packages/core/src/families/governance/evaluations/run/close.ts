import type { Context } from "../../../../kernel/operation/context.js";
import { SIZE_LIMIT } from "../../../../store/query.js";
import type { Position } from "../../../../store/store.js";
import { changeFindings, closedBecause, type Finding, findings, LIVE_STATUSES } from "../../../findings/index.js";

/** The most findings that are closed together with their policy. The run that follows closes the rest. */
const AT_ONCE = 2_000;

/** Closes the findings of a policy that is out of force, in the transaction that put it there. */
export async function closeFindingsOf(ctx: Context, policyId: string): Promise<void> {
  const closing: Finding[] = [];
  for (const status of LIVE_STATUSES) {
    let after: Position | undefined;
    do {
      const size = Math.min(SIZE_LIMIT, AT_ONCE - closing.length);
      if (size === 0) break;
      const found = await ctx.db.find(findings, { where: { policyId, status }, size, ...(after ? { after } : {}) });
      closing.push(...found.rows.map(({ value }) => value));
      after = found.next;
    } while (after);
  }
  const changes = closing.map((before) => ({ before, patch: closedBecause(before, "policy_disabled", ctx) }));
  await changeFindings(ctx, changes, { triggeredBy: "policy" });
}
