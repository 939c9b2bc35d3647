import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { notifyExpiry } from "./evidence/expiry.js";
import { complianceResult, complianceWorkflow } from "./machine.js";
import { createRecord, deleteRecord, listRecords, readRecord, replaceRecord } from "./operations.js";
import { compliance } from "./schema.js";

/** How one control stands, for an asset or for the whole tenant, with evidence. */
export const recordsResource = defineResource({
  collections: [compliance],
  machines: [complianceResult, complianceWorkflow],
  operations: [listRecords, createRecord, readRecord, replaceRecord, deleteRecord],
  permissions: {
    "ai-compliance:read": {
      lets: "See frameworks, assessments of their controls, posture and reports",
      heldBy: [...READERS, "member"],
    },
    "ai-compliance:assess": {
      lets: "Assess controls of frameworks and say where evidence is",
      heldBy: ["governance_officer", "approver", "operator"],
    },
    "ai-compliance:attest": {
      lets: "Attest what others have assessed, exempt and exclude controls",
      heldBy: ["governance_officer", "approver"],
      peopleOnly: true,
    },
    "ai-compliance:frameworks": {
      lets: "Upload, replace and delete frameworks of the tenant's own",
      heldBy: ["governance_officer"],
    },
  },
  follows: [notifyExpiry],
});
