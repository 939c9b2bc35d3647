import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { followMakers } from "./follow-makers.js";
import { createSavedView, listSavedViews, patchSavedView, readSavedView, removeSavedView } from "./operations.js";
import { savedViews } from "./schema.js";

/** Views of lists that people keep under a name, for themselves or for all. */
export const savedViewsResource = defineResource({
  collections: [savedViews],
  operations: [listSavedViews, createSavedView, readSavedView, patchSavedView, removeSavedView],
  permissions: {
    "saved-view:use": {
      lets: "Save views of lists for oneself, and use those that are shared",
      heldBy: [...READERS, "member", "provider_admin", "provider_support"],
    },
    "saved-view:share": {
      lets: "Share views of lists with the tenant, and change or remove shared ones",
      heldBy: ["governance_officer", "provider_admin"],
    },
  },
  follows: [followMakers],
});
