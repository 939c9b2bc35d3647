import { defineCollection } from "#kernel/records/collection.js";
import { Metadata } from "#kernel/records/generic-body.js";
import { recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { TestReport } from "../testing/test-report.js";

export const TRIGGERS = ["manual", "schedule"] as const;
export const OUTCOMES = ["passed", "warning", "failed"] as const;

const { checks, capabilities, failure } = TestReport.shape;
const { id, version, createdAt, createdBy, updatedAt, updatedBy } = recordFields;

/** One run of the test of a connection, as it is stored and served. */
export const DiagnosticsRun = z
  .object({
    id,
    version,
    createdAt,
    createdBy,
    updatedAt,
    updatedBy,
    connectorInstanceId: z.string().meta({ description: "Id of the connection." }),
    trigger: z.enum(TRIGGERS).meta({ description: "What began it." }),
    reason: z.string().nullable().meta({ description: "Why somebody asked for it." }),
    metadata: Metadata,
    status: z.enum(OUTCOMES).meta({ description: "The worst of its checks." }),
    checks,
    capabilities,
    failure,
    configurationVersion: z.int().meta({ description: "The configuration that was tested." }),
    connectorVersion: z.string().meta({ description: "Version of the connector." }),
    healthBefore: z.string().meta({ description: "Health of the connection before it." }),
    healthAfter: z.string().meta({ description: "Health after it." }),
    startedAt: Time.meta({ description: "When it began." }),
    endedAt: Time.meta({ description: "When it ended." }),
  })
  .meta({ id: "DiagnosticsRun" });
export type DiagnosticsRun = z.output<typeof DiagnosticsRun>;

/** Runs of tests of connections. */
export const diagnosticsRuns = defineCollection<DiagnosticsRun>({
  name: "connector_diagnostics",
  prefix: "diag",
  schema: DiagnosticsRun,
  resource: {
    type: "diagnostics_run",
    event: "connector.diagnostics",
    path: "/api/v1/integrations/diagnostics",
    alsoAt: ["/api/v1/integrations/{id}/diagnostics/runs"],
    readBy: ["connector:read"],
  },
  related: ({ connectorInstanceId }) => [connectorInstanceId],
  fields: { connectorInstanceId: { type: "text" }, status: { type: "text" }, trigger: { type: "text" } },
  indexes: [{ where: ["connectorInstanceId"] }],
  filters: { status: { values: OUTCOMES }, trigger: { values: TRIGGERS } },
});

const ConnectorCheckup = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  connectorInstanceId: z.string(),
  /** When the next test is due, or the lease of the process that makes it ends. `null` for none. */
  dueAt: Time.nullable(),
});
export type ConnectorCheckup = z.output<typeof ConnectorCheckup>;

/** When each active connection is tested next, apart from the records that the API serves. */
export const connectorCheckups = defineCollection<ConnectorCheckup>({
  name: "connector_checkups",
  prefix: "cck",
  schema: ConnectorCheckup,
  fields: { connectorInstanceId: { type: "text", compare: "exact" }, dueAt: { type: "time" } },
  unique: { instance: ["connectorInstanceId"] },
  indexes: [{ where: [], by: "dueAt", partial: true }],
  secrets: [],
});
