import { definePermissions } from "#families/roles.js";

export const auditPermissions = definePermissions({
  "ai-audit:verify": {
    lets: "Verify the event chain and see its checkpoints",
    heldBy: ["governance_officer", "auditor", "provider_admin"],
  },
  "ai-audit:export": { lets: "Export events with a content hash", heldBy: ["governance_officer", "auditor"] },
  "ai-audit:read": { lets: "See erasures, and who asked for them", heldBy: ["governance_officer", "auditor"] },
  "ai-audit:erase": { lets: "Ask for the data of events to be erased for good", heldBy: [], peopleOnly: true },
  "ai-audit:approve": {
    lets: "Approve or decline an erasure that somebody else asks for",
    heldBy: ["governance_officer"],
    peopleOnly: true,
  },
});
