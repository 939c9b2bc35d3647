import { defineResource } from "#families/resource.js";
import { register } from "./operations.js";

/** Registration of tenants with their first owner. */
export const registrationResource = defineResource({
  operations: [register],
});
