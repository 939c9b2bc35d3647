import { defineResource } from "#families/resource.js";
import { killSwitchStatus } from "./machine.js";
import { killSwitches } from "./schema.js";

/** Switches that stop a part of the platform. */
export const killSwitchesResource = defineResource({
  collections: [killSwitches],
  machines: [killSwitchStatus],
});
