import { defineResource } from "#families/resource.js";
import { readMetadata } from "./operations.js";

/** Metadata of the authorization server. */
export const metadataResource = defineResource({
  operations: [readMetadata],
});
