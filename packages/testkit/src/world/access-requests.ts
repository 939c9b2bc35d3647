import { collections } from "@reeve/core/reference";
import { requestScopeHash } from "@reeve/core/testing";
import { newAccessIdentity, newAccessProfile, newAccessResource, newTarget } from "./access.js";
import type { Sample } from "./sample.js";
import type { Actor, Scene } from "./scene.js";
import { store, storedRecord } from "./stored-access.js";

const reason = "because a test wants it so";
const DAY = 86_400_000;
const later = (scene: Scene, days: number) => new Date(scene.clock.now() + days * DAY).toISOString();

/** An asset that acts as somebody in a target, and what it can ask for there. */
export async function newRequestable(scene: Scene, assetId?: string) {
  const connectorInstanceId = await newTarget(scene);
  const asset = assetId ?? (await scene.newAsset());
  const resourceId = await newAccessResource(scene, connectorInstanceId);
  const identityId = await newAccessIdentity(scene, asset, connectorInstanceId);
  const text = scene.unique();
  const marks = { approvedHash: text, definitionHash: text, curatedBy: scene.owner.userId };
  const accessProfileId = await newAccessProfile(scene, connectorInstanceId, { status: "approved", ...marks });
  return { assetId: asset, connectorInstanceId, resourceId, identityId, accessProfileId };
}

/** Everybody of the scene, as people whom a stage asks. */
async function everybody(scene: Scene) {
  const users = collections.find(({ name }) => name === "users");
  const found = users && (await scene.store.forTenant(scene.tenantId).find(users, { size: 100 }));
  const own = Object.values(scene.actors).map(({ userId }) => userId);
  const ids = [...new Set([...own, ...(found?.rows ?? []).map(({ id }) => id)])].sort();
  return ids.map((userId) => ({ userId, name: userId, why: "is of the scene" }));
}

/** A request that everybody of the scene may decide, or as `more` has it. Returns its id. */
export async function newAccessRequest(scene: Scene, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { assetId, connectorInstanceId, resourceId, identityId, accessProfileId } = await newRequestable(
    scene,
    more.assetId as string | undefined,
  );
  const profile = await storedRecord(scene, "access_profiles", accessProfileId);
  const text = scene.unique();
  const at = new Date(scene.clock.now()).toISOString();
  const item = {
    ...{ key: "1", accessProfileId, profileName: text, resourceId, resourceName: text, parameters: {}, grantKey: text },
    ...{ definitionHash: profile.definitionHash, permissions: [text], effect: "read", privilegeLevel: 1 },
    ...{ riskLevel: "low", status: "waiting", assignmentId: null, error: null },
  };
  const scope = {
    ...{
      type: "grant",
      assetId,
      identityId,
      assignmentId: null,
      assignmentHash: null,
      emergency: false,
      items: [item],
    },
    ...{ duration: "P1D", expiresAt: null, isPermanent: false, notBefore: null },
  };
  scene.picked = requestScopeHash(scope as never);
  const stage = {
    ...{ name: text, policyId: null, items: ["1"], mode: "any", approveThreshold: null, denyThreshold: 1 },
    ...{ approvers: [{ kind: "role", id: "approver" }], fallback: [], timeout: null, onTimeout: "expire" },
    ...{ escalateTo: [], candidates: await everybody(scene), excluded: [], status: "active", startedAt: at },
    ...{ dueAt: null, escalated: false },
  };
  const evaluation = {
    ...{ decision: "require_approval", riskScore: 10, factors: [{ key: "profile_risk", points: 10 }], conflicts: [] },
    ...{ inputsHash: text, evaluatedAt: at, explanations: [text] },
  };
  return store(scene, "access_requests", "areq", {
    ...{ status: "pending_approval", connectorInstanceId, ...scope, reason: text, ticketRef: text, attachments: [] },
    ...{ requestedBy: "system", requestedKind: "system", granted: null, scopeHash: scene.picked, policies: [] },
    ...{ editors: [], autoAllowedBy: null, approvalValidFor: "PT72H", evaluation, stages: [stage], votes: [] },
    ...{ exemptions: [], awaitingInfo: false, pendingExpiresAt: later(scene, 7), approvalEndsAt: null },
    ...{ lookAgainAt: null, resolution: null, supersedesRequestId: null, attributes: { note: text } },
    ...more,
  });
}

/** A request that is approved, and that no job concerns. */
const approved = (scene: Scene) => ({
  status: "approved",
  granted: { duration: "P1D", expiresAt: null, isPermanent: false },
  approvalEndsAt: later(scene, 3),
  resolution: { by: "system", at: later(scene, 0), code: "approved", reason },
});

/** A policy of requests that covers nothing of the scene. Whoever makes it decides no request that day. Returns its id. */
export async function newAccessPolicy(scene: Scene, { token }: Actor = scene.owner): Promise<string> {
  const made = await scene.send("POST", "/api/v1/access-policies", { token, body: policyBody(scene) });
  if (made.status !== 201) throw new Error(made.text);
  return made.json.id;
}

const policyBody = (scene: Scene) => ({
  name: scene.unique(),
  description: scene.unique(),
  enabled: false,
  stages: [{ approvers: [{ kind: "asset_owner" }], fallback: [{ kind: "role", id: "governance_officer" }] }],
});

/** Records of requests and their policies, which no job concerns. */
export async function newRequestRecords(scene: Scene, assetId: string): Promise<void> {
  await newAccessPolicy(scene, scene.actors.governance_officer);
  const resolution = { by: "system", at: later(scene, 0), code: "cancelled", reason };
  const requestId = await newAccessRequest(scene, { assetId, status: "cancelled", resolution });
  const { connectorInstanceId: target } = await storedRecord(scene, "access_requests", requestId);
  const done = await scene.send("PATCH", `/api/v1/connector-instances/${target}`, {
    ...{ token: scene.owner.token, body: { status: "disabled", reason }, headers: { "if-match": "*" } },
  });
  if (done.status !== 200) throw new Error(done.text);
  const text = scene.unique();
  const bare = {
    name: undefined,
    metadata: undefined,
    createdBy: undefined,
    updatedAt: undefined,
    updatedBy: undefined,
  };
  const row = { ...bare, requestId, assetId, connectorInstanceId: text };
  await store(scene, "access_open_grants", "aog", {
    ...{ ...row, grantKey: text, identityId: text, resourceId: text, accessProfileId: text },
  });
  await store(scene, "access_asked_approvers", "aap", { ...row, userId: text });
}

const aRequest = async (scene: Scene) => ({ id: await newAccessRequest(scene) });
const aPolicy = async (scene: Scene) => ({ id: await newAccessPolicy(scene, scene.actors.governance_officer) });

/** What can be asked for, and for which asset. */
async function somethingRequestable(scene: Scene) {
  const { assetId, ...asked } = await newRequestable(scene);
  const path = `/api/v1/access-targets/${asked.connectorInstanceId}/resources/sync`;
  const begun = await scene.send("POST", path, { token: scene.owner.token });
  if (begun.status !== 200) throw new Error(begun.text);
  scene.picked = [asked.connectorInstanceId, asked.accessProfileId, asked.resourceId].join(" ");
  return { assetId };
}

function askingForIt(scene: Scene) {
  const [connectorInstanceId, accessProfileId = "", resourceId] = scene.picked.split(" ");
  const items = [{ accessProfileId, resourceId }];
  return { connectorInstanceId, items, duration: "P1D", ticketRef: scene.unique(), reason };
}

/** The samples of operations about requests for access. */
export const accessRequestSamples = {
  "accessConnectors.list": {},
  "accessConnectors.readRequestSchema": {
    arrange: async (scene) => ({ catalogItemId: (await newRequestable(scene)).connectorInstanceId }),
  },
  "accessRequests.create": { arrange: somethingRequestable, body: askingForIt },
  "accessRequests.preview": { arrange: somethingRequestable, body: askingForIt },
  "accessRequests.list": {},
  "accessRequests.read": { arrange: aRequest },
  "accessRequests.evaluate": { arrange: aRequest },
  "accessRequests.approve": { arrange: aRequest, body: (scene) => ({ expectedScopeHash: scene.picked, reason }) },
  "accessRequests.reject": { arrange: aRequest, body: () => ({ reason }) },
  "accessRequests.cancel": {
    arrange: aRequest,
    body: () => ({ reason }),
    alsoNeeds: "access-request:cancel-any",
  },
  "accessRequests.provision": { arrange: async (scene) => ({ id: await newAccessRequest(scene, approved(scene)) }) },
  "accessPolicies.list": {},
  "accessPolicies.create": { body: policyBody },
  "accessPolicies.read": { arrange: aPolicy },
  "accessPolicies.replace": { arrange: aPolicy, body: policyBody },
  "accessPolicies.remove": { arrange: aPolicy },
} as const satisfies Readonly<Record<string, Sample>>;
