import { defineArea } from "#families/area.js";
import { findingsResource } from "./findings/resource.js";
import { lifecycleResource } from "./lifecycle/resource.js";
import { targetsResource } from "./targets/resource.js";

/** Access at a glance: targets, lists over all assets, figures, and findings about access. */
export const accessOverviewArea = defineArea({
  name: "access-overview",
  resources: [targetsResource, lifecycleResource, findingsResource],
});
