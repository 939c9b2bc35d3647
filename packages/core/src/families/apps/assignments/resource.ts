import { defineResource } from "#families/resource.js";
import { extend } from "#kernel/config/extension.js";
import { appClosings } from "../saml-apps/change/closing.js";
import { dropAssignments } from "./check/drop.js";
import { assignApp, listAssignments, unassignApp } from "./operations.js";
import { samlAssignments } from "./schema.js";

/** Who may sign on to an application. */
export const assignmentsResource = defineResource({
  collections: [samlAssignments],
  operations: [listAssignments, assignApp, unassignApp],
  extends: [extend(appClosings, dropAssignments)],
});
