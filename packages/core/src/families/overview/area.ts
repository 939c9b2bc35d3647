import { defineArea } from "#families/area.js";
import { summaryResource } from "./summary/resource.js";

/** The overview of the estate, from counters of the other areas. */
export const overview = defineArea({
  name: "overview",
  resources: [summaryResource],
});
