import { defineResource } from "#families/resource.js";
import { listKillSwitches, setKillSwitch } from "./operations.js";

/** Kill switches, for the provider. */
export const killSwitchesResource = defineResource({
  operations: [listKillSwitches, setKillSwitch],
});
