import { agentKind } from "./agents/record-kind.js";
import { agents } from "./agents/schema.js";
import { assetLinks } from "./assets/relations/links.js";
import { assets } from "./assets/schema.js";
import { halts } from "./halts/schema.js";
import { identityKind } from "./identities/record-kind.js";
import { identities } from "./identities/schema.js";
import { mcpServerKind } from "./mcp-servers/record/kind.js";
import { mcpServers } from "./mcp-servers/schema.js";
import { modelKind } from "./models/record-kind.js";
import { models } from "./models/schema.js";
import type { RecordKind } from "./records/declare/kind.js";

export { HttpUrl } from "./records/fields.js";

import { toolKind } from "./tools/record-kind.js";
import { tools } from "./tools/schema.js";

export { requireAnsweringFor } from "./agents/answering-identity.js";
export { Agent, agents } from "./agents/schema.js";
export { useTools } from "./agents/use-tools.js";
export { isScoredAnew, type Scored } from "./assets/asset-posture.js";
export {
  ASSET_TYPES,
  type AssetType,
  AUTONOMY_LEVELS,
  DATA_CLASSIFICATIONS,
  ENVIRONMENTS,
  RELATION_TYPES,
  RISK_TIERS,
  SOURCES,
} from "./assets/asset-terms.js";
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
export { impactOf } from "./assets/impact/impact.js";
export { promotionGates } from "./assets/lifecycle/gates.js";
export { LIFECYCLE } from "./assets/lifecycle/lifecycle-states.js";
export { moveLifecycle } from "./assets/lifecycle/moves.js";
export { GOVERNANCE_STATES } from "./assets/machine.js";
export { noteFound, noteUse } from "./assets/observe-asset.js";
export { answersFor, isParty } from "./assets/owners/hand-over.js";
export { assetsOfLeavers } from "./assets/owners/leavers.js";
export { readEstateBody, refuseUnknown } from "./assets/register/body.js";
export { type AssetLink, assetLinks } from "./assets/relations/links.js";
export { Asset, assets } from "./assets/schema.js";
export { likenessOf } from "./assets/search-likeness.js";
export { SHOWN as ASSET_CONTENT } from "./assets/version-fields.js";
export { Halt, halts } from "./halts/schema.js";
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
export { modelAliases } from "./models/model-aliases.js";
export { HOSTINGS, Model, models } from "./models/schema.js";
export { keepPosture } from "./records/keep-posture.js";
export { registerAsset } from "./records/write/register.js";
export { TOOL_STATUSES } from "./tools/machine.js";
export { mappingLanguage } from "./tools/mapping/mapping-language.js";
export { MAPPING_MEMBER, readMapping } from "./tools/mapping/read-mapping.js";
export { resolveMapping } from "./tools/mapping/resolve-mapping.js";
export { EFFECTS, ORIGINS, Tool, tools } from "./tools/schema.js";
/** The records that say whether an asset may be used, beside the switches of the platform. */
export const containedRecords = [assets, assetLinks, halts, agents, tools, identities, models, mcpServers];
/** Every kind of typed record. */
export const RECORD_KINDS: readonly RecordKind[] = [agentKind, toolKind, identityKind, modelKind, mcpServerKind];
export { endpointAddress } from "./mcp-servers/schema.js";
export { addressKey } from "./records/declare/address.js";
