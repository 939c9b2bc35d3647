import { defineResource } from "#families/resource.js";
import { readDomainEnums } from "./operations.js";

/** The values that policies may name. */
export const enumsResource = defineResource({
  operations: [readDomainEnums],
});
