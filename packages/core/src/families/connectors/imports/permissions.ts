import { definePermissions } from "#families/roles.js";

export const importPermissions = definePermissions({
  "connector-import:write": {
    lets: "Read what connected systems have, and cancel imports",
    heldBy: ["governance_officer", "operator"],
  },
  "connector-import:confirm": {
    lets: "Confirm imports from connected systems, for which it takes the right to register assets too",
    heldBy: ["governance_officer", "operator"],
  },
});
