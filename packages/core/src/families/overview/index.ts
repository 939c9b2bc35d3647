import { defineArea } from "../../kernel/operation/area.js";
import { readOverview } from "./summary/operations.js";
import { overviewPermissions } from "./summary/permissions.js";

/** The estate at a glance, from what the other families have counted. */
export const overview = defineArea({
  name: "overview",
  collections: [],
  machines: [],
  operations: [readOverview],
  extends: [overviewPermissions],
});
