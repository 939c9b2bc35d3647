import { defineResource } from "#families/resource.js";
import { readHealthTrend } from "./operations.js";
import { storeAllTraffic } from "./record-traffic.js";
import { connectorTraffic } from "./schema.js";

/** Counts of calls to connected systems by the hour. */
export const trafficResource = defineResource({
  collections: [connectorTraffic],
  operations: [readHealthTrend],
  flush: storeAllTraffic,
  aged: [{ kind: "traffic", collection: connectorTraffic, by: "hour" }],
});
