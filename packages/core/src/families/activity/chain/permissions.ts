import { definePermissions } from "../../roles.js";

export const auditPermissions = definePermissions({
  "ai-audit:verify": {
    lets: "Verify the event chain and see its checkpoints",
    heldBy: ["governance_officer", "auditor", "provider_admin"],
  },
  "ai-audit:export": { lets: "Export events with a content hash", heldBy: ["governance_officer", "auditor"] },
  "ai-audit:erase": { lets: "Erase the data of events for good", heldBy: [], peopleOnly: true },
});
