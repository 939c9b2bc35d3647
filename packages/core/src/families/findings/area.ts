import { defineArea } from "#families/area.js";
import { daysResource } from "./days/resource.js";
import { findingEvents } from "./events.js";
import { findingsResource } from "./findings/resource.js";

/** Findings. They are an area of their own because both governance, which detects them, and the estate use them. */
export const findingsArea = defineArea({
  name: "findings",
  resources: [findingsResource, daysResource],
  events: findingEvents,
});
