import { definePermissions, READERS } from "#families/roles.js";

export const connectorPermissions = definePermissions({
  "connector:read": { lets: "See connectors and connections to systems", heldBy: [...READERS, "member"] },
  "connector:write": { lets: "Set up and change connections to systems and their credentials", heldBy: ["operator"] },
  "connector:assign": {
    lets: "Name other owners of connections to systems, and of what access is granted to there",
    heldBy: ["governance_officer"],
    peopleOnly: true,
  },
  "connector:delete": { lets: "Delete connections to systems with their credentials", heldBy: ["operator"] },
  "connector:test": {
    lets: "Test settings of connections, which calls addresses that they name",
    heldBy: ["operator"],
  },
});
