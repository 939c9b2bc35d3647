import { definePermissions, READERS } from "#families/roles.js";

export const samlAppPermissions = definePermissions({
  "saml-app:read": { lets: "See applications that people sign on to", heldBy: [...READERS, "member"] },
  "saml-session:read": { lets: "See who is signed on to which application", heldBy: READERS },
  "app:use": { lets: "Sign on to applications that are assigned to one", heldBy: [...READERS, "member"] },
  "saml-app:write": {
    lets: "Register and change applications that people sign on to, and the keys that sign",
    heldBy: ["operator"],
    peopleOnly: true,
  },
  "saml-app:assign": {
    lets: "Decide who signs on to which application",
    heldBy: ["operator", "governance_officer"],
    peopleOnly: true,
  },
});
