import { defineResource } from "#families/resource.js";
import { subdomains } from "./schema.js";

/** Subdomains that tenants claimed. */
export const subdomainsResource = defineResource({
  collections: [subdomains],
});
