import { defineResource } from "#families/resource.js";
import { openapiDocument, referenceAsset, referencePage } from "./operations.js";

/** The API document and its reference page. */
export const referenceResource = defineResource({
  operations: [openapiDocument, referencePage, referenceAsset],
});
