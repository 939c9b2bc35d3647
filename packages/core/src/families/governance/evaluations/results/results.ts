import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** The counts of a rule's outcomes on one asset: one, or one per locus of a list. */
export const OutcomeCounts = z.object({ pass: z.int(), fail: z.int(), error: z.int(), skip: z.int() });
export type OutcomeCounts = z.output<typeof OutcomeCounts>;

/** The last result of one policy on one asset. */
const PairResult = z.object({
  /** Digests of everything that the result depends on, without volatile values: of the asset, then of the policy. */
  pairKey: z.string(),
  policyKey: z.string(),
  at: Time,
  rules: z.record(z.string(), OutcomeCounts),
  /** Ids of its findings on the asset that are present or unknown. */
  findingIds: z.array(z.string()),
});
export type PairResult = z.output<typeof PairResult>;

const AssetResults = z.object({
  id: z.string(),
  version: z.int(),
  createdAt: Time,
  assetType: z.string(),
  /** Whether a run of all policies has looked at it. */
  complete: z.boolean(),
  /** By policy id. */
  pairs: z.record(z.string(), PairResult),
});
export type AssetResults = z.output<typeof AssetResults>;

/** The last results of all policies on each asset, under the asset's id. Runs compare with them. */
export const assetResults = defineCollection<AssetResults>({
  name: "asset_results",
  prefix: null,
  schema: AssetResults,
  fields: {
    /** Its type once all policies have looked at it, to count how many assets they have. */
    judged: { type: "text", of: ({ assetType, complete }) => (complete ? assetType : null) },
    /** How many findings are present or unknown. */
    findings: {
      type: "integer",
      of: ({ pairs }) => Object.values(pairs).reduce((sum, pair) => sum + pair.findingIds.length, 0),
    },
  },
  indexes: [{ where: [], by: "findings" }],
  counted: ["judged"],
  secrets: [],
});
