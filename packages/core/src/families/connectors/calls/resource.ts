import { defineResource } from "#families/resource.js";
import { instanceStates } from "./parts/state-schema.js";

/** Secrets and states of calls to connected systems. */
export const callsResource = defineResource({
  collections: [instanceStates],
});
