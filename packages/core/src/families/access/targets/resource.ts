import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";

/** Permissions for targets of access; views of targets belong to the overview. */
export const targetsResource = defineResource({
  permissions: {
    "access:read": {
      lets: "See targets of access, their resources and profiles, and who has access",
      heldBy: [...READERS, "member"],
    },
    "access-target:sync": {
      lets: "Read what connected systems offer access to",
      heldBy: ["governance_officer", "operator"],
    },
    "access-resource:write": {
      lets: "Say who answers for a resource of a target, and whether access to it is changed",
      heldBy: ["governance_officer"],
    },
    "access-target:accept": {
      lets: "Accept that much of a connected system is gone",
      heldBy: ["governance_officer"],
      peopleOnly: true,
    },
  },
});
