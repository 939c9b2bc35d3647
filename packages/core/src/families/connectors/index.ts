import type { Environment } from "#kernel/config/environment.js";
import { defineArea } from "#kernel/operation/area.js";
import { dueBy } from "#kernel/operation/dues.js";
import { dropAged, dueByAge } from "#kernel/operation/retention.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { applyDueTimeTransitions } from "#kernel/operation/time-transitions.js";
import { instanceStates } from "./calls/parts/state-schema.js";
import { listCatalog, listCatalogCategories, testCatalogDraft } from "./catalog/connectors/operations.js";
import {
  createCatalogInstance,
  deleteCatalogInstance,
  listCatalogInstances,
  readCatalogInstance,
  replaceCatalogInstance,
} from "./catalog/operations.js";
import { listCatalogPipeline } from "./catalog/pipeline/operations.js";
import {
  discoverCatalogInstance,
  importCatalogInstance,
  listCatalogAssets,
  listCatalogAudit,
  listCatalogCapabilities,
  readCatalogHealth,
  testCatalogInstance,
} from "./catalog/work/operations.js";
import { configurationVersions } from "./configurations/schema.js";
import { testConnectorDraft } from "./definitions/draft/operations.js";
import {
  listConnectorCategories,
  listConnectorStatuses,
  listConnectors,
  listEnabledConnectors,
  readConnector,
  readConnectorManifest,
} from "./definitions/operations.js";
import { runDiagnosticsJobs } from "./diagnostics/jobs.js";
import { listDiagnostics, readDiagnostics, readLatestDiagnostics, runDiagnostics } from "./diagnostics/operations.js";
import { followStatus } from "./diagnostics/schedule/schedule.js";
import { connectorCheckups, diagnosticsRuns } from "./diagnostics/schema.js";
import { connectorEvents } from "./events.js";
import { dropImports } from "./imports/drop/drop.js";
import { runImportJobs } from "./imports/jobs.js";
import { importStatus } from "./imports/machine.js";
import {
  cancelImport,
  confirm,
  importNew,
  listImportItems,
  listImports,
  previewImport,
  readImport,
} from "./imports/operations.js";
import { importPermissions } from "./imports/permissions.js";
import { connectorAssets, connectorImportItems, connectorImportRuns, connectorImports } from "./imports/schema.js";
import { instanceHealth } from "./instances/health/machine.js";
import { instanceStreaks } from "./instances/health/schema.js";
import { instanceStatus } from "./instances/machine.js";
import { connectorPermissions } from "./instances/permissions.js";
import { instances } from "./instances/schema.js";
import { instanceSecrets } from "./instances/secrets/schema.js";
import {
  listIntegrationActivity,
  readIntegrationEvent,
  summarizeIntegrationActivity,
} from "./integrations/activity/operations.js";
import {
  readIntegrationConfiguration,
  replaceIntegrationConfiguration,
  validateIntegrationConfiguration,
} from "./integrations/configuration/operations.js";
import { deleteIntegration, listIntegrations, patchIntegration } from "./integrations/operations.js";
import {
  createInstanceRequest,
  deleteInstance,
  listInstances,
  patchInstance,
  readInstance,
} from "./registry/operations.js";
import { finishRemovals } from "./registry/remove/remove.js";
import { readHealthTrend } from "./traffic/operations.js";
import { storeAllTraffic } from "./traffic/record/record.js";
import { connectorTraffic } from "./traffic/schema.js";

export { connectorCalls, type InstanceCall } from "./calls/run/calls.js";
export { refusalOf } from "./calls/run/refusal.js";
export { isAnomalous, type MassChange } from "./circuit-breaker/rules.js";
export { FAILURE } from "./instances/fields.js";
export { requireOwners } from "./instances/owners/owners.js";
export { type InstanceHolder, instanceHolders, type RemovalMode } from "./instances/remove/holders.js";
export { ConnectorInstance, instances } from "./instances/schema.js";
export {
  IncompleteBecause,
  incompleteWith,
  LeftOutOfListing,
  leftOutWith,
  StoredTrail,
} from "./listing/schema.js";
export { jobFailure } from "./steps/run/failure.js";
export { runSteps, type SteppedWork, type StepRun } from "./steps/run/run.js";

async function runInstanceJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  const ended = await applyDueTimeTransitions(env, instances, tenantId, now);
  const removed = await finishRemovals(env, tenantId);
  const steps = (await runImportJobs(env, tenantId)) + (await runDiagnosticsJobs(env, tenantId));
  return ended + removed + steps + (await dropHistories(env, tenantId));
}

/** Drops what connections have told longer ago than it is kept. */
async function dropHistories(env: Environment, tenantId: string): Promise<number> {
  const tests = await dropAged(env, tenantId, { kind: "diagnostics", collection: diagnosticsRuns, by: "createdAt" });
  const hours = await dropAged(env, tenantId, { kind: "traffic", collection: connectorTraffic, by: "hour" });
  return tests + hours + (await dropImports(env, tenantId));
}

/** Connectors of the host, and connections to systems that are made with them. */
export const connectorsArea = defineArea({
  name: "connectors",
  collections: [
    instances,
    instanceSecrets,
    instanceStates,
    instanceStreaks,
    configurationVersions,
    connectorImports,
    connectorImportItems,
    connectorImportRuns,
    connectorAssets,
    diagnosticsRuns,
    connectorCheckups,
    connectorTraffic,
  ],
  machines: [instanceStatus, instanceHealth, importStatus],
  operations: [
    listConnectors,
    readConnector,
    readConnectorManifest,
    testConnectorDraft,
    listConnectorCategories,
    listEnabledConnectors,
    listConnectorStatuses,
    listInstances,
    createInstanceRequest,
    readInstance,
    patchInstance,
    deleteInstance,
    listIntegrations,
    patchIntegration,
    deleteIntegration,
    listIntegrationActivity,
    readIntegrationEvent,
    summarizeIntegrationActivity,
    readIntegrationConfiguration,
    replaceIntegrationConfiguration,
    validateIntegrationConfiguration,
    listDiagnostics,
    readLatestDiagnostics,
    runDiagnostics,
    readDiagnostics,
    readHealthTrend,
    importNew,
    previewImport,
    listImports,
    readImport,
    listImportItems,
    confirm,
    cancelImport,
    listCatalog,
    listCatalogCategories,
    testCatalogDraft,
    listCatalogInstances,
    createCatalogInstance,
    listCatalogPipeline,
    readCatalogInstance,
    replaceCatalogInstance,
    deleteCatalogInstance,
    listCatalogAssets,
    listCatalogAudit,
    listCatalogCapabilities,
    discoverCatalogInstance,
    readCatalogHealth,
    importCatalogInstance,
    testCatalogInstance,
  ],
  follows: [followStatus],
  dues: [
    dueBy(instances, "createdAt", { where: { status: "deleting" } }),
    dueBy(connectorImportRuns, "dueAt"),
    dueBy(connectorCheckups, "dueAt"),
    dueByAge("diagnostics", diagnosticsRuns, "createdAt"),
    dueByAge("traffic", connectorTraffic, "hour"),
    dueByAge("imports", connectorImports, "overSince"),
  ],
  flush: storeAllTraffic,
  tick: runInstanceJobs,
  extends: [
    connectorEvents,
    connectorPermissions,
    importPermissions,
    defineEventReaders({ connector: ["connector:read"] }),
  ],
});
