import { defineResource } from "#families/resource.js";
import { fileReport, readReport } from "./operations.js";

/** The compliance report, as JSON, HTML and PDF. */
export const reportResource = defineResource({
  operations: [readReport, fileReport],
});
