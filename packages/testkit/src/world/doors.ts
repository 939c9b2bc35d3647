import { authzenRequestSamples } from "./authzen-requests.js";
import { askOf, newRule } from "./decisions.js";
import type { Sample } from "./sample.js";
import type { Scene } from "./scene.js";
import { BARE, store } from "./stored-access.js";

const reason = "because a test wants it so";

/** A key of the tenant's MCP registry. */
export async function newRegistryKey(scene: Scene): Promise<{ id: string; key: string }> {
  const body = { name: scene.unique() };
  const made = await scene.send("POST", "/api/v1/ai/registry-keys", { token: scene.owner.token, body });
  if (made.status !== 201) throw new Error(made.text);
  return { id: made.json.id, key: made.json.key };
}

/** An approved MCP server with a name and a version of its own in registries. */
export async function newListedServer(scene: Scene): Promise<{ name: string; version: string }> {
  const text = scene.unique();
  const [name, version] = [`com.example/${text}`, `1.0.${text.split("-").at(-1)}`];
  const server = await scene.newMcpServer({
    registryName: name,
    package: { registryType: "npm", identifier: text, version },
  });
  const { json } = await scene.send("GET", `/api/v1/ai/mcp-servers/${server}`, { token: scene.owner.token });
  for (const [status, { token }] of [
    ["under_review", scene.owner],
    ["approved", scene.actors.governance_officer],
  ] as const) {
    const path = `/api/v1/ai-assets/${json.assetId}/governance-state`;
    const moved = await scene.send("PATCH", path, { token, body: { status, reason } });
    if (moved.status !== 200) throw new Error(moved.text);
  }
  return { name, version };
}

/** A key of the registry that was revoked, and a hash that stops one day. */
export async function newStoredRegistryKey(scene: Scene): Promise<void> {
  const key = { name: scene.unique(), status: "revoked", rotations: 0, rotatedAt: null };
  const keyId = await store(scene, "registry_keys", "rgk", key);
  const hash = { id: scene.unique(), keyId, expiresAt: "2027-01-05T00:00:00.000Z" };
  await store(scene, "registry_key_hashes", "", { ...BARE, ...hash });
}

const aKey = async (scene: Scene) => ({ id: (await newRegistryKey(scene)).id });
const inRegistry = async (scene: Scene) => ({ key: (await newRegistryKey(scene)).key });
const aServer = async (scene: Scene) => ({ name: (await newListedServer(scene)).name });
const inRegistryOf = async (scene: Scene) => ({ ...(await inRegistry(scene)), ...(await aServer(scene)) });

const allowing = {
  arrange: async (scene: Scene): Promise<Record<string, string>> => {
    await newRule(scene, "allow");
    return {};
  },
};

const subject = { type: "user", id: "somebody" };
const resource = { type: "thing", id: "something" };

/** The samples of operations in the standards of others. */
export const doorSamples = {
  ...authzenRequestSamples,
  "authzen.evaluate": { ...allowing, body: askOf },
  "authzen.evaluateAll": {
    ...allowing,
    body: (scene: Scene) => {
      const { resource, ...shared } = askOf(scene);
      return { ...shared, evaluations: [{ resource }, {}] };
    },
  },
  "authzen.searchSubjects": { body: () => ({ subject: { type: "user" }, action: { name: "look" }, resource }) },
  "authzen.searchResources": { body: () => ({ subject, action: { name: "look" }, resource: { type: "thing" } }) },
  "authzen.searchActions": { body: () => ({ subject, resource }) },
  "authzen.configuration": {},
  "coaz.ask": {
    body: () => ({
      message: { id: 1, method: "resources/read", params: { uri: "file:///something" } },
      token: { sub: "somebody" },
    }),
  },
  "policyAgents.opaAllow": { ...allowing, body: (scene: Scene) => ({ input: askOf(scene) }) },
  "policyAgents.opaDecision": { ...allowing, body: (scene: Scene) => ({ input: askOf(scene) }) },
  "policyAgents.toolhive": {
    body: () => ({ principal: { sub: "somebody" }, operation: "mcp:tool:call", resource: "mrn:mcp:files:tool:read" }),
  },
  // A proxy tells what is asked by headers.
  "forwardAuth.ask": { elsewhere: 403 },
  // The library of MCP answers it, which most worlds are without.
  "mcp.answer": {
    body: () => ({ jsonrpc: "2.0", id: 1, method: "ping" }),
    accept: "application/json, text/event-stream",
    elsewhere: 501,
  },
  "mcp.stream": { elsewhere: 405 },
  "mcp.metadata": {},
  "registryKeys.list": {},
  "registryKeys.create": { body: (scene: Scene) => ({ name: scene.unique() }) },
  "registryKeys.read": { arrange: aKey },
  "registryKeys.rotate": { arrange: aKey },
  "registryKeys.revoke": { arrange: aKey, body: () => ({ reason }) },
  "registry.listServers": {},
  "registry.listVersions": { arrange: aServer },
  "registry.readVersion": { arrange: newListedServer },
  "registry.listServersByKey": { ofTenants: true, arrange: inRegistry },
  "registry.listVersionsByKey": { ofTenants: true, arrange: inRegistryOf },
  "registry.readVersionByKey": {
    ofTenants: true,
    arrange: async (scene: Scene) => ({ ...(await inRegistry(scene)), ...(await newListedServer(scene)) }),
  },
} as const satisfies Readonly<Record<string, Sample>>;
