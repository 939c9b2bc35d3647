import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { samlAppStatus } from "./machine.js";
import {
  createSamlApp,
  listSamlApps,
  previewSamlApp,
  readForm,
  readSamlApp,
  readSamlHealth,
  removeSamlApp,
  updateSamlApp,
} from "./operations.js";
import { samlApps, samlAppUsage } from "./schema.js";

/** SAML applications: their settings, certificates and health. */
export const samlAppsResource = defineResource({
  collections: [samlApps, samlAppUsage],
  machines: [samlAppStatus],
  operations: [
    listSamlApps,
    readForm,
    createSamlApp,
    readSamlHealth,
    readSamlApp,
    updateSamlApp,
    removeSamlApp,
    previewSamlApp,
  ],
  permissions: {
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
  },
});
