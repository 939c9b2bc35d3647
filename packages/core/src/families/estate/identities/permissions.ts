import { definePermissions, READERS } from "#families/roles.js";

export const identityPermissions = definePermissions({
  "ai-identity:read": {
    lets: "See AI identities and what is known of their credentials",
    heldBy: [...READERS, "member"],
  },
  "ai-identity:write": { lets: "Register, change, disable and revoke AI identities", heldBy: ["operator"] },
  "ai-identity:delete": { lets: "Delete AI identities and their assets", heldBy: ["operator"] },
  "ai-identity:credential": {
    lets: "Issue, rotate and revoke credentials of AI identities",
    heldBy: ["operator"],
    peopleOnly: true,
  },
});
