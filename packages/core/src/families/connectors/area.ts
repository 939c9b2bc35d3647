import { defineArea } from "#families/area.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { callsResource } from "./calls/resource.js";
import { catalogResource } from "./catalog/resource.js";
import { configurationsResource } from "./configurations/resource.js";
import { definitionsResource } from "./definitions/resource.js";
import { diagnosticsResource } from "./diagnostics/resource.js";
import { connectorEvents } from "./events.js";
import { importsResource } from "./imports/resource.js";
import { instancesResource } from "./instances/resource.js";
import { integrationsResource } from "./integrations/resource.js";
import { registryResource } from "./registry/resource.js";
import { trafficResource } from "./traffic/resource.js";

/** Connectors of the host, and connections to systems that are made with them. */
export const connectorsArea = defineArea({
  name: "connectors",
  resources: [
    definitionsResource,
    instancesResource,
    registryResource,
    callsResource,
    configurationsResource,
    integrationsResource,
    diagnosticsResource,
    trafficResource,
    importsResource,
    catalogResource,
  ],
  events: connectorEvents,
  extends: [defineEventReaders({ connector: ["connector:read"] })],
});
