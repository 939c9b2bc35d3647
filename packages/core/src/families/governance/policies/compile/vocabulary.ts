import { STANDINGS } from "#families/assessments/index.js";
import {
  ASSET_TYPES,
  type AssetType,
  AUTONOMY_LEVELS,
  DATA_CLASSIFICATIONS,
  EFFECTS,
  ENVIRONMENTS,
  GOVERNANCE_STATES,
  HOSTINGS,
  IDENTITY_KINDS,
  LIFECYCLE,
  MANIFEST_STATES,
  MCP_AUTH_TYPES,
  MCP_TRANSPORTS,
  ORIGINS,
  RELATION_TYPES,
  RISK_TIERS,
  SOURCES,
  TOOL_STATUSES,
} from "#families/estate/index.js";
import { SENSITIVITIES } from "#families/sessions/index.js";
import type { Field, ObjectType, Vocabulary } from "#ports/expressions.js";

const text = (description: string): Field => ({ type: "string", description });
const oneOf = (values: readonly string[], description: string): Field => ({ type: "string", values, description });
const flag = (description: string): Field => ({ type: "bool", description });
const count = (description: string): Field => ({ type: "int", description });
const days = (description: string): Field => ({ type: "int", volatile: true, description });
const moment = (description: string): Field => ({ type: "time", optional: true, description });

const RelationObject: ObjectType = {
  name: "Relation",
  fields: {
    type: oneOf(RELATION_TYPES, "How it relates to the other."),
    targetId: text("The id of the other asset."),
  },
};

/** The fields of an asset that rules may read. */
export const AssetObject: ObjectType = {
  name: "Asset",
  fields: {
    id: text("The id of the record."),
    name: text("The name of the record."),
    description: text("What is said of it."),
    assetType: oneOf(ASSET_TYPES, "What kind of asset it is."),
    provider: text("Who provides it."),
    source: oneOf(SOURCES, "How it came to be registered."),
    environment: oneOf(ENVIRONMENTS, "Where it runs."),
    lifecycle: oneOf(LIFECYCLE, "Where it is in its life."),
    governanceState: oneOf(GOVERNANCE_STATES, "What was decided about it."),
    approvalExpired: { ...flag("Whether its approval has run out."), volatile: true },
    riskTier: oneOf(RISK_TIERS, "Its tier of risk."),
    riskScore: count("0 to 100, from its risk factors."),
    dataClassification: oneOf(DATA_CLASSIFICATIONS, "The data it works with."),
    autonomy: oneOf(AUTONOMY_LEVELS, "How far it acts by itself."),
    purpose: text("What it is for."),
    hasOwner: flag("Whether somebody owns it."),
    hasSponsor: flag("Whether somebody answers for it."),
    hasTeam: flag("Whether a team looks after it."),
    effects: {
      type: { list: "string" },
      values: EFFECTS,
      description: "What calling it may do, of a tool; else empty.",
    },
    relations: { type: { list: RelationObject }, description: "What it says it relates to." },
    labels: { type: "map", description: "The labels of the asset." },
    metadata: { type: "map", description: "The metadata of the asset." },
    createdAt: { type: "time", description: "When it was registered." },
    lastSeenAt: moment("When it was last seen."),
    ageDays: days("Days since it was registered."),
    idleDays: days("Days since it was last seen, or registered if it was not seen since."),
  },
};

/** The fields of an asset that posture rules may read. Runtime rules do without what takes another query. */
export const PostureAssetObject: ObjectType = {
  name: "PostureAsset",
  fields: {
    ...AssetObject.fields,
    impactAssessment: oneOf(STANDINGS, "How its impact assessment stands; `outdated`: it has changed since."),
    riskAssessment: oneOf(STANDINGS, "How its risk assessment stands; `outdated`: it has changed since."),
  },
};

const ModelObject: ObjectType = {
  name: "ModelInUse",
  fields: {
    id: text("The id of its asset."),
    name: text("The name of the record."),
    provider: text("Who provides it."),
    lifecycle: oneOf(LIFECYCLE, "Where it is in its life."),
    governanceState: oneOf(GOVERNANCE_STATES, "What was decided about it."),
    hosting: { ...oneOf(HOSTINGS, "Where it is run."), optional: true },
  },
};

const ToolObject: ObjectType = {
  name: "ToolInUse",
  fields: {
    id: text("The id of its asset."),
    name: text("The name it is called by, or its own."),
    status: oneOf(TOOL_STATUSES, "Whether what it says of itself was approved."),
    origin: oneOf(ORIGINS, "What kind of tool it is."),
    effects: { type: { list: "string" }, values: EFFECTS, description: "What calling it may do." },
    requiresApproval: flag("Whether every call needs consent."),
  },
};

const toolsOf = (whose: string): Field => ({ type: { list: ToolObject }, description: `The tools ${whose}.` });

/** The fields of typed records that rules over one asset type may read. Types without typed records are absent. */
export const SPEC_OBJECTS: Readonly<Partial<Record<AssetType, ObjectType>>> = {
  agent: {
    name: "Agent",
    fields: {
      hasIdentity: flag("Whether it runs as an identity of its own or another's."),
      identityShared: flag("Whether another agent runs as the same identity."),
      hasLimits: flag("Whether any bound of a session is set."),
      externalModel: {
        ...flag("Whether it uses a model that somebody else runs; absent when that is not known."),
        optional: true,
      },
      userFacing: flag("Whether `metadata.userFacing` is true."),
      transparencyNotice: flag("Whether `metadata.transparencyNotice` is true."),
      framework: { ...text("What it is built with."), optional: true },
      models: { type: { list: ModelObject }, description: "The models it uses." },
      tools: toolsOf("it uses"),
    },
  },
  tool: { ...ToolObject, name: "Tool" },
  identity: {
    name: "Identity",
    fields: {
      kind: oneOf(IDENTITY_KINDS, "What kind of identity it is."),
      privileged: flag("Whether it has more rights than most."),
      scopes: { type: { list: "string" }, description: "Its permissions here." },
      agentCount: count("How many agents run as it."),
      credentialAgeDays: {
        ...days("Days since its credential was issued; absent when it has none."),
        optional: true,
      },
      credentialExpiresAt: moment("When its credential ends."),
    },
  },
  model: {
    name: "Model",
    fields: {
      hosting: { ...oneOf(HOSTINGS, "Where it is run."), optional: true },
      hasModelCard: flag("Whether it has a model card."),
      evaluationCount: count("How many evaluations it has."),
      license: { ...text("Its license."), optional: true },
      daysToRetirement: {
        ...days("Days until its provider retires it; absent when no end is known."),
        optional: true,
      },
    },
  },
  mcp_server: {
    name: "McpServer",
    fields: {
      transport: oneOf(MCP_TRANSPORTS, "How it is spoken to."),
      scheme: text("The scheme of its URL, such as `https`; empty without one."),
      authType: oneOf(MCP_AUTH_TYPES, "How one signs in to it."),
      manifestState: oneOf(MANIFEST_STATES, "Whether it offers what was approved."),
      tools: toolsOf("it exposes"),
    },
  },
};

const PARAMS: Field = { type: "map", description: "The parameters of the policy." };
const NOW: Field = { type: "time", volatile: true, description: "The moment of the evaluation." };

/** The variables of posture rules. `spec` exists when they are about one asset type that has typed records. */
export function postureVocabulary(assetType: AssetType | undefined, item?: Field): Vocabulary {
  const spec = assetType && SPEC_OBJECTS[assetType];
  return {
    asset: { type: { object: PostureAssetObject }, description: "The asset that is judged." },
    ...(spec
      ? { spec: { type: { object: spec }, description: `What is particular to assets of type ${assetType}.` } }
      : {}),
    ...(item ? { item } : {}),
    params: PARAMS,
    now: NOW,
  };
}

const Party: ObjectType = {
  name: "Party",
  fields: {
    type: text("What it is, in the caller's words."),
    id: text("The id of the record."),
    properties: { type: "map", description: "What the caller says of it." },
  },
};
const Action: ObjectType = {
  name: "Action",
  fields: {
    name: text("What is to be done."),
    properties: { type: "map", description: "What the caller says of it, such as arguments." },
  },
};

const optional = (field: Field): Field => ({ ...field, optional: true });
const SessionObject: ObjectType = {
  name: "Session",
  fields: {
    id: text("The id of the record."),
    agentId: optional(text("The id of the asset of its agent.")),
    userId: optional(text("On whose behalf it runs.")),
    environment: oneOf(ENVIRONMENTS, "Where it runs."),
    sensitivity: oneOf(SENSITIVITIES, "The most sensitive data it has met."),
    purpose: text("What it is for."),
    depth: count("How many sessions are above it."),
    iterations: count("Rounds of the model so far."),
    toolCalls: count("Calls of tools so far."),
    costUsd: { type: "double", description: "Its cost so far in US dollars." },
  },
};
const TenantObject: ObjectType = {
  name: "Tenant",
  fields: { id: text("The id of the record."), name: text("The name of the record.") },
};

/**
 * The variables of runtime rules. `asset` is set when the resource or the subject is an asset, `session` when the
 * request names one. `spec` exists when the policy is about one asset type that has typed records.
 */
export function runtimeVocabulary(assetType?: AssetType): Vocabulary {
  const spec = assetType && SPEC_OBJECTS[assetType];
  return {
    subject: { type: { object: Party }, description: "The person or agent who asks." },
    action: { type: { object: Action }, description: "The action that is asked for." },
    resource: { type: { object: Party }, description: "The object that the action is about." },
    context: { type: "map", description: "The caller's circumstances." },
    asset: {
      type: { object: AssetObject },
      optional: true,
      description: "The asset that the resource is, or else the subject.",
    },
    ...(spec
      ? {
          spec: {
            type: { object: spec },
            optional: true,
            description: `What is particular to assets of type ${assetType}.`,
          },
        }
      : {}),
    session: { type: { object: SessionObject }, optional: true, description: "The session of the request." },
    tenant: { type: { object: TenantObject }, description: "The tenant that decides." },
    params: PARAMS,
    now: NOW,
  };
}
