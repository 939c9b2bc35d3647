/** What texts of a table stand for, by the property that their column names. A test holds it to what the API describes. */
export const ITEM_KINDS = {
  party: ["owner", "sponsor", "team"],
  term: [
    ...["environment", "riskTier", "dataClassification", "autonomy", "source", "status", "assetType", "record.kind"],
    ...["record.hosting", "record.origin", "record.transport", "record.trustMode", "record.auth.type"],
    ...["record.protocol.mode", "record.protocol.era"],
  ],
  list: [
    ...["evidence", "relations", "record.modelIds", "record.toolIds", "record.mcpServerIds", "record.modality"],
    ...["record.agentCard.supportedInterfaces", "record.agentCard.skills", "record.agentCard.defaultInputModes"],
    ...["record.agentCard.defaultOutputModes", "record.agentCard.signatures", "record.aliases"],
    ...["record.artifactHashes", "record.evaluations", "record.effects", "record.agentIds", "record.scopes"],
    ...["record.protocol.supportedVersions", "record.client.capabilities", "record.launch.args"],
    ...["record.authorization.scopes", "record.registrations"],
  ],
  time: [
    ...["reviewDueAt", "firstSeenAt", "lastSeenAt", "record.heartbeatAt", "record.providerRetirementAt"],
    ...["record.lastUsedAt", "record.credentialIssuedAt", "record.credentialExpiresAt", "record.auth.secretSetAt"],
  ],
  number: [
    ...["record.limits.maxIterations", "record.limits.maxCostUsd", "record.limits.maxDurationSec"],
    ...["record.limits.idleTimeoutSec", "record.scanIntervalSec", "record.healthCheck.intervalSec"],
    ...["record.healthCheck.timeoutMs", "record.healthCheck.threshold"],
  ],
  boolean: ["record.requiresApproval", "record.privileged", "record.healthCheck.enabled"],
} as const;

export type ItemKind = keyof typeof ITEM_KINDS;

/** What the texts of a property stand for; `undefined` for what stays a text. */
export const KIND_OF: ReadonlyMap<string, ItemKind> = new Map(
  Object.entries(ITEM_KINDS).flatMap(([kind, names]) => names.map((name) => [name, kind as ItemKind] as const)),
);
