import { ASSET_TYPES, ENVIRONMENTS } from "#families/estate/index.js";
import { z } from "#schema/z.js";
import type { Selector } from "../policies/compile/selectors.js";
import { Expression } from "../policies/fields.js";

export const RUN_MODES = ["incremental", "full"] as const;
export const RUN_TRIGGERS = ["manual", "schedule", "change", "request"] as const;

const Ids = (most: number, description: string) => z.array(z.string().max(64)).max(most).meta({ description });

/** The scope of a run. Empty lists include everything. */
export const RunScope = z.strictObject({
  assetIds: Ids(1_000, "Only the assets with these ids.").default([]),
  assetTypes: z
    .array(z.enum(ASSET_TYPES))
    .max(ASSET_TYPES.length)
    .default([])
    .meta({ description: "These types of assets." }),
  environments: z
    .array(z.enum(ENVIRONMENTS))
    .max(ENVIRONMENTS.length)
    .default([])
    .meta({ description: "Only assets in these environments." }),
  expression: Expression.nullable().default(null).meta({
    description: "A CEL expression over `asset`, and `spec` where one type is named: assets of which it is true.",
  }),
  policyIds: Ids(200, "Only the policies with these ids.").default([]),
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
  scope: RunScope.meta({ description: "What it looks at; empty lists: all." }),
});

const Count = z.int().min(0);

/** The progress of a run. */
export const RunCounts = z.object({
  assets: Count.meta({ description: "Assets looked at." }),
  pairs: Count.meta({ description: "Policy and asset together, where the policy is about the asset." }),
  evaluated: Count.meta({ description: "Pairs that were evaluated." }),
  skippedUnchanged: Count.meta({ description: "Pairs in which nothing has changed since they were evaluated." }),
  pass: Count.meta({ description: "Results, of all rules and items." }),
  fail: Count.meta({ description: "Results that made findings." }),
  error: Count.meta({ description: "Rules, or the scope, without a result: neither passed nor failed." }),
  skip: Count.meta({ description: "Results of rules that do not apply." }),
  created: Count.meta({ description: "Number of new findings." }),
  updated: Count.meta({ description: "Findings that stand as before." }),
  reopened: Count.meta({ description: "Findings that came back." }),
  refuted: Count.meta({ description: "Findings whose claimed fix was none." }),
  resolved: Count.meta({ description: "Findings that are gone." }),
  exempted: Count.meta({ description: "Findings under an exemption." }),
  voided: Count.meta({ description: "Findings without their rule or asset." }),
  closed: Count.meta({ description: "Findings that were closed." }),
});
export type RunCounts = z.output<typeof RunCounts>;

export const NOTHING_DONE: RunCounts = Object.freeze(
  Object.fromEntries(Object.keys(RunCounts.shape).map((name) => [name, 0])),
) as RunCounts;
