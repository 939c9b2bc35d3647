import { z } from "zod";
import { defineCollection } from "../../../../kernel/records/collection.js";
import { Time } from "../../../../kernel/records/record.js";

/** How often a rule came to each result on one asset: once, or once for each item of a list. */
export const OutcomeCounts = z.object({ pass: z.int(), fail: z.int(), error: z.int(), skip: z.int() });
export type OutcomeCounts = z.output<typeof OutcomeCounts>;

/** What one policy last found of one asset. */
const PairResult = z.object({
  /** Of everything that the result depends on, time left aside. */
  pairKey: z.string(),
  policyKey: z.string(),
  at: Time,
  rules: z.record(z.string(), OutcomeCounts),
  /** Ids of its findings of the asset that stand, or may stand. */
  findingIds: z.array(z.string()),
});
export type PairResult = z.output<typeof PairResult>;

const AssetResults = z.object({
  id: z.string(),
  version: z.int(),
  createdAt: Time,
  /** By the ids of the policies. */
  pairs: z.record(z.string(), PairResult),
});
export type AssetResults = z.output<typeof AssetResults>;

/** The last results of all policies on each asset, under the asset's id: what runs compare with. */
export const assetResults = defineCollection<AssetResults>({
  name: "asset_results",
  prefix: null,
  schema: AssetResults,
  fields: {
    /** How many findings stand, or may stand. */
    findings: {
      type: "integer",
      of: ({ pairs }) => Object.values(pairs).reduce((sum, pair) => sum + pair.findingIds.length, 0),
    },
  },
  indexes: [{ where: [], by: "findings" }],
  secrets: [],
});
