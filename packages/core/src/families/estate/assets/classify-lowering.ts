import { requirePermission } from "#kernel/operation/permission.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { AssetFields } from "./fields.js";

type Classed = Pick<AssetFields, "riskTier" | "dataClassification" | "environment">;

/** From least to most careful. What is not known counts as careful. */
const CARE = {
  riskTier: ["minimal", "limited", "unclassified", "high", "prohibited"],
  dataClassification: ["public", "internal", "unknown", "confidential", "restricted"],
} as const;

/** The fields by which a change lets an asset off more lightly. */
export function lowered(before: Classed, after: Classed): string[] {
  const less = (["riskTier", "dataClassification"] as const).filter((field) => {
    const order: readonly string[] = CARE[field];
    return order.indexOf(after[field]) < order.indexOf(before[field]);
  });
  return leavesProduction(before, after) ? [...less, "environment"] : less;
}

/** 403 when a change calls a production asset another environment's, unless the caller may take it back from there. */
export function checkRelabel(ctx: ReadContext, before: Classed, after: Classed): void {
  if (leavesProduction(before, after)) requirePermission(ctx.env, ctx.principal, "ai-asset:promote");
}

const leavesProduction = (before: Classed, after: Classed) =>
  before.environment === "production" && after.environment !== "production";
