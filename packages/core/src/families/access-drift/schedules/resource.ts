import { defineResource } from "#families/resource.js";
import { followSchedules } from "./follow-schedule.js";
import { accessSchedules } from "./schema.js";

/** When each target is synced and scanned next. */
export const schedulesResource = defineResource({
  collections: [accessSchedules],
  follows: [followSchedules],
});
