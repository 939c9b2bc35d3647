import { profileDefinitionHash } from "@reeve/core/testing";
import { newAccessIdentity, newAccessProfile, newAssignment, newTarget } from "./access.js";
import type { Sample } from "./sample.js";
import type { Actor, Scene } from "./scene.js";
import { SCRIPTED_TOOLS } from "./scripted-access.js";
import { store, storedRecord } from "./stored-access.js";

const reason = "because a test wants it so";

/** Access in force that opens the tools of its target to an asset that this caller answers for. */
export async function newToolAccess(scene: Scene, caller: Actor = scene.owner) {
  const assetId = await scene.newAsset({ owner: { type: "user", id: caller.userId } });
  const connectorInstanceId = await newTarget(scene);
  const identityId = await newAccessIdentity(scene, assetId, connectorInstanceId);
  const profile = { status: "approved", externalId: "write", privilegeLevel: 2, effect: "write" };
  const accessProfileId = await newAccessProfile(scene, connectorInstanceId, profile);
  const stored = await storedRecord(scene, "access_profiles", accessProfileId);
  const approvedHash = profileDefinitionHash(stored as never, [...SCRIPTED_TOOLS]);
  const { id } = await newAssignment(scene, {
    ...{ assetId, connectorInstanceId, identityId, accessProfileId, profileExternalId: "write", approvedHash },
    parameters: {},
  });
  return { assetId, assignmentId: id, connectorInstanceId };
}

/** A token for the tools of new access. */
export async function newToolToken(scene: Scene, caller: Actor = scene.owner) {
  const { assetId, connectorInstanceId } = await newToolAccess(scene, caller);
  const path = `/api/v1/ai-assets/${assetId}/agent-tool-token`;
  const body = { connectorInstanceId, ttlSeconds: 3_600 };
  const issued = await scene.send("POST", path, { token: scene.owner.token, body });
  if (issued.status !== 200) throw new Error(issued.text);
  return { assetId, tokenId: issued.json.id as string, token: issued.json.token as string };
}

/** A token that is over. */
export async function newEndedToken(scene: Scene, assetId: string): Promise<string> {
  const text = scene.unique();
  const at = new Date(scene.clock.now()).toISOString();
  const none = { repositories: null, branches: null, pathPrefixes: null, readOnly: false };
  return store(scene, "agent_tool_tokens", "att", {
    ...{ status: "revoked", audience: "codehost", last4: "abcd", assetId, connectorInstanceId: null },
    ...{ issuedBy: { kind: "user", id: scene.owner.userId }, assignmentIds: [], tools: [] },
    constraints: { ...none, maxCalls: null, maxBytes: null },
    ...{ callsUsed: 0, bytesUsed: 0, minute: at, minuteCalls: 0, expiresAt: at, endedAt: at, endReason: text },
    findingId: null,
    ...{ lastUsedAt: null, lastUsedFrom: null, sessionId: null, honeytoken: false },
  });
}

/** The samples of operations about tools for agents. */
export const agentToolSamples = {
  "agentToolTokens.issue": {
    arrange: async (scene, caller) => ({ assetId: (await newToolAccess(scene, caller)).assetId }),
    body: (scene) => ({ tools: ["read_note"], name: scene.unique() }),
  },
  "agentToolTokens.list": {
    arrange: async (scene) => ({ assetId: (await newToolToken(scene)).assetId }),
  },
  "agentToolTokens.revoke": {
    async arrange(scene) {
      const { assetId, tokenId } = await newToolToken(scene);
      return { assetId, tokenId };
    },
    body: () => ({ reason }),
  },
  "agentTools.list": {
    ofTenants: true,
    async arrange(scene) {
      scene.picked = (await newToolToken(scene)).token;
      return {};
    },
    body: (scene) => ({ token: scene.picked }),
  },
  "agentTools.execute": {
    ofTenants: true,
    async arrange(scene) {
      scene.picked = (await newToolToken(scene)).token;
      return {};
    },
    body: (scene) => ({
      token: scene.picked,
      tool: "read_note",
      arguments: { repository: "a/b", path: scene.unique() },
    }),
  },
  "agentTools.runtimeTest": {
    arrange: async (scene) => ({ assetId: (await newToolAccess(scene)).assetId }),
    body: () => ({ tool: "read_note", arguments: { repository: "a/b", path: "c" } }),
  },
} as const satisfies Readonly<Record<string, Sample>>;
