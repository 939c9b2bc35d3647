import { defineResource } from "#families/resource.js";
import { forgetSeen, seenDues } from "./jobs.js";
import { listTelemetry, takeLogs, takeMetrics, takeTraces } from "./operations.js";
import { seenCalls, telemetryDays, usageRows } from "./schema.js";

/** What clients and libraries send by the protocol of OpenTelemetry, of which calls are counted and nothing else is kept. */
export const telemetryResource = defineResource({
  collections: [usageRows, seenCalls, telemetryDays],
  operations: [takeLogs, takeTraces, takeMetrics, listTelemetry],
  dues: seenDues,
  tick: forgetSeen,
  aged: [
    { kind: "aiUsage", collection: usageRows, by: "day" },
    { kind: "aiUsage", collection: telemetryDays, by: "day" },
  ],
});
