import { type Due, dueBy } from "#kernel/operation/dues.js";
import { accessRequests } from "./requests/schema.js";

export { runRequestJobs as runAccessRequestsJobs } from "./requests/jobs.js";

/** When this area has timed work. */
export const accessRequestsDues: readonly Due[] = [dueBy(accessRequests, "workAt")];
