import type { Exemption as Terms } from "#families/findings/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isTimely, selectedAssets } from "../../policies/compile/selectors.js";
import type { Snapshot } from "../../snapshots/take/snapshots.js";
import { ANY_ASSET, type Exemption, exemptions } from "../schema.js";
import { heldAtDecision } from "./at-decision.js";

/** The most exemptions in force that are read for one asset, and for all selectors. The newest count. */
const MOST_IN_FORCE = 1_000;
/** The most assets of one query. */
const BATCH = 999;

/**
 * The approved exemptions, active or scheduled, that could cover findings on these assets: by asset, and by selectors
 * that match one, and matched it when they were approved. One query per 999 assets.
 */
export async function exemptionsOver(ctx: ReadContext, snapshots: ReadonlyMap<string, Snapshot>): Promise<Terms[]> {
  const ids = [...snapshots.keys()];
  const found: Exemption[] = [];
  for (let start = 0; start < ids.length; start += BATCH) {
    const values = [...ids.slice(start, start + BATCH), ...(start === 0 ? [ANY_ASSET] : [])];
    const rows = await ctx.db.findTopPerKey(exemptions, { field: "inForceOn", values, size: MOST_IN_FORCE });
    found.push(...[...rows.values()].flat().map(({ value }) => value));
  }
  const terms: Terms[] = [];
  for (const exemption of found) {
    const { scope } = exemption;
    if ("selector" in scope) {
      const matching = await selectedAssets(ctx, scope.selector, snapshots);
      terms.push({ ...exemption, selected: await heldAtDecision(ctx, exemption, scope.selector, matching) });
    } else terms.push(exemption);
  }
  return terms;
}

/** Ids of the policies of whose findings time alone can change which are exempt, beside the time of the exemption itself. */
export async function policiesOfTimelySelectors(ctx: ReadContext): Promise<Set<string>> {
  const asked = { field: "inForceOn", values: [ANY_ASSET], size: MOST_IN_FORCE } as const;
  const found = [...(await ctx.db.findTopPerKey(exemptions, asked)).values()].flat();
  const timely = found.filter(({ value: { scope } }) => "selector" in scope && isTimely(ctx, scope.selector));
  return new Set(timely.map(({ value }) => value.policyId));
}
