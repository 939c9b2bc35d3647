import { defineArea } from "#families/area.js";
import { accessRequestsEvents } from "./events.js";
import { accessRequestsDues, runAccessRequestsJobs } from "./jobs.js";
import { requestsResource } from "./requests/resource.js";

/** Requests for access: what they take, who decides, and that what was approved is granted. */
export const accessRequestsArea = defineArea({
  name: "access-requests",
  resources: [requestsResource],
  dues: accessRequestsDues,
  tick: runAccessRequestsJobs,
  events: accessRequestsEvents,
});
