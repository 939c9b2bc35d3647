import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { listActivity, listSubjectActivity } from "./operations.js";

/** Lists of events, of the tenant and of one subject. */
export const eventsResource = defineResource({
  operations: [listActivity, listSubjectActivity],
  permissions: {
    "ai-activity:read": { lets: "See the activity stream", heldBy: [...READERS, "member", "provider_admin"] },
  },
});
