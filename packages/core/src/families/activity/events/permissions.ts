import { definePermissions, READERS } from "#families/roles.js";

export const activityPermissions = definePermissions({
  "ai-activity:read": { lets: "See the activity stream", heldBy: [...READERS, "member", "provider_admin"] },
});
