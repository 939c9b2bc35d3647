import { tenantSettings } from "#families/platform/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { readFacts } from "../judge/read-facts.js";
import { judgeDecider } from "../rules.js";

/** Somebody who may be asked for a decision. */
type Asked = Parameters<typeof judgeDecider>[0]["decider"];

/**
 * Which of these people would be refused a decision by these involved, each with how they hang together, in words. It
 * notes nothing, so it is for whom to ask and no check of who decides.
 */
export async function refusedDeciders(
  ctx: ReadContext,
  people: readonly Asked[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (people.length === 0 || ids.length === 0) return new Map();
  const { known, cut } = await readFacts(ctx, [...people.map(({ id }) => id), ...ids]);
  const refusesRelated = tenantSettings(ctx).relatedParty === "refuse";
  const refused = people.flatMap((decider) => {
    const { verdict, path } = judgeDecider({ decider, involved: { ids: [...ids], beyond: 0 }, known, cut });
    const isRefused = verdict === "conflict_of_interest" || (verdict === "related_party" && refusesRelated);
    return isRefused ? [[decider.id, path ?? verdict] as const] : [];
  });
  return new Map(refused);
}
