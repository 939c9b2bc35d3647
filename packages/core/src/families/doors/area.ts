import { defineArea } from "#families/area.js";
import { authzenResource } from "./authzen/resource.js";
import { forwardAuthResource } from "./forward-auth/resource.js";
import { policyAgentsResource } from "./policy-agents/resource.js";

/** Decisions asked for and answered in the standards of others. Each door asks the decision there is, and adds no rule. */
export const doorsArea = defineArea({
  name: "doors",
  resources: [authzenResource, policyAgentsResource, forwardAuthResource],
});
