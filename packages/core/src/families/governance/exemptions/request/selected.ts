import type { Exemption as Terms } from "#families/findings/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isTimely, selectedAssets } from "../../policies/compile/selectors.js";
import type { Snapshot } from "../../snapshots/take/snapshots.js";
import { ANY_ASSET, exemptions } from "../schema.js";
import { heldAtDecision } from "./at-decision.js";

/** The most exemptions in force that are read for one asset, and for all selectors. The newest count. */
const MOST_IN_FORCE = 1_000;

/**
 * The approved exemptions, active or scheduled, that could cover findings on these assets: by asset, and by selectors
 * that match one, and matched it when they were approved. One query per thousand assets.
 */
export async function exemptionsOver(ctx: ReadContext, snapshots: ReadonlyMap<string, Snapshot>): Promise<Terms[]> {
  const ids = [...snapshots.keys()];
  const places = ids.length === 0 ? [] : [ANY_ASSET, ...ids];
  const rows = await inChunks(places, (values) =>
    ctx.db.findTopPerKey(exemptions, { field: "inForceOn", values, size: MOST_IN_FORCE }),
  );
  const found = rows.flatMap(([, some]) => some.map(({ value }) => value));
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
