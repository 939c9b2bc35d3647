import type { Sample } from "./sample.js";
import type { Actor, Scene } from "./scene.js";
import { BARE, store } from "./stored-access.js";

const reason = "because a test wants it so";

/** A code that enrols installations of an agent of this caller. */
export async function newEnrolmentCode(scene: Scene, body: object = {}, caller: Actor = scene.owner) {
  const agentId = await scene.newAsset({ assetType: "agent", owner: { type: "user", id: caller.userId } });
  const issued = await scene.send("POST", "/api/v1/ai/installation-codes", {
    token: scene.owner.token,
    body: { agentId, name: scene.unique(), team: scene.unique(), ...body },
  });
  if (issued.status !== 201) throw new Error(issued.text);
  return { id: issued.json.id as string, code: issued.json.code as string, agentId };
}

/** An installation of an agent of its own, with its credential. */
export async function newInstallation(scene: Scene, client = "claude-code", of: object = {}) {
  const { code, agentId } = await newEnrolmentCode(scene, of);
  const body = { code, client, name: scene.unique(), clientVersion: "2.1.332", platform: "linux" };
  const enrolled = await scene.send("POST", "/api/v1/ai/installations/enrol", { body });
  if (enrolled.status !== 201) throw new Error(enrolled.text);
  const { credential, ...installation } = enrolled.json;
  return { id: installation.id as string, installation, credential: credential as string, agentId };
}

const newAgent = (scene: Scene) => scene.newAsset({ assetType: "agent" });

/** Publishes to a client what an agent may use. */
export async function newPublication(scene: Scene, agentId: string, client = "codex"): Promise<void> {
  const path = `/api/v1/ai-assets/${agentId}/publication`;
  const published = await scene.send("POST", path, { token: scene.owner.token, body: { client } });
  if (published.status !== 200) throw new Error(published.text);
}

/** An installation with its code and a publication, of an asset that is there already. */
export async function newStoredInstallation(scene: Scene, agentId: string): Promise<void> {
  const [text, expiresAt] = [scene.unique(), new Date(scene.clock.now() + 86_400_000).toISOString()];
  const shared = { agentId, userId: null, team: text };
  const codeId = await store(scene, "enrolment_codes", "enc", {
    ...{ ...shared, name: text, status: "used_up", client: null, last4: "abcd", maxUses: 1, uses: 1, expiresAt },
  });
  const installationId = await store(scene, "installations", "ins", {
    ...{ ...shared, name: text, status: "revoked", client: "codex", clientVersion: null, platform: null, codeId },
    ...{ identityId: `idn_${"0".repeat(26)}`, assetId: agentId, enrolledAt: expiresAt, lastSeenAt: null, expiresAt },
    ...{ revokedAt: expiresAt, revocationReason: text, report: null, unpublishedServers: [] },
  });
  await store(scene, "client_pack_tools", "cpt", { ...BARE, client: "codex", toolName: text, assetId: agentId });
  await store(scene, "client_sessions", "cls", {
    ...BARE,
    installationId,
    sessionHash: "0".repeat(64),
    sessionId: text,
  });
  await newStoredUsage(scene, installationId, agentId);
  await store(scene, "publications", "pub", {
    ...{ name: undefined, metadata: undefined, agentId, client: "codex", number: 1, digest: "0".repeat(64) },
    ...{ jws: text, entries: [], leftOut: [], heldTo: null },
  });
  const decided = { decidedBy: text, decidedAt: expiresAt, relatedParty: false };
  const watchId = await store(scene, "enforcement_watches", "ewt", {
    ...{ name: text, status: "enforced", team: text, reason: text, expiresAt, requestedBy: text, ...decided },
    ...{ enforcedBy: text, enforcedAt: expiresAt, seenDigest: "0".repeat(64) },
  });
  const call = {
    tool: text,
    status: "deny",
    reasons: [],
    calls: 1,
    lastAt: expiresAt,
    agentIds: [agentId],
    teams: [text],
  };
  await store(scene, "watched_calls", "wac", { ...BARE, watchId, kindHash: "0".repeat(64), ...call });
}

/** A request to watch a team of its own, by somebody who decides nothing. Approved by another. */
export async function newWatch(scene: Scene, { team = scene.unique(), approved = false } = {}): Promise<string> {
  const body = { team, reason };
  const asked = await scene.send("POST", "/api/v1/ai/watches", { token: scene.actors.operator.token, body });
  if (asked.status !== 201) throw new Error(asked.text);
  const { id } = asked.json;
  if (!approved) return id;
  const { token } = scene.owner;
  const given = await scene.send("POST", `/api/v1/ai/watches/${id}/approve`, { token, body: { reason } });
  if (given.status !== 200) throw new Error(given.text);
  return id;
}

const aWatch = async (scene: Scene) => ({ id: await newWatch(scene) });
async function aPublication(scene: Scene) {
  const agentId = await newAgent(scene);
  await newPublication(scene, agentId);
  const path = `/api/v1/ai/publications?agentId=${agentId}`;
  const { json } = await scene.send("GET", path, { token: scene.owner.token });
  return { id: json.items[0].id };
}

/** What an installation has sent, long ago. */
async function newStoredUsage(scene: Scene, installationId: string, agentId: string): Promise<void> {
  const [day, none, of] = ["2026-01-05T00:00:00.000Z", { sum: 0, unknown: 0 }, BARE];
  const exports = { exports: 1, records: 1, lastAt: day };
  await store(scene, "ai_telemetry_days", "tld", {
    ...{ ...of, day, installationId, lastReceivedAt: day, counted: 1, repeated: 0, otherRecords: 0 },
    signals: { logs: exports, traces: exports, metrics: exports },
    ...{ droppedAttributes: 0, dropped: [], names: 1, dialects: [] },
  });
  await store(scene, "ai_usage_days", "aud", {
    ...{ ...of, day, installationId, agentId, team: null, kind: "tool", provider: null, model: null, tool: "echo" },
    ...{ server: null, calls: 1, failed: 0, refused: 0, nanoUsd: none, milliseconds: none, longest: null },
    tokens: { input: none, output: none, cached: none, cacheWritten: none, reasoning: none },
  });
  await store(scene, "ai_usage_seen", "aus", { ...of, keys: ["0".repeat(16)], expiresAt: "2027-01-05T00:00:00.000Z" });
}

const aCode = async (scene: Scene) => ({ id: (await newEnrolmentCode(scene)).id });
const anInstallation = async (scene: Scene) => ({ id: (await newInstallation(scene)).id });

/** The samples of operations about installations. */
export const enforcementSamples = {
  "installationCodes.list": {},
  "installationCodes.create": {
    async arrange(scene, caller = scene.owner) {
      scene.picked = await scene.newAsset({ assetType: "agent", owner: { type: "user", id: caller.userId } });
      return {};
    },
    body: (scene) => ({ agentId: scene.picked, name: scene.unique(), maxUses: 3, ttlSeconds: 3_600 }),
  },
  "installationCodes.read": { arrange: aCode },
  "installationCodes.revoke": { arrange: aCode, body: () => ({ reason }) },
  "installations.enrol": {
    ofTenants: true,
    async arrange(scene) {
      scene.picked = (await newEnrolmentCode(scene)).code;
      return {};
    },
    body: (scene) => ({ code: scene.picked, client: "codex", name: scene.unique() }),
  },
  // Only an installation has a credential of its own.
  "installations.rotateCredential": { elsewhere: 403 },
  // Only an installation asks.
  "hooks.ask": {
    arrange: async () => ({ clientName: "codex" }),
    body: () => ({ hook_event_name: "PreToolUse", tool_name: "shell", tool_input: {} }),
    elsewhere: 403,
  },
  "installations.readPublication": { elsewhere: 403 },
  "installations.publication": { elsewhere: 403 },
  "installations.report": { body: () => ({ digest: "0".repeat(64), files: 1 }), elsewhere: 403 },
  // Only an installation sends.
  "telemetry.logs": { body: () => ({ resourceLogs: [] }), elsewhere: 403 },
  "telemetry.traces": { body: () => ({ resourceSpans: [] }), elsewhere: 403 },
  "telemetry.metrics": { body: () => ({ resourceMetrics: [] }), elsewhere: 403 },
  "telemetry.list": {},
  "usage.read": {},
  "publications.list": {},
  "publications.read": { arrange: aPublication },
  "publications.restore": {
    async arrange(scene) {
      const assetId = await newAgent(scene);
      await newPublication(scene, assetId, "claude-code");
      return { assetId };
    },
    body: () => ({ client: "claude-code", number: 1, reason }),
  },
  "publications.release": {
    arrange: async (scene) => ({ assetId: await newAgent(scene) }),
    body: () => ({ client: "claude-code", reason }),
  },
  "publications.preview": {
    arrange: async (scene) => ({ assetId: await newAgent(scene) }),
    query: { clientName: "codex" },
  },
  "publications.publish": {
    arrange: async (scene) => ({ assetId: await newAgent(scene) }),
    body: () => ({ client: "claude-code" }),
  },
  "clientPacks.list": {},
  "clientPacks.link": {
    arrange: async (scene) => ({ assetId: await newAgent(scene) }),
    body: () => ({ client: "gemini-cli", categories: ["shell"] }),
    alsoNeeds: "ai-agent:write",
  },
  "watches.list": {},
  "watches.create": { body: (scene) => ({ team: scene.unique(), reason }) },
  "watches.read": { arrange: aWatch },
  "watches.approve": { arrange: aWatch, body: () => ({ reason }) },
  "watches.reject": { arrange: aWatch, body: () => ({ reason }) },
  "watches.summary": { arrange: aWatch },
  "watches.wouldBeDenied": { arrange: aWatch },
  "watches.enforce": {
    async arrange(scene) {
      const id = await newWatch(scene, { approved: true });
      const { json } = await scene.send("GET", `/api/v1/ai/watches/${id}/summary`, { token: scene.owner.token });
      scene.picked = json.digest;
      return { id };
    },
    body: (scene) => ({ digest: scene.picked, reason }),
  },
  "installations.list": {},
  "installations.read": { arrange: anInstallation },
  "installations.revoke": { arrange: anInstallation, body: () => ({ reason }) },
} as const satisfies Readonly<Record<string, Sample>>;
