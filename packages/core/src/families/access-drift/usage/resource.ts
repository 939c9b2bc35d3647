import { defineResource } from "#families/resource.js";
import { exportAssetUses, listAssetUses, readAssignmentUsage, summarizeAssetUses } from "./operations.js";
import { followUsage } from "./read/schedule.js";
import { accessUses, usageDays, usageFeeds } from "./schema.js";
import { usageFacts } from "./usage-facts.js";

/** Use of access that targets report, and sums of it by day. */
export const usageResource = defineResource({
  collections: [accessUses, usageDays, usageFeeds],
  operations: [readAssignmentUsage, listAssetUses, exportAssetUses, summarizeAssetUses],
  permissions: {
    "access-usage:export": { lets: "Export uses of access", heldBy: ["governance_officer", "auditor"] },
  },
  follows: [followUsage],
  extends: [usageFacts],
});
