import { defineResource } from "#families/resource.js";
import { readDomainEnums } from "./operations.js";

/** Every vocabulary of the interface: values, machines, event types and the language of rules. */
export const enumsResource = defineResource({
  operations: [readDomainEnums],
});
