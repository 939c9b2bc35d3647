import { defineArea } from "#families/area.js";
import { enforcementEvents } from "./events.js";
import { hooksResource } from "./hooks/resource.js";
import { installationsResource } from "./installations/resource.js";
import { packsResource } from "./packs/resource.js";
import { publicationsResource } from "./publications/resource.js";
import { telemetryResource } from "./telemetry/resource.js";
import { usageResource } from "./usage/resource.js";
import { watchesResource } from "./watches/resource.js";

/** Where decisions are felt: installations of clients, what they may use, and the questions that they ask. */
export const enforcementArea = defineArea({
  name: "enforcement",
  resources: [
    installationsResource,
    publicationsResource,
    hooksResource,
    watchesResource,
    packsResource,
    telemetryResource,
    usageResource,
  ],
  events: enforcementEvents,
});
