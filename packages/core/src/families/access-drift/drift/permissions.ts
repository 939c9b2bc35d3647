import { definePermissions } from "#families/roles.js";

export const driftPermissions = definePermissions({
  "access-drift:scan": {
    lets: "Compare connected systems with what was granted",
    heldBy: ["governance_officer", "operator"],
  },
  "access-drift:repair": {
    lets: "Have connected systems put right where they differ from what was granted",
    heldBy: ["governance_officer", "operator"],
  },
  "access-drift:decide": {
    lets: "Let a difference between a connected system and what was granted be",
    heldBy: ["governance_officer"],
    peopleOnly: true,
  },
});
