import { defineArea } from "#families/area.js";
import { conflictOfInterestResource } from "./conflict-of-interest/resource.js";
import { accountabilityEvents } from "./events.js";
import { flaggedResource } from "./flagged/resource.js";
import { originsResource } from "./origins/resource.js";

/** Who is a four-eyes approver: where accounts and machines come from, and the decisions that related parties took. */
export const accountability = defineArea({
  name: "accountability",
  resources: [originsResource, flaggedResource, conflictOfInterestResource],
  events: accountabilityEvents,
});
