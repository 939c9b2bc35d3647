import { defineResource } from "#families/resource.js";
import { dueBy } from "#kernel/operation/dues.js";
import { runDiagnosticsJobs } from "./jobs.js";
import { listDiagnostics, readDiagnostics, readLatestDiagnostics, runDiagnostics } from "./operations.js";
import { followStatus } from "./schedule-diagnostics.js";
import { connectorCheckups, diagnosticsRuns } from "./schema.js";

/** Diagnostics of connected systems, by request and by schedule. */
export const diagnosticsResource = defineResource({
  collections: [diagnosticsRuns, connectorCheckups],
  operations: [listDiagnostics, readLatestDiagnostics, runDiagnostics, readDiagnostics],
  follows: [followStatus],
  dues: [dueBy(connectorCheckups, "dueAt")],
  tick: runDiagnosticsJobs,
  aged: [{ kind: "diagnostics", collection: diagnosticsRuns, by: "createdAt" }],
});
