import { definePermissions } from "#families/roles.js";

export const accessIdentityPermissions = definePermissions({
  "access-identity:write": { lets: "Say what assets act as in connected systems", heldBy: ["operator"] },
});
