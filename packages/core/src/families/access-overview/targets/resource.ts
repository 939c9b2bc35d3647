import { defineResource } from "#families/resource.js";
import { listAccessConnectors, listAvailableTargets, listTargets, readTarget } from "./operations.js";

/** Targets of access, with what each offers and how it stands. */
export const targetsResource = defineResource({
  operations: [listTargets, readTarget, listAccessConnectors, listAvailableTargets],
});
