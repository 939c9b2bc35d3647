import { defineResource } from "#families/resource.js";
import { listOwnApps, readApplication, removeOwnApp, updateApplication } from "./operations.js";
import { hiddenApps } from "./schema.js";

/** The applications of the caller. */
export const applicationsResource = defineResource({
  collections: [hiddenApps],
  operations: [listOwnApps, readApplication, updateApplication, removeOwnApp],
});
