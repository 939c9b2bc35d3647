import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { dueBy } from "#kernel/operation/dues.js";
import { applyDueChanges } from "./jobs.js";
import { listFindings, readFinding } from "./operations.js";
import { findings } from "./schema.js";

/** Findings: what is wrong with an asset, how severe, and since when. */
export const findingsResource = defineResource({
  collections: [findings],
  operations: [listFindings, readFinding],
  permissions: {
    "ai-finding:read": { lets: "See findings and what was decided about them", heldBy: [...READERS, "member"] },
    "ai-finding:review": {
      lets: "Acknowledge, assign, work on, reopen and comment on findings",
      heldBy: ["governance_officer", "approver", "operator"],
    },
    "ai-finding:dismiss": {
      lets: "Dismiss findings and override their severity",
      heldBy: ["governance_officer", "approver"],
      peopleOnly: true,
    },
  },
  dues: [dueBy(findings, "nextChangeAt")],
  tick: applyDueChanges,
});
