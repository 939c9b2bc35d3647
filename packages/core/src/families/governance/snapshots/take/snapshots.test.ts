import { expect, it } from "vitest";
import type { Agent, Asset, Identity, McpServer, Model, Tool } from "#families/estate/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { sha256 } from "#store/chain.js";
import { PostureAssetObject, SPEC_OBJECTS } from "../../policies/compile/vocabulary.js";
import { assetValues } from "./asset-values.js";
import { SNAPSHOT_FORMAT, snapshotsOfAssets } from "./snapshots.js";
import { agentValues, identityValues, modelValues, serverValues, toolValues } from "./spec-values.js";
import type { Source } from "./surroundings.js";

const NOW = "2026-01-05T09:00:00.000Z";
const LATER = "2026-03-05T09:00:00.000Z";

const asset = {
  id: "ast_1",
  name: "A “quoted” name",
  description: "",
  assetType: "application",
  provider: "",
  source: "manual",
  environment: "production",
  status: "active",
  governanceState: "approved",
  riskTier: "low",
  riskScore: 5,
  dataClassification: "internal",
  autonomy: "none",
  purpose: "",
  owner: { id: "usr_1" },
  sponsor: null,
  team: null,
  relations: [{ type: "uses", targetId: "ast_2" }],
  labels: { zone: "b", area: "a" },
  metadata: { nested: { z: 1, a: [1, { y: null, b: true }] } },
  createdAt: NOW,
  lastSeenAt: null,
} as unknown as Asset;

/** A store with nothing but the assets that are given, and the record of one. */
const sourceAt = (now: string, record?: object): Source => ({
  now,
  db: {
    getMany: async () => [],
    lookupMany: async (_collection, _key, values) => values.map(() => record && ({ value: record } as never)),
    findTopPerKey: async () => new Map(),
  },
  derived: (_collection, row) => row.value,
});

async function snapshotOf(one: Asset, now = NOW, record?: object) {
  const snapshot = (await snapshotsOfAssets(sourceAt(now, record), [one])).get(one.id);
  if (!snapshot) throw new Error("no snapshot");
  return snapshot;
}

const lastingOf = ({ fields }: { readonly fields: Readonly<Record<string, object>> }, values: object) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !("volatile" in (fields[name] ?? {}))));

it("the digest is that of the canonical form of all lasting values", async () => {
  const { asset: values, digest } = await snapshotOf(asset);
  const lasting = lastingOf(PostureAssetObject, values);
  expect(Object.keys(lasting).length).toBeGreaterThan(20);
  expect(digest).toBe(sha256(canonical({ asset: lasting })));
});

it("the digest is also of the lasting values of its typed record", async () => {
  const model = { assetId: asset.id, hosting: "saas", modelCard: {}, evaluations: [], license: null };
  const one = { ...asset, assetType: "model" } as Asset;
  const { asset: values, spec = {}, digest } = await snapshotOf(one, NOW, { ...model, providerRetirementAt: LATER });
  expect(spec).toMatchObject({ hosting: "saas", daysToRetirement: 59 });
  const lasting = lastingOf(SPEC_OBJECTS.model ?? { fields: {} }, spec);
  expect(lasting).not.toHaveProperty("daysToRetirement");
  expect(digest).toBe(sha256(canonical({ asset: lastingOf(PostureAssetObject, values), spec: lasting })));
});

it("the digest stays with time and changes with a value inside a value", async () => {
  const { digest } = await snapshotOf(asset);
  expect((await snapshotOf(asset, LATER)).digest).toBe(digest);
  const changed = { ...asset, metadata: { nested: { z: 1, a: [1, { y: null, b: false }] } } };
  expect((await snapshotOf(changed)).digest).not.toBe(digest);
});

it("every value that rules read is declared, because others would not count for the digest", () => {
  const credential = { credentialIssuedAt: NOW, credentialExpiresAt: LATER };
  const surroundings = { hasIdentity: true, identityShared: false, models: [], tools: [] };
  const values = {
    agent: agentValues({ limits: {}, modelIds: [] } as unknown as Agent, { metadata: {} }, surroundings),
    tool: toolValues({} as Tool),
    identity: identityValues(credential as Identity, 1, NOW),
    model: modelValues({ modelCard: null, evaluations: [], providerRetirementAt: LATER } as unknown as Model, NOW),
    mcp_server: serverValues({ url: null, auth: {}, manifest: {} } as unknown as McpServer, []),
  };
  expect(Object.keys(values).sort()).toEqual(Object.keys(SPEC_OBJECTS).sort());
  for (const [type, some] of Object.entries(values))
    expect(Object.keys(SPEC_OBJECTS[type as keyof typeof values]?.fields ?? {}), type).toEqual(
      expect.arrayContaining(Object.keys(some)),
    );
  expect(Object.keys(PostureAssetObject.fields)).toEqual(expect.arrayContaining(Object.keys(assetValues(asset, NOW))));
});

const tool = { assetId: "ast_t", name: "search", toolName: null, status: "active", origin: "http", effects: ["read"] };
const exposed = { ...tool, assetId: "ast_e", toolName: "fetch", requiresApproval: true, origin: "mcp" };
const limits = { maxIterations: 5 };
const relied = { modelIds: ["ast_m"], toolIds: ["ast_t"], mcpServerIds: ["ast_s"] };
const SERVER = {
  transport: "http",
  url: "HTTPS://tools.example/mcp",
  auth: { type: "none" },
  manifest: { state: "new" },
};
/** One record of each type, with everything that stands around it. */
const RECORDS: Readonly<Record<string, object>> = {
  agent: { framework: "langgraph", limits, ...relied },
  tool,
  identity: { kind: "service", privileged: true, scopes: ["a"], credentialIssuedAt: NOW, credentialExpiresAt: LATER },
  model: { hosting: "saas", modelCard: {}, evaluations: [{}], license: "MIT", providerRetirementAt: LATER },
  mcp_server: SERVER,
};
const rows = (...records: object[]) => records.map((value) => ({ value, text: "" }) as never);

/** A store in which each asset of these types has its record, and an agent all that it can rely on. */
const fullSource = (record: object | undefined): Source => ({
  now: LATER,
  db: {
    getMany: async (_collection, ids) =>
      ids.map((id) => ({ id, value: { ...asset, id, assetType: "model" } }) as never),
    lookupMany: async ({ name }, _key, values) =>
      values.map(({ assetId }) => {
        const known: Record<string, object> = { ai_models: RECORDS.model as object, ai_tools: tool };
        const value = assetId === asset.id ? record : known[name];
        return value && ({ value: { ...value, assetId } } as never);
      }),
    findTopPerKey: async ({ name }, { field, values }) => {
      const found: Record<string, object[]> = {
        serverId: [exposed],
        runnerId: [{ sourceId: asset.id, targetId: "ast_i" }],
        runsAsId: [{ sourceId: asset.id }, { sourceId: "ast_2" }],
        subject: [{ status: "approved", assessed: {} }],
      };
      return new Map(values.map((value) => [value, rows(...(found[field] ?? [{ unknown: name }]))]));
    },
  },
  derived: (_collection, row) => row.value,
});

/** Changed values of the same records go with another format, as results that rest on the same rows are not computed anew. */
it("the same records give the values of this format", async () => {
  const digests: string[] = [];
  for (const assetType of ["dataset", ...Object.keys(RECORDS)]) {
    const one = { ...asset, assetType } as Asset;
    const snapshot = (await snapshotsOfAssets(fullSource(RECORDS[assetType]), [one])).get(asset.id);
    digests.push(snapshot?.digest ?? "none");
    if (assetType === "agent")
      expect(snapshot?.spec).toMatchObject({
        identityShared: true,
        models: [{ hosting: "saas" }],
        tools: [{ id: "ast_t" }, { id: "ast_e" }],
      });
  }
  expect([SNAPSHOT_FORMAT, sha256(digests.join())]).toEqual([
    1,
    "c530862e7b1b5d0cda1ff73d5c9e5ad8c19a4a06183a7f890eee84cc9ead5643",
  ]);
});
