import { definePermissions, READERS } from "#families/roles.js";

export const assetPermissions = definePermissions({
  "ai-asset:read": { lets: "See AI assets, their histories and findings", heldBy: [...READERS, "member"] },
  "ai-asset:write": { lets: "Register and change AI assets", heldBy: ["operator", "member"] },
  "ai-asset:provenance": {
    lets: "Say by an import where AI assets were found and when",
    heldBy: ["operator"],
  },
  "ai-asset:delete": { lets: "Delete AI assets", heldBy: ["operator"] },
  "ai-asset:lifecycle": {
    lets: "Move the lifecycle of AI assets; owners may deprecate and retire their own",
    heldBy: ["governance_officer", "operator", "member"],
  },
  "ai-asset:promote": {
    lets: "Take any AI asset towards production and back",
    heldBy: ["governance_officer", "operator"],
  },
  "ai-asset:assign": {
    lets: "Name another owner or sponsor of any AI asset, and hand all assets of one person to another",
    heldBy: ["governance_officer"],
  },
  "ai-asset:retire": { lets: "Deprecate and retire any AI asset", heldBy: ["governance_officer", "operator"] },
  "ai-asset:restore": { lets: "Bring a retired AI asset back", heldBy: [], peopleOnly: true },
  "ai-governance:review": {
    lets: "Ask for review of an AI asset, and take it back",
    heldBy: ["governance_officer", "approver", "operator", "member"],
  },
  "ai-governance:approve": {
    lets: "Approve, reject and reinstate AI assets",
    heldBy: ["governance_officer", "approver"],
    peopleOnly: true,
  },
  "ai-governance:suspend": { lets: "Suspend AI assets", heldBy: ["governance_officer"] },
});
