import { expect, it } from "vitest";
import { canonical } from "../../../../kernel/events/canonical.js";
import { sha256 } from "../../../../kernel/events/chain.js";
import type { Agent, Asset, Identity, McpServer, Model, Tool } from "../../../estate/index.js";
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

const AGENT = { assetId: asset.id, framework: "langgraph", limits: {}, modelIds: [], toolIds: [], mcpServerIds: [] };
const SERVER = {
  assetId: asset.id,
  transport: "stdio",
  url: null,
  auth: { type: "none" },
  manifest: { state: "none" },
};

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

/** Changed values of the same records go with another format, as results that rest on the same rows are not computed anew. */
it("the same records give the values of this format", async () => {
  const digests = await Promise.all([
    snapshotOf(asset),
    snapshotOf({ ...asset, assetType: "tool" } as Asset, NOW, { assetId: asset.id, name: "search", effects: ["read"] }),
    snapshotOf({ ...asset, assetType: "identity" } as Asset, NOW, {
      assetId: asset.id,
      kind: "service",
      scopes: ["a"],
    }),
    snapshotOf({ ...asset, assetType: "model" } as Asset, NOW, { assetId: asset.id, hosting: "saas", evaluations: [] }),
    snapshotOf({ ...asset, assetType: "mcp_server" } as Asset, NOW, SERVER),
    snapshotOf({ ...asset, assetType: "agent" } as Asset, NOW, AGENT),
  ]);
  const digest = sha256(digests.map((each) => each.digest).join());
  expect([SNAPSHOT_FORMAT, digest]).toEqual([1, "c53c4495eff37191738f6bcad6239d1fd12e618111e74e62f00746d97f521baa"]);
});
