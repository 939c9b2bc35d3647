import { definePermissions, READERS } from "#families/roles.js";

export const reviewPermissions = definePermissions({
  "review:read": {
    lets: "See what waits for a decision, of the kinds that one may see anyway, and say why one stopped something",
    heldBy: [...READERS, "member", "provider_admin"],
  },
  "review:comment": {
    lets: "Comment on what waits for a decision",
    heldBy: ["governance_officer", "approver", "operator", "member"],
  },
  "review:assign": {
    lets: "Say who is to decide what waits, and until when",
    heldBy: ["governance_officer", "approver"],
  },
});
