import { inChunks } from "#kernel/async/in-chunks.js";
import type { Context } from "#kernel/operation/context.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { OutcomeCounts, type PairResult } from "./results.js";

/** The counts of a rule's outcomes over all assets, by their last evaluations. Items count one by one, unless they share a locus. */
const RuleStanding = z.object({
  id: z.string(),
  version: z.int(),
  createdAt: Time,
  policyId: z.string(),
  policyKey: z.string(),
  ruleKey: z.string(),
  ...OutcomeCounts.shape,
  /** When a result of it was last added. */
  evaluatedAt: Time,
  /** When the last run over all assets began that has asked it as it is now. `null` when none has. */
  coveredAt: Time.nullable(),
});
export type RuleStanding = z.output<typeof RuleStanding>;

/** One row per evaluated rule, stored together with the results that it sums up. One without results may be covered. */
export const ruleStandings = defineCollection<RuleStanding>({
  name: "rule_standings",
  prefix: "rst",
  schema: RuleStanding,
  fields: { policyId: { type: "text", compare: "exact" }, ruleKey: { type: "text", compare: "canonical" } },
  unique: { rule: ["policyId", "ruleKey"] },
  secrets: [],
});

type Change = Pick<RuleStanding, "policyId" | "policyKey" | "ruleKey" | keyof OutcomeCounts>;

/** Changes of rule counts by changed results, summed before they are stored. */
export class StandingChanges {
  /** By policy and rule. */
  readonly #changes = new Map<string, Map<string, Change>>();

  /** Adds a changed result of a policy on an asset. `undefined` for no result. */
  add(policyId: string, before: PairResult | undefined, after: PairResult | undefined): void {
    if (before) this.#count(policyId, before, -1);
    if (after) this.#count(policyId, after, 1);
  }

  #count(policyId: string, { policyKey, rules }: PairResult, sign: number): void {
    const ofPolicy = this.#changes.get(policyId) ?? new Map<string, Change>();
    this.#changes.set(policyId, ofPolicy);
    for (const [ruleKey, counts] of Object.entries(rules)) {
      const known = ofPolicy.get(ruleKey) ?? { policyId, policyKey, ruleKey, pass: 0, fail: 0, error: 0, skip: 0 };
      ofPolicy.set(ruleKey, known);
      known.pass += sign * counts.pass;
      known.fail += sign * counts.fail;
      known.error += sign * counts.error;
      known.skip += sign * counts.skip;
    }
  }

  /** Stores the changes within the transaction. A rule without results has no row. */
  async store(ctx: Context): Promise<void> {
    const changes = [...this.#changes.values()].flatMap((ofPolicy) => [...ofPolicy.values()]);
    const rows = await inChunks(changes, (some) => {
      const keys = some.map(({ policyId, ruleKey }) => ({ policyId, ruleKey }));
      return ctx.db.lookupMany(ruleStandings, "rule", keys);
    });
    for (const [place, change] of changes.entries()) await put(ctx, rows[place]?.value, change);
  }
}

async function put(ctx: Context, before: RuleStanding | undefined, change: Change): Promise<unknown> {
  const { pass, fail, error, skip } = change;
  if (before && pass === 0 && fail === 0 && error === 0 && skip === 0) {
    return ctx.update(ruleStandings, before, { evaluatedAt: ctx.now });
  }
  if (!before) return ctx.insert(ruleStandings, { ...change, evaluatedAt: ctx.now, coveredAt: null });
  const sums = added(before, change);
  if (isEmpty(sums) && before.coveredAt === null) return ctx.remove(ruleStandings, before);
  return ctx.update(ruleStandings, before, { ...sums, evaluatedAt: ctx.now });
}

const isEmpty = ({ pass, fail, error, skip }: OutcomeCounts) => pass + fail + error + skip === 0;

function added(to: OutcomeCounts, by: OutcomeCounts): OutcomeCounts {
  return { pass: to.pass + by.pass, fail: to.fail + by.fail, error: to.error + by.error, skip: to.skip + by.skip };
}
