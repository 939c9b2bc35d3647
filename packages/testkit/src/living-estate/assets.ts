import type { Acting, Staff } from "./people.js";

/** The ids of assets by name, and of their typed records. */
export interface Registered {
  readonly assetIds: Map<string, string>;
  readonly recordIds: Map<string, string>;
}

type Common = Readonly<Record<string, unknown>>;

const TEAMS = { claims: "Claims", underwriting: "Underwriting", service: "Customer service", platform: "AI platform" };
type Team = keyof typeof TEAMS;
const teamOf = (id: Team) => ({ type: "team", id, name: TEAMS[id] });

/** Models: name, what it is, and more of its record. */
const MODELS: readonly (readonly [string, Common])[] = [
  [
    "Larch 4 Large",
    { modelId: "larch-4-large", provider: "larch", family: "larch", hosting: "saas", region: "eu-west" },
  ],
  [
    "Larch 4 Small",
    { modelId: "larch-4-small", provider: "larch", family: "larch", hosting: "saas", region: "eu-west" },
  ],
  ["Quill Code", { modelId: "quill-code-2", provider: "quill", family: "quill", hosting: "saas", region: "us-east" }],
  ["Heron Embeddings", { modelId: "heron-embed", provider: "heron", modality: ["embedding"], hosting: "self_hosted" }],
  [
    "Damage photo classifier",
    { modelId: "damage-7", provider: "northwind", modality: ["image"], hosting: "self_hosted" },
  ],
  ["Old summariser", { modelId: "summary-1", provider: "larch", hosting: "saas", providerRetirementAt: "2025-06-30" }],
];

/** Plain assets: name, type, team and more. */
const PLAIN: readonly (readonly [string, string, Team, Common])[] = [
  ["Claims archive", "dataset", "claims", { dataClassification: "restricted" }],
  ["Policy wordings", "dataset", "underwriting", { dataClassification: "internal" }],
  ["Call transcripts", "dataset", "service", { dataClassification: "confidential" }],
  ["Public tariffs", "dataset", "underwriting", { dataClassification: "public" }],
  ["Claims letter prompt", "prompt", "claims", {}],
  ["Underwriting questions", "prompt", "underwriting", {}],
  ["Tone of voice", "prompt", "service", {}],
  ["Customer portal", "application", "service", { dataClassification: "confidential" }],
  ["Broker workbench", "application", "underwriting", { dataClassification: "internal" }],
];

/** Identities of agents: name and more. */
const IDENTITIES = [
  "Claims triage account",
  "Broker assistant account",
  "Night batch account",
  "Code assistant account",
];

interface AgentPlan {
  readonly name: string;
  readonly team: Team;
  readonly models: readonly string[];
  readonly servers?: readonly string[];
  readonly identity?: string;
  readonly uses?: readonly string[];
  readonly more?: Common;
}

const AGENTS: readonly AgentPlan[] = [
  {
    ...{ name: "Claims triage", team: "claims", models: ["Larch 4 Large", "Damage photo classifier"] },
    ...{ servers: ["Document store"], identity: "Claims triage account", uses: ["Claims archive"] },
    more: { kind: "workflow", riskTier: "high", autonomy: "supervised", dataClassification: "restricted" },
  },
  {
    ...{ name: "Claims letters", team: "claims", models: ["Larch 4 Small"], uses: ["Claims letter prompt"] },
    more: { kind: "assistant", riskTier: "limited", autonomy: "assistive" },
  },
  {
    ...{ name: "Fraud hints", team: "claims", models: ["Larch 4 Large"], uses: ["Claims archive"] },
    ...{ servers: ["Payments"], more: { kind: "autonomous", riskTier: "high", autonomy: "autonomous" } },
  },
  {
    ...{ name: "Broker assistant", team: "underwriting", models: ["Larch 4 Large", "Heron Embeddings"] },
    ...{ servers: ["Document store"], identity: "Broker assistant account", uses: ["Policy wordings"] },
    more: { kind: "assistant", riskTier: "limited" },
  },
  {
    ...{
      name: "Risk questionnaire",
      team: "underwriting",
      models: ["Larch 4 Small"],
      uses: ["Underwriting questions"],
    },
    more: { kind: "workflow", riskTier: "high" },
  },
  {
    ...{ name: "Tariff comparison", team: "underwriting", models: ["Old summariser"], uses: ["Public tariffs"] },
    more: { kind: "workflow", riskTier: "minimal" },
  },
  {
    ...{
      name: "Call summary",
      team: "service",
      models: ["Larch 4 Small"],
      uses: ["Call transcripts", "Tone of voice"],
    },
    more: { kind: "assistant", riskTier: "limited", dataClassification: "confidential" },
  },
  {
    ...{ name: "Portal helper", team: "service", models: ["Larch 4 Large"], servers: ["Calendar"] },
    more: { kind: "assistant", riskTier: "limited" },
  },
  {
    ...{ name: "Complaint router", team: "service", models: ["Larch 4 Small"] },
    more: { kind: "workflow", environment: "staging" },
  },
  {
    ...{ name: "Code assistant", team: "platform", models: ["Quill Code"], identity: "Code assistant account" },
    more: { kind: "coding", environment: "development", riskTier: "minimal" },
  },
  {
    ...{ name: "Night batch", team: "platform", models: ["Larch 4 Small"], identity: "Night batch account" },
    ...{ servers: ["Payments"], more: { kind: "autonomous", autonomy: "autonomous" } },
  },
  {
    ...{ name: "Mood scoring of callers", team: "service", models: ["Larch 4 Large"], uses: ["Call transcripts"] },
    more: { kind: "autonomous", riskTier: "prohibited", environment: "test" },
  },
];

/** Who registers and owns what in turn. */
const ownerOf = ({ id, name }: Acting) => ({ type: "user", id, name });

/** Registers models, data, identities and agents, after the MCP servers that agents use. */
export async function registerAssets(staff: Staff, { assetIds, recordIds }: Registered): Promise<void> {
  const { operator, builder, officer } = staff;
  const idsOf = (names: readonly string[] = []) => names.map((name) => known(assetIds, name));
  const register = async (by: Acting, path: string, name: string, body: object) => {
    const made = await by.do("POST", path, {
      name,
      owner: ownerOf(by),
      sponsor: ownerOf(officer),
      environment: "production",
      ...body,
    });
    assetIds.set(name, made.assetId ?? made.id);
    if (made.assetId) recordIds.set(name, made.id);
  };
  for (const [name, more] of MODELS)
    await register(operator, "/api/v1/ai/models", name, { team: teamOf("platform"), ...more });
  for (const [name, assetType, team, more] of PLAIN)
    await register(builder, "/api/v1/ai-assets", name, { assetType, team: teamOf(team), ...more });
  for (const name of IDENTITIES)
    await register(operator, "/api/v1/ai/identities", name, { kind: "workload", scopes: ["ai-asset:read"] });
  for (const { name, team, models, servers, identity, uses = [], more } of AGENTS) {
    await register(builder, "/api/v1/ai/agents", name, {
      ...{ team: teamOf(team), modelIds: idsOf(models), mcpServerIds: idsOf(servers), framework: "own" },
      ...(identity ? { identityId: known(assetIds, identity) } : {}),
      ...{ relations: idsOf(uses).map((targetId) => ({ type: "uses", targetId })), ...more },
    });
  }
}

/** The id of what has been registered by this name. */
export function known(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`nothing is registered as ${name}`);
  return id;
}
