import { defineResource } from "#families/resource.js";
import { accessResourceStatus } from "./machine.js";
import { listResources, patchResource, readResourceOperation } from "./operations.js";
import { accessResources } from "./schema.js";

/** What targets offer access to, who owns it, and whether Reeve changes access there. */
export const resourcesResource = defineResource({
  collections: [accessResources],
  machines: [accessResourceStatus],
  operations: [listResources, readResourceOperation, patchResource],
});
