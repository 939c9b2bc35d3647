import { defineArea } from "#families/area.js";
import { assignmentsResource } from "./assignments/resource.js";
import { accessGrantsEvents } from "./events.js";
import { identitiesResource } from "./identities/resource.js";
import { accessGrantsDues, runAccessGrantsJobs } from "./jobs.js";
import { reconciliationResource } from "./reconciliation/resource.js";

/** Access that assets have, and the work that makes targets agree with it. */
export const accessGrantsArea = defineArea({
  name: "access-grants",
  resources: [assignmentsResource, reconciliationResource, identitiesResource],
  dues: accessGrantsDues,
  tick: runAccessGrantsJobs,
  events: accessGrantsEvents,
});
