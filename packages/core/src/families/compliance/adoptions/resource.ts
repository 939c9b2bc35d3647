import { defineResource } from "#families/resource.js";
import { abandonFramework, adoptFramework } from "./operations.js";
import { adoptions } from "./schema.js";

/** Which frameworks the tenant has adopted. */
export const adoptionsResource = defineResource({
  collections: [adoptions],
  operations: [adoptFramework, abandonFramework],
});
