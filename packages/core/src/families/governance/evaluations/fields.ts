import { z } from "zod";
import { ASSET_TYPES, ENVIRONMENTS } from "../../estate/index.js";
import type { Selector } from "../policies/compile/selectors.js";
import { Expression } from "../policies/fields.js";

export const RUN_MODES = ["incremental", "full"] as const;
export const RUN_TRIGGERS = ["manual", "schedule", "change", "request"] as const;

const Ids = (most: number, description: string) => z.array(z.string().max(64)).max(most).meta({ description });

/** The scope of a run. Empty lists include everything. */
export const RunScope = z.strictObject({
  assetIds: Ids(1_000, "These assets.").default([]),
  assetTypes: z.array(z.enum(ASSET_TYPES)).max(ASSET_TYPES.length).default([]),
  environments: z.array(z.enum(ENVIRONMENTS)).max(ENVIRONMENTS.length).default([]),
  expression: Expression.nullable().default(null).meta({
    description: "A CEL expression over `asset`, and `spec` where one type is named: assets of which it is true.",
  }),
  policyIds: Ids(200, "These policies.").default([]),
});
export type RunScope = z.output<typeof RunScope>;

export const EVERYTHING: RunScope = { assetIds: [], assetTypes: [], environments: [], expression: null, policyIds: [] };

/** The part of a scope that selects assets by their properties. */
export function scopeSelector({ assetTypes, environments, expression }: RunScope): Selector {
  return { assetTypes, environments, expression };
}

/** What a caller may set, at the top level of the body or in `configuration`. */
export const RunFields = z.object({
  mode: z.enum(RUN_MODES).meta({
    description: "`incremental`: pairs that cannot have changed are passed over. `full`: all pairs are evaluated.",
  }),
  dryRun: z.boolean().meta({ description: "Only count what would become of findings; change none." }),
  scope: RunScope,
});

const Count = z.int().min(0);

/** The progress of a run. */
export const RunCounts = z.object({
  assets: Count.meta({ description: "Assets looked at." }),
  pairs: Count.meta({ description: "Policy and asset together, where the policy is about the asset." }),
  evaluated: Count,
  skippedUnchanged: Count.meta({ description: "Pairs in which nothing has changed since they were evaluated." }),
  pass: Count.meta({ description: "Results, of all rules and items." }),
  fail: Count,
  error: Count.meta({ description: "Rules, or the scope, without a result: neither passed nor failed." }),
  skip: Count,
  created: Count.meta({ description: "New findings." }),
  updated: Count,
  reopened: Count,
  resolved: Count,
  exempted: Count,
  voided: Count,
  closed: Count,
});
export type RunCounts = z.output<typeof RunCounts>;

export const NOTHING_DONE: RunCounts = Object.freeze(
  Object.fromEntries(Object.keys(RunCounts.shape).map((name) => [name, 0])),
) as RunCounts;
