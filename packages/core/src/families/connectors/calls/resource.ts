import { defineResource } from "#families/resource.js";
import { instanceStates } from "./parts/state-schema.js";

/** What a connector keeps from one call to the next. */
export const callsResource = defineResource({
  collections: [instanceStates],
});
