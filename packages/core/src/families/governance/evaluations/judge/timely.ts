import type { Context } from "#kernel/operation/context.js";
import { policiesOfTimelySelectors } from "../../exemptions/request/selected.js";
import type { Judge } from "./judge.js";

/** With policies always asked whose findings are exempt for a time that no exemption tells, as while an asset is young. */
export async function askedInTime(ctx: Context, judges: readonly Judge[]): Promise<readonly Judge[]> {
  const policyIds = await policiesOfTimelySelectors(ctx);
  if (policyIds.size === 0) return judges;
  return judges.map((each) =>
    policyIds.has(each.policy.id) ? { ...each, compiled: { ...each.compiled, readsTime: true } } : each,
  );
}
