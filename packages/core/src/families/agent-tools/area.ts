import { defineArea } from "#families/area.js";
import { assertionsResource } from "./assertions/resource.js";
import { agentToolsEvents } from "./events.js";
import { executeResource } from "./execute/resource.js";
import { agentToolsDues, runAgentToolsJobs } from "./jobs.js";
import { runtimeTestResource } from "./runtime-test/resource.js";
import { tokensResource } from "./tokens/resource.js";

/** Short-lived tokens with which assets run tools, and the calls with them. */
export const agentToolsArea = defineArea({
  name: "agent-tools",
  resources: [tokensResource, runtimeTestResource, executeResource, assertionsResource],
  dues: agentToolsDues,
  tick: runAgentToolsJobs,
  events: agentToolsEvents,
});
