import type { Agent, Asset, Identity, McpServer, Model, Tool } from "#families/estate/index.js";
import { daysBetween } from "./asset-values.js";

/** The values of a tool that rules read, by itself or in a list. */
export function toolValues(tool: Tool) {
  const { assetId, name, toolName, status, origin, effects, requiresApproval } = tool;
  return { id: assetId, name: toolName ?? name, status, origin, effects, requiresApproval };
}

export type ToolValues = ReturnType<typeof toolValues>;

/** The values of a model that rules over its agents read. */
export function modelInUse({ id, name, provider, status, governanceState }: Asset, model: Model | undefined) {
  return { id, name, provider, lifecycle: status, governanceState, hosting: model?.hosting ?? null };
}

export interface AgentSurroundings {
  readonly hasIdentity: boolean;
  readonly identityShared: boolean;
  readonly models: readonly ReturnType<typeof modelInUse>[];
  readonly tools: readonly ToolValues[];
}

export function agentValues(
  { framework, limits, modelIds }: Agent,
  { metadata }: Pick<Asset, "metadata">,
  { hasIdentity, identityShared, models, tools }: AgentSurroundings,
) {
  return {
    hasIdentity,
    identityShared,
    hasLimits: Object.values(limits).some((limit) => limit !== null),
    ...externalIn(models, modelIds.length),
    userFacing: metadata.userFacing === true,
    transparencyNotice: metadata.transparencyNotice === true,
    framework,
    models,
    tools,
  };
}

/** Whether somebody else runs one of the models. Left out where one is not known, or where it runs is not. */
function externalIn(models: AgentSurroundings["models"], named: number): { readonly externalModel?: boolean } {
  if (models.some(({ hosting }) => hosting === "saas")) return { externalModel: true };
  return models.length < named || models.some(({ hosting }) => hosting === null) ? {} : { externalModel: false };
}

export function identityValues(identity: Identity, agentCount: number, now: string) {
  const { kind, privileged, scopes, credentialIssuedAt, credentialExpiresAt } = identity;
  const age = credentialIssuedAt === null ? {} : { credentialAgeDays: daysBetween(credentialIssuedAt, now) };
  return { kind, privileged, scopes, agentCount, ...age, credentialExpiresAt };
}

export function modelValues({ hosting, modelCard, evaluations, license, providerRetirementAt }: Model, now: string) {
  return {
    hosting,
    hasModelCard: modelCard !== null,
    evaluationCount: evaluations.length,
    license,
    ...(providerRetirementAt === null ? {} : { daysToRetirement: daysBetween(now, providerRetirementAt) }),
  };
}

export function serverValues({ transport, url, auth, manifest }: McpServer, tools: readonly ToolValues[]) {
  return {
    transport,
    scheme: url === null ? "" : url.slice(0, url.indexOf(":")).toLowerCase(),
    authType: auth.type,
    manifestState: manifest.state,
    tools,
  };
}
