import { defineResource } from "#families/resource.js";
import { readDashboard } from "./operations.js";

/** Figures of governance. */
export const dashboardResource = defineResource({
  operations: [readDashboard],
});
