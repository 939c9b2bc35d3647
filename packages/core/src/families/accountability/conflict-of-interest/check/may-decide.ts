import { tenantSettings } from "#families/platform/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { MOST_FOLLOWED, readFacts } from "../judge/read-facts.js";
import { judgeDecider } from "../rules.js";

/** Somebody who may be asked for a decision. */
type Asked = Parameters<typeof judgeDecider>[0]["decider"];

/** Those who may be asked about one matter, and the ids of those involved in it. */
interface AskedAbout {
  readonly people: readonly Asked[];
  readonly ids: readonly string[];
}

/** Who would be refused, each with how they hang together with those involved, in words. */
type Refused = ReadonlyMap<string, string>;

/** How many accounts matters that are judged together may name, so that those behind them are followed as well. */
const NAMED = MOST_FOLLOWED / 5;

/**
 * Which of these people would be refused a decision by these involved, each with how they hang together, in words. It
 * notes nothing, so it is for whom to ask and no check of who decides.
 */
export async function refusedDeciders(
  ctx: ReadContext,
  people: readonly Asked[],
  ids: readonly string[],
): Promise<Refused> {
  const [refused] = await refusedInMatters(ctx, [{ people, ids }]);
  return refused ?? new Map();
}

/** The same for many matters, in their order. Few reads tell of all of them. */
export async function refusedInMatters(ctx: ReadContext, matters: readonly AskedAbout[]): Promise<Refused[]> {
  const judged = new Map<AskedAbout, Refused>();
  for (const group of groupsOf(matters.filter(({ people, ids }) => people.length > 0 && ids.length > 0))) {
    const facts = await readFacts(ctx, [...new Set(group.flatMap(namedIn))]);
    for (const matter of group) {
      // Too much was asked at once. Asked alone, more of those behind it can be followed.
      const own = facts.cut && group.length > 1 ? await readFacts(ctx, namedIn(matter)) : facts;
      judged.set(matter, refusedBy(ctx, matter, own));
    }
  }
  return matters.map((matter) => judged.get(matter) ?? new Map());
}

const namedIn = ({ people, ids }: AskedAbout): string[] => [...people.map(({ id }) => id), ...ids];

/** Matters in groups that name few accounts, in order. */
function groupsOf(matters: readonly AskedAbout[]): AskedAbout[][] {
  const groups: { readonly matters: AskedAbout[]; readonly named: Set<string> }[] = [];
  for (const matter of matters) {
    const last = groups.at(-1);
    const named = new Set([...(last?.named ?? []), ...namedIn(matter)]);
    if (last && named.size <= NAMED) {
      last.matters.push(matter);
      for (const id of named) last.named.add(id);
    } else groups.push({ matters: [matter], named: new Set(namedIn(matter)) });
  }
  return groups.map((group) => group.matters);
}

function refusedBy(
  ctx: ReadContext,
  { people, ids }: AskedAbout,
  { known, cut }: Awaited<ReturnType<typeof readFacts>>,
): Refused {
  const refusesRelated = tenantSettings(ctx).relatedParty === "refuse";
  const refused = people.flatMap((decider) => {
    const { verdict, path } = judgeDecider({ decider, involved: { ids: [...ids], beyond: 0 }, known, cut });
    const isRefused = verdict === "conflict_of_interest" || (verdict === "related_party" && refusesRelated);
    return isRefused ? [[decider.id, path ?? verdict] as const] : [];
  });
  return new Map(refused);
}
