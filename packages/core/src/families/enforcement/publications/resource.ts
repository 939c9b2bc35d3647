import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { releasePublication, restorePublication } from "./hold-operations.js";
import {
  listPublications,
  previewPublication,
  publish,
  publishToInstallation,
  readOwnPublication,
  readPublication,
} from "./operations.js";
import { publications } from "./schema.js";

/** What clients may use, as files that their administrators install. */
export const publicationsResource = defineResource({
  collections: [publications],
  operations: [
    listPublications,
    readPublication,
    previewPublication,
    publish,
    readOwnPublication,
    publishToInstallation,
    restorePublication,
    releasePublication,
  ],
  permissions: {
    "publication:read": { lets: "See what is and would be published to clients", heldBy: READERS },
    "publication:publish": { lets: "Publish to clients what their agents may use", heldBy: ["operator"] },
  },
});
