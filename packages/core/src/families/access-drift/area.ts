import { defineArea } from "#families/area.js";
import { checksResource } from "./checks/resource.js";
import { driftResource } from "./drift/resource.js";
import { accessDriftEvents } from "./events.js";
import { accessDriftDues, runAccessDriftJobs } from "./jobs.js";
import { scansResource } from "./scans/resource.js";
import { schedulesResource } from "./schedules/resource.js";
import { syncsResource } from "./syncs/resource.js";
import { usageResource } from "./usage/resource.js";

/** What targets have and do, and where that differs from what was decided: syncs, scans, use, repair. */
export const accessDriftArea = defineArea({
  name: "access-drift",
  resources: [syncsResource, schedulesResource, usageResource, driftResource, scansResource, checksResource],
  dues: accessDriftDues,
  tick: runAccessDriftJobs,
  events: accessDriftEvents,
});
