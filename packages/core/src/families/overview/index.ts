import { defineArea } from "#kernel/operation/area.js";
import { readOverview } from "./summary/operations.js";
import { overviewPermissions } from "./summary/permissions.js";

/** The overview of the estate, from counters of the other areas. */
export const overview = defineArea({
  name: "overview",
  collections: [],
  machines: [],
  operations: [readOverview],
  extends: [overviewPermissions],
});
