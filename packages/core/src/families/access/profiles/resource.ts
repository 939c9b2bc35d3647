import { defineResource } from "#families/resource.js";
import { accessProfileStatus } from "./machine.js";
import { approveProfile, disableProfile, listProfiles, listResourceProfiles, readProfile } from "./operations.js";
import { accessProfiles } from "./schema.js";

/** Sets of permissions on a resource that can be requested. */
export const profilesResource = defineResource({
  collections: [accessProfiles],
  machines: [accessProfileStatus],
  operations: [listResourceProfiles, listProfiles, readProfile, approveProfile, disableProfile],
  permissions: {
    "access-profile:curate": {
      lets: "Approve kinds of access, and take them out of use",
      heldBy: ["governance_officer"],
      peopleOnly: true,
    },
  },
});
