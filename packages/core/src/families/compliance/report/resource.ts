import { defineResource } from "#families/resource.js";
import { fileReport, readReport } from "./operations.js";

/** The compliance report, as JSON or as one page, and its filing in the event chain. */
export const reportResource = defineResource({
  operations: [readReport, fileReport],
});
