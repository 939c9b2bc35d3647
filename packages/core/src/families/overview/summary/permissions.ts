import { definePermissions, READERS } from "#families/roles.js";

export const overviewPermissions = definePermissions({
  "ai-overview:read": {
    lets: "See the overview: of each block what one may see anyway",
    heldBy: [...READERS, "member"],
  },
});
