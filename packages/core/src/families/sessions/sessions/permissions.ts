import { definePermissions, READERS } from "#families/roles.js";

export const sessionPermissions = definePermissions({
  "ai-session:read": { lets: "See sessions of agents", heldBy: [...READERS, "member"] },
  "ai-session:write": {
    lets: "Start sessions, change and complete them; machines their own only",
    heldBy: ["operator"],
  },
  "ai-session:delete": { lets: "Delete sessions that have ended", heldBy: ["operator"], peopleOnly: true },
  "ai-session:report": { lets: "Report heartbeats and usage of sessions", heldBy: ["operator"] },
  "ai-session:enforce": {
    lets: "Acknowledge, as an enforcement point, what was decided about a session",
    heldBy: ["operator"],
  },
  "ai-session:suspend": { lets: "Suspend sessions", heldBy: ["governance_officer", "operator"], peopleOnly: true },
  "ai-session:resume": {
    lets: "Resume suspended sessions",
    heldBy: ["governance_officer", "operator"],
    peopleOnly: true,
  },
  "ai-session:terminate": {
    lets: "Terminate sessions; machines their own only",
    heldBy: ["governance_officer", "operator"],
  },
});
