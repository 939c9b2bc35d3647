import { extend } from "#kernel/config/extension.js";
import { defineArea } from "#kernel/operation/area.js";
import { fourEyesPlaces } from "#kernel/operation/four-eyes.js";
import { openCounts } from "../findings/index.js";
import { agentOperations } from "./agents/operations.js";
import { agentPermissions } from "./agents/permissions.js";
import { agentKind } from "./agents/record/kind.js";
import { agents } from "./agents/schema.js";
import { classifyAsset, lowerClass } from "./assets/classify/operations.js";
import { changeCondition } from "./assets/conditions/operations.js";
import { usableDependencies } from "./assets/containment/promotion.js";
import { tenantStops } from "./assets/containment/stops.js";
import { listEffective, readEffective } from "./assets/effective/operations.js";
import { recordSides } from "./assets/effective/record-side.js";
import { patchGovernanceState } from "./assets/governance/operations.js";
import {
  listAssetActivity,
  listAssetFindings,
  listGovernanceHistory,
  listLifecycleHistory,
  readAssetEvent,
} from "./assets/history/operations.js";
import { readImpact } from "./assets/impact/operations.js";
import { dependencies } from "./assets/lifecycle/dependencies.js";
import { assetLifecycle, governanceState } from "./assets/machine.js";
import { keepOwners } from "./assets/owners/leavers.js";
import { reassignAssets } from "./assets/owners/operations.js";
import { assetPermissions } from "./assets/permissions.js";
import { assetLinks } from "./assets/relations/links.js";
import { listRelations } from "./assets/relations/operations.js";
import { assets } from "./assets/schema.js";
import { estateEvents } from "./events.js";
import { liftCriticalHalt } from "./halts/lift/lift.js";
import { haltStatus } from "./halts/machine.js";
import { createHalt, liftHaltRequest, listHalts, readHalt } from "./halts/operations.js";
import { haltPermissions } from "./halts/permissions.js";
import { haltStops } from "./halts/queries.js";
import { halts } from "./halts/schema.js";
import { keepHalted, keepHaltedRelations, keepHaltedTools } from "./halts/start/follow.js";
import {
  createCredential,
  listCredentials,
  revokeIdentityCredential,
  rotateIdentityCredential,
} from "./identities/credentials/operations.js";
import { identityStatus } from "./identities/machine.js";
import { identityOperations } from "./identities/operations.js";
import { identityPermissions } from "./identities/permissions.js";
import { identityKind } from "./identities/record/kind.js";
import { identities } from "./identities/schema.js";
import { importAssets } from "./import/operations.js";
import { approveOffer } from "./mcp-servers/drift/approve.js";
import { approveServerTools, listServerTools, readServerDrift } from "./mcp-servers/drift/operations.js";
import { mcpServerDue, runMcpServerJobs } from "./mcp-servers/jobs.js";
import { mcpConnection } from "./mcp-servers/machine.js";
import { mcpServerSnapshots } from "./mcp-servers/manifest/snapshots.js";
import { mcpServerOperations } from "./mcp-servers/operations.js";
import { mcpServerPermissions } from "./mcp-servers/permissions.js";
import { mcpServerChecks } from "./mcp-servers/probe/checks.js";
import { probeServer, scanServer } from "./mcp-servers/probe/operations.js";
import { mcpServerKind } from "./mcp-servers/record/kind.js";
import { letIn } from "./mcp-servers/record/trust.js";
import { mcpServers } from "./mcp-servers/schema.js";
import { mcpServerSecrets } from "./mcp-servers/secrets/secrets.js";
import { mcpNames } from "./mcp-servers/warnings/names.js";
import { modelAliases } from "./models/aliases/aliases.js";
import { providerStatus } from "./models/machine.js";
import { modelOperations } from "./models/operations.js";
import { modelPermissions } from "./models/permissions.js";
import { modelKind } from "./models/record/kind.js";
import { models } from "./models/schema.js";
import type { RecordKind } from "./records/declare/kind.js";
import { recordKinds } from "./records/declare/kinds.js";
import { followAssets } from "./records/follow/follow.js";
import { joinedRecords } from "./records/follow/joined.js";
import { followRecords } from "./records/follow/links.js";
import { keepPosture } from "./records/posture/keep.js";
import {
  createAsset,
  deleteAsset,
  listAssets,
  patchLifecycle,
  patchMetadata,
  readAsset,
  replaceAsset,
} from "./registry/operations.js";
import { toolStatus } from "./tools/machine.js";
import { toolOperations } from "./tools/operations.js";
import { toolPermissions } from "./tools/permissions.js";
import { toolKind } from "./tools/record/kind.js";
import { keepBlocked } from "./tools/review/keep-blocked.js";
import { reviewManyTools, reviewOneTool } from "./tools/review/operations.js";
import { tools } from "./tools/schema.js";

export { Agent, agents } from "./agents/schema.js";
export { deniedBecause, type EffectiveDecision } from "./assets/containment/decide.js";
export { usesTool } from "./assets/containment/declared.js";
export type { Graph } from "./assets/containment/graph.js";
export {
  assetsSwitchedOff,
  engagedSwitch,
  engagedSwitchesOf,
  type StopOf,
  switchedOffAssets,
} from "./assets/containment/stops.js";
export { effectiveOf, effectiveOfAll, type Survey, surveyOf } from "./assets/effective/effective.js";
export { DependencyStep } from "./assets/effective/operations.js";
export { AssetFields, Label, Text } from "./assets/fields.js";
export { promotionGates } from "./assets/lifecycle/gates.js";
export { LIFECYCLE } from "./assets/lifecycle/lifecycle-states.js";
export { moveLifecycle } from "./assets/lifecycle/moves.js";
export { GOVERNANCE_STATES } from "./assets/machine.js";
export { answersFor, isParty } from "./assets/owners/hand-over.js";
export { assetsOfLeavers } from "./assets/owners/leavers.js";
export { isScoredAnew, type Scored } from "./assets/posture/posture.js";
export { readEstateBody, refuseUnknown } from "./assets/register/body.js";
export { assetLinks } from "./assets/relations/links.js";
export { Asset, assets } from "./assets/schema.js";
export { likenessOf } from "./assets/search/likeness.js";
export { noteFound, noteUse } from "./assets/sightings/sightings.js";
export {
  ASSET_TYPES,
  type AssetType,
  AUTONOMY_LEVELS,
  DATA_CLASSIFICATIONS,
  ENVIRONMENTS,
  RELATION_TYPES,
  RISK_TIERS,
  SOURCES,
} from "./assets/terms/vocabulary.js";
export { halts } from "./halts/schema.js";
export { IDENTITY_KINDS, Identity, identities } from "./identities/schema.js";
export { type ReadItem, readItem } from "./import/read/item.js";
export type { Imported, ImportItem } from "./import/schema.js";
export { prefetch as prefetchItems } from "./import/write/prefetch.js";
export { createItem, updateItem } from "./import/write/put.js";
export { importWork } from "./import/write/work.js";
export { AUTH_TYPES as MCP_AUTH_TYPES, MANIFEST_STATES, TRANSPORTS as MCP_TRANSPORTS } from "./mcp-servers/fields.js";
export { manifestDigest } from "./mcp-servers/manifest/manifest.js";
export { promptPin, templatePin, toolPin } from "./mcp-servers/manifest/pin.js";
export { scheduleNoticed } from "./mcp-servers/probe/checks.js";
export { McpServer, mcpServers } from "./mcp-servers/schema.js";
export { HOSTINGS, Model, models } from "./models/schema.js";
export { keepPosture } from "./records/posture/keep.js";
export { TOOL_STATUSES } from "./tools/machine.js";
export { EFFECTS, ORIGINS, Tool, tools } from "./tools/schema.js";

/** The records that say whether an asset may be used, beside the switches of the platform. */
export const containedRecords = [assets, assetLinks, halts, agents, tools, identities, models, mcpServers];

/** Every kind of typed record. */
export const RECORD_KINDS: readonly RecordKind[] = [agentKind, toolKind, identityKind, modelKind, mcpServerKind];

/** The governed AI assets of an organisation, with their typed records. */
export const estate = defineArea({
  name: "estate",
  collections: [
    assets,
    assetLinks,
    agents,
    tools,
    identities,
    models,
    modelAliases,
    mcpServers,
    mcpServerSecrets,
    mcpServerSnapshots,
    mcpServerChecks,
    mcpNames,
    halts,
  ],
  machines: [assetLifecycle, governanceState, toolStatus, identityStatus, providerStatus, mcpConnection, haltStatus],
  operations: [
    listAssets,
    createAsset,
    importAssets,
    reassignAssets,
    classifyAsset,
    readAsset,
    replaceAsset,
    deleteAsset,
    listAssetActivity,
    readAssetEvent,
    listAssetFindings,
    patchGovernanceState,
    changeCondition,
    listGovernanceHistory,
    patchLifecycle,
    listLifecycleHistory,
    patchMetadata,
    readEffective,
    listEffective,
    listRelations,
    readImpact,
    agentOperations.list,
    agentOperations.create,
    agentOperations.read,
    agentOperations.replace,
    agentOperations.remove,
    toolOperations.list,
    toolOperations.create,
    toolOperations.read,
    toolOperations.replace,
    toolOperations.remove,
    reviewOneTool,
    reviewManyTools,
    identityOperations.list,
    identityOperations.create,
    identityOperations.read,
    identityOperations.replace,
    identityOperations.remove,
    listCredentials,
    createCredential,
    rotateIdentityCredential,
    revokeIdentityCredential,
    modelOperations.list,
    modelOperations.create,
    modelOperations.read,
    modelOperations.replace,
    modelOperations.remove,
    mcpServerOperations.list,
    mcpServerOperations.create,
    mcpServerOperations.read,
    mcpServerOperations.replace,
    mcpServerOperations.remove,
    probeServer,
    scanServer,
    listServerTools,
    readServerDrift,
    approveServerTools,
    listHalts,
    createHalt,
    readHalt,
    liftHaltRequest,
  ],
  follows: [
    keepOwners,
    keepHalted,
    keepHaltedRelations,
    keepHaltedTools,
    keepBlocked,
    followAssets,
    ...RECORD_KINDS.map((kind) => followRecords(kind)),
  ],
  extends: [
    extend(tenantStops, haltStops),
    estateEvents,
    extend(fourEyesPlaces, lowerClass),
    extend(fourEyesPlaces, approveOffer),
    extend(fourEyesPlaces, letIn),
    assetPermissions,
    agentPermissions,
    toolPermissions,
    identityPermissions,
    modelPermissions,
    mcpServerPermissions,
    haltPermissions,
    extend(fourEyesPlaces, liftCriticalHalt),
    extend(recordSides, joinedRecords),
    extend(dependencies, usableDependencies),
    extend(openCounts, keepPosture),
    ...RECORD_KINDS.map((kind) => extend(recordKinds, kind)),
  ],
  dues: [mcpServerDue],
  tick: runMcpServerJobs,
});
