import { defineArea } from "#families/area.js";
import { chainResource } from "./chain/resource.js";
import { erasuresResource } from "./erasures/resource.js";
import { eventsResource } from "./events/resource.js";
import { activityEvents } from "./events.js";
import { exportResource } from "./export/resource.js";
import { liveResource } from "./live/resource.js";
import { sliceResource } from "./slice/resource.js";

/** The tamper-evident stream of everything that happens in a tenant. */
export const activity = defineArea({
  name: "activity",
  resources: [chainResource, erasuresResource, eventsResource, exportResource, sliceResource, liveResource],
  events: activityEvents,
});
