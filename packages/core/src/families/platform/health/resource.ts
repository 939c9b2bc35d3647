import { defineResource } from "#families/resource.js";
import { agentsHealth, cacheHealth, monitorPing } from "./operations.js";

/** Health of the platform. */
export const healthResource = defineResource({
  operations: [monitorPing, cacheHealth, agentsHealth],
});
