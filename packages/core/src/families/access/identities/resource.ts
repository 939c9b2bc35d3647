import { defineResource } from "#families/resource.js";
import { accessIdentities } from "./schema.js";

/** The accounts with which assets act in targets. */
export const identitiesResource = defineResource({
  collections: [accessIdentities],
  permissions: {
    "access-identity:write": { lets: "Say what assets act as in connected systems", heldBy: ["operator"] },
  },
});
