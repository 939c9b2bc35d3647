import { defineArea } from "#families/area.js";
import { authzenResource } from "./authzen/resource.js";
import { coazResource } from "./coaz/resource.js";
import { doorEvents } from "./events.js";
import { forwardAuthResource } from "./forward-auth/resource.js";
import { mcpResource } from "./mcp/resource.js";
import { policyAgentsResource } from "./policy-agents/resource.js";
import { registryResource } from "./registry/resource.js";

/** Decisions and lists in the standards of others. Each door tells what Reeve knows, and adds no rule. */
export const doorsArea = defineArea({
  name: "doors",
  resources: [authzenResource, coazResource, policyAgentsResource, forwardAuthResource, registryResource, mcpResource],
  events: doorEvents,
});
