import { newCertification, newCertificationItem } from "./certifications.js";
import { newInstance } from "./connectors.js";
import { newDrift, newDriftRecords } from "./drift.js";
import type { Sample } from "./sample.js";
import type { Scene } from "./scene.js";
import { ScriptedAccess } from "./scripted-access.js";
import { store } from "./stored-access.js";

const reason = "because a test wants it so";

/** Sets up a connection in use whose access is managed, without a test. Returns its id. */
export function newTarget(scene: Scene, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return newInstance(scene, {
    providerKey: ScriptedAccess.providerKey,
    secrets: {},
    configuration: { account: scene.unique() },
    governanceMode: "managed",
    ...{ status: "active", skipTest: true, reason: "There is no other system." },
    ...more,
  });
}

/** A resource that a sync has found. Returns its id. */
export async function newAccessResource(scene: Scene, connectorInstanceId: string): Promise<string> {
  const text = scene.unique();
  const at = new Date(scene.clock.now()).toISOString();
  return store(scene, "access_resources", "ars", {
    ...{ status: "active", connectorInstanceId, resourceType: "repository", externalId: text, parent: null },
    ...{ labels: [text], ownerIds: [], managedMark: "inherit" },
    ...{ attributes: { note: text }, sensitivity: null, fingerprint: text, previousFingerprint: null },
    ...{ firstSeenAt: at, lastSeenAt: at, missingSince: null, lastSyncId: text },
  });
}

/** A profile that a sync has found. Returns its id. */
export async function newAccessProfile(
  scene: Scene,
  connectorInstanceId: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const text = scene.unique();
  const at = new Date(scene.clock.now()).toISOString();
  return store(scene, "access_profiles", "apf", {
    ...{ status: "discovered", connectorInstanceId, resourceType: "repository", resourceId: null, externalId: text },
    ...{ description: text, permissions: [text], toolNames: [], effect: "read", privilegeLevel: 1 },
    ...{ grantableTo: ["service_account"], exclusionGroup: null, parametersSchema: null },
    ...{ requestable: true, riskLevel: "low", maxDuration: "P30D", allowPermanent: false, requireReason: true },
    ...{ definitionHash: `hash of ${text}`, approvedHash: null, curatedBy: null, curatedAt: null },
    ...{ lastSeenAt: at, lastSyncId: text },
    ...more,
  });
}

/** What an asset acts as in a target: `as`, which a real target knows, or an account of its own. Returns its id. */
export async function newAccessIdentity(
  scene: Scene,
  assetId: string,
  connectorInstanceId: string,
  as?: { readonly type: string; readonly externalId: string },
): Promise<string> {
  const { token } = scene.owner;
  const principal = { type: "service_account", externalId: scene.unique(), displayName: scene.unique(), ...as };
  const body = { connectorInstanceId, principal };
  const made = await scene.send("POST", `/api/v1/ai-assets/${assetId}/access-identities`, { token, body });
  if (made.status !== 201) throw new Error(made.text);
  return made.json.id;
}

/** Access that was granted and is over, or as `more` has it, so that no job concerns it. */
export async function newAssignment(scene: Scene, more: Readonly<Record<string, unknown>> = {}) {
  const connectorInstanceId = await newTarget(scene);
  const resourceId = await newAccessResource(scene, connectorInstanceId);
  const accessProfileId = await newAccessProfile(scene, connectorInstanceId, { status: "approved" });
  const assetId = (more.assetId as string | undefined) ?? (await scene.newAsset());
  const identityId = await newAccessIdentity(scene, assetId, connectorInstanceId);
  const text = scene.unique();
  const at = new Date(scene.clock.now()).toISOString();
  const principal = { type: "service_account", externalId: text, displayName: text };
  const id = await store(scene, "access_assignments", "asg", {
    ...{ status: "active", requestId: null, source: "request", assetId, identityId, principal, connectorInstanceId },
    ...{ resourceId, resource: { type: "repository", externalId: text }, accessProfileId, profileExternalId: text },
    ...{ parameters: { note: text }, grantKey: text, previousGrantKey: null, externalGrantId: text },
    ...{ notBefore: at, duration: null, expiresAt: null, isPermanent: true, approvedHash: text },
    ...{ privilegeLevel: 1, riskLevel: "low", targetState: "present", observedAt: at, observedBy: "verify" },
    ...{ activatedAt: at, lastVerifiedAt: at, lastUsedAt: null, certifiedUntil: null },
    ...{ preExisting: false, sharedGrant: false },
    ...{ unverified: false, endReason: null, endedBy: null, endingSince: null, endedAt: null },
    ...{
      unseenSince: null,
      residualAccess: null,
      attestation: null,
      noticed: null,
      unusedNotice: null,
      failure: null,
      editVersion: 1,
    },
    ...more,
  });
  return { id, assetId, connectorInstanceId, identityId, resourceId, accessProfileId };
}

/** Records of every kind of access, which no job concerns. */
export async function newAccessRecords(scene: Scene, assetId: string): Promise<void> {
  const { connectorInstanceId, ...assignment } = await newAssignment(scene, { ...OVER(scene), assetId });
  const id = await newCertification(scene, { status: "completed", endedAt: new Date(scene.clock.now()).toISOString() });
  await newCertificationItem(scene, id, assignment.id, { status: "remediated" });
  await newAccessProfile(scene, connectorInstanceId);
  await newDriftRecords(scene, { ...assignment, connectorInstanceId, assignmentId: assignment.id });
  const { syncId } = await aSyncOf(scene, connectorInstanceId);
  const commands = [
    ["POST", `/api/v1/access-targets/${connectorInstanceId}/syncs/${syncId}/cancel`, { reason }],
    ["PATCH", `/api/v1/connector-instances/${connectorInstanceId}`, { status: "disabled", reason }],
  ] as const;
  for (const [method, path, body] of commands) {
    const done = await scene.send(method, path, { token: scene.owner.token, body, headers: { "if-match": "*" } });
    if (done.status !== 200) throw new Error(done.text);
  }
}

const OVER = (scene: Scene) => ({ status: "revoked", endReason: "revoked", endedBy: scene.owner.userId });

async function aSyncOf(scene: Scene, connectorInstanceId: string) {
  const { token } = scene.owner;
  const begun = await scene.send("POST", `/api/v1/access-targets/${connectorInstanceId}/resources/sync`, { token });
  if (begun.status !== 200) throw new Error(begun.text);
  return { connectorInstanceId, syncId: begun.json.id as string };
}

const aTarget = async (scene: Scene) => ({ connectorInstanceId: await newTarget(scene) });
const aResource = async (scene: Scene) => {
  const { connectorInstanceId } = await aTarget(scene);
  return { connectorInstanceId, resourceId: await newAccessResource(scene, connectorInstanceId) };
};
const aSync = async (scene: Scene) => aSyncOf(scene, await newTarget(scene));
const aProfile = async (scene: Scene) => ({ id: await newAccessProfile(scene, await newTarget(scene)) });
/** An assignment at a target that was called before, so that a call changes nothing else. */
async function aKnownAssignment(scene: Scene) {
  const { id, connectorInstanceId } = await newAssignment(scene);
  await call(scene, connectorInstanceId);
  return { id };
}

/** Access whose end its target does not confirm, because nobody may ask it. */
async function aStuckAssignment(scene: Scene) {
  const at = new Date(scene.clock.now()).toISOString();
  const stuck = { ...OVER(scene), status: "revoke_failed", endingSince: at };
  const { id, connectorInstanceId } = await newAssignment(scene, stuck);
  const path = `/api/v1/connector-instances/${connectorInstanceId}`;
  const body = { status: "disabled", reason };
  const done = await scene.send("PATCH", path, { token: scene.owner.token, body, headers: { "if-match": "*" } });
  if (done.status !== 200) throw new Error(done.text);
  return { id };
}

async function call(scene: Scene, connectorInstanceId: string): Promise<void> {
  const path = `/api/v1/integrations/${connectorInstanceId}/diagnostics/run`;
  const run = await scene.send("POST", path, { token: scene.owner.token });
  if (run.status !== 201) throw new Error(run.text);
}

async function aScan(scene: Scene) {
  const connectorInstanceId = await newTarget(scene);
  const { token } = scene.owner;
  const begun = await scene.send("POST", `/api/v1/access-targets/${connectorInstanceId}/drift-scan`, { token });
  if (begun.status !== 200) throw new Error(begun.text);
  return { connectorInstanceId, scanId: begun.json.id as string };
}

const aDrift = async (scene: Scene) => ({ id: await newDrift(scene, await itsSubject(scene)) });
async function itsSubject(scene: Scene) {
  const { id: assignmentId, ...subject } = await newAssignment(scene);
  return { ...subject, assignmentId };
}
/** A difference at a target that was called before, so that a call changes nothing else. */
async function aKnownDrift(scene: Scene) {
  const subject = await itsSubject(scene);
  await call(scene, subject.connectorInstanceId);
  return { id: await newDrift(scene, subject) };
}

const anAssignment = async (scene: Scene) => ({ id: (await newAssignment(scene)).id });
const itsAsset = async (scene: Scene) => ({ assetId: (await newAssignment(scene)).assetId });

/** The samples of this area's operations. */
export const accessSamples = {
  "accessTargets.list": {},
  "accessTargets.read": { arrange: aTarget },
  "accessTargets.listResources": {
    async arrange(scene) {
      const { connectorInstanceId } = await aTarget(scene);
      await newAccessResource(scene, connectorInstanceId);
      return { connectorInstanceId };
    },
  },
  "accessTargets.readResource": { arrange: aResource },
  "accessTargets.patchResource": { arrange: aResource, body: () => ({ managedMark: "unmanaged", reason }) },
  "accessTargets.sync": { arrange: aTarget, body: (scene) => ({ name: scene.unique() }) },
  "accessTargets.listSyncs": {
    arrange: async (scene) => ({ connectorInstanceId: (await aSync(scene)).connectorInstanceId }),
  },
  "accessTargets.readSync": { arrange: aSync },
  "accessTargets.cancelSync": { arrange: aSync, body: () => ({ reason }) },
  "accessTargets.listResourceProfiles": {
    async arrange(scene) {
      const resource = await aResource(scene);
      await newAccessProfile(scene, resource.connectorInstanceId);
      return resource;
    },
  },
  "accessTargets.listProfiles": {
    async arrange(scene) {
      const { connectorInstanceId } = await aTarget(scene);
      await newAccessProfile(scene, connectorInstanceId);
      return { connectorInstanceId };
    },
  },
  "accessProfiles.read": { arrange: aProfile },
  "accessProfiles.approve": {
    async arrange(scene) {
      const target = await newTarget(scene);
      scene.picked = scene.unique();
      return { id: await newAccessProfile(scene, target, { definitionHash: scene.picked }) };
    },
    body: (scene) => ({ definitionHash: scene.picked, maxDuration: "P7D" }),
  },
  "accessProfiles.disable": { arrange: aProfile, body: () => ({ reason }) },
  "accessTargets.listAvailable": { arrange: itsAsset },
  "accessIdentities.list": { arrange: itsAsset },
  "accessIdentities.declare": {
    async arrange(scene) {
      scene.picked = await newTarget(scene);
      return { assetId: await scene.newAsset() };
    },
    body: (scene) => ({
      connectorInstanceId: scene.picked,
      principal: { type: "service_account", externalId: scene.unique(), displayName: scene.unique() },
    }),
  },
  "accessIdentities.remove": {
    async arrange(scene) {
      const assetId = await scene.newAsset();
      return { assetId, identityId: await newAccessIdentity(scene, assetId, await newTarget(scene)) };
    },
  },
  "accessTargets.scanForDrift": { arrange: aTarget, body: (scene) => ({ name: scene.unique() }) },
  "accessTargets.listDriftScans": {
    arrange: async (scene) => ({ connectorInstanceId: (await aScan(scene)).connectorInstanceId }),
  },
  "accessTargets.readDriftScan": { arrange: aScan },
  "accessDrift.list": {},
  "accessDrift.read": { arrange: aDrift },
  "accessDrift.accept": {
    arrange: aDrift,
    body: (scene) => ({ reason, until: new Date(scene.clock.now() + 86_400_000).toISOString() }),
  },
  "accessDrift.suppress": { arrange: aDrift, body: () => ({ reason }) },
  "accessDrift.repair": { arrange: aKnownDrift, body: () => ({ reason, action: "end" }) },
  "accessAssignments.list": { arrange: itsAsset },
  "accessAssignments.read": { arrange: anAssignment },
  "accessAssignments.verify": { arrange: aKnownAssignment },
  "accessAssignments.modify": { arrange: anAssignment, body: () => ({ reason, duration: "P1D" }) },
  "accessAssignments.repair": { arrange: aKnownAssignment, body: () => ({ reason, action: "end" }) },
  "accessAssignments.attest": { arrange: aStuckAssignment, body: () => ({ evidence: reason }) },
  "accessAssignments.revoke": { arrange: anAssignment, body: () => ({ reason }) },
} as const satisfies Readonly<Record<string, Sample>>;
