import type { OperationId } from "@reeve/core";
import { appSamples } from "./apps.js";
import { assessmentSamples } from "./assessments.js";
import { complianceSamples } from "./compliance.js";
import { connectedSamples } from "./connected-samples.js";
import { decisionSamples } from "./decisions.js";
import { erasureSamples } from "./erasures.js";
import { estateSamples, toolReviewSamples, versionSamples } from "./estate-samples.js";
import { factorSamples } from "./factor-resets.js";
import { newApprovedExemption, newExemption, newFingerprint, newReviewedFinding } from "./findings.js";
import { haltSamples } from "./halts.js";
import type { Sample } from "./sample.js";
import type { Actor, Scene } from "./scene.js";
import { sessionSamples } from "./session-samples.js";
import { store } from "./stored-access.js";
import { tenantSamples } from "./tenant-samples.js";

const anAsset = async (scene: Scene) => ({ id: await scene.newAsset() });
const aUser = async (scene: Scene) => ({ id: (await scene.newUser([])).userId });
const aTenant = async (scene: Scene) => ({ tenantId: scene.tenantId });
const ofAnyTenant = async (scene: Scene) => ({ userId: (await scene.newUser([])).userId });
const anIdentity = async (scene: Scene) => ({ id: await scene.newIdentity() });
const aCredential = async (scene: Scene) => {
  const { id } = await anIdentity(scene);
  return { id, credentialId: (await scene.newCredential(id)).id };
};
const anMcpServer = async (scene: Scene) => ({ id: await scene.newMcpServer() });
const aScannedServer = async (scene: Scene) => ({ id: await scene.newScannedServer() });
const aPosturePolicy = async (scene: Scene) => ({ id: await scene.newPolicy("posture") });
/** A policy, and the version that it was written in. */
const aPolicyVersion = async (scene: Scene) => {
  const { id } = await aPosturePolicy(scene);
  const path = `/api/v1/ai-governance/policies/${id}/versions`;
  const { items } = (await scene.send("GET", path, { token: scene.owner.token })).json;
  return { id, versionId: items[0].id as string };
};
const aRuntimePolicy = async (scene: Scene) => ({ id: await scene.newPolicy("runtime") });
const aFinding = async (scene: Scene) => ({ id: await scene.newFinding(await scene.newAsset()) });
const anExemption = async (scene: Scene) => ({ id: await newExemption(scene) });
const aReview = async (scene: Scene) => ({ id: await scene.newReview() });
/** What whoever stopped an asset without a reason is asked. */
const aStopWithoutReason = async (scene: Scene, caller = scene.owner) => {
  const assetId = await scene.newAsset();
  const subject = { type: "ai_asset", id: assetId, path: `/api/v1/ai-assets/${assetId}` };
  const act = "governanceState: suspend";
  const asked = { kind: "stop_reason", status: "waiting", permission: "review:read", assignee: caller.userId };
  const none = { requestedBy: null, dueAt: null, endsAt: null, escalatedAt: null, comments: [] };
  const fields = { subject, key: `${act} ${caller.userId}`, assetId, ...asked, ...none };
  return { id: await store(scene, "reviews", "rvw", fields) };
};
const nothing: Sample = {};
const reason = "because a test wants it so";

/** A setting of the provider that no other call has stored. */
const aSetting = async (scene: Scene) => {
  const name = settingName(scene);
  const body = { name, configuration: { value: 1 }, reason };
  const { status, text } = await scene.send("POST", "/api/v1/support/config", {
    token: scene.provider.owner.token,
    body,
  });
  if (status !== 201) throw new Error(text);
  return { key: name };
};
const settingName = (scene: Scene) => `custom.${scene.unique().replaceAll("-", "x")}`;

/** A tenant that nothing else depends on. */
const aNewTenant = async (scene: Scene) => {
  const organization = scene.unique();
  const body = { organization, username: `${organization}@example.test`, password: "quite a long pass phrase 7" };
  const { json } = await scene.send("POST", "/api/v1/register", { body });
  return { tenantId: json.tenantId as string };
};
const aRefreshToken = async (scene: Scene) => {
  await scene.signInToSpare();
  return {};
};

const aBrowserSession = async (scene: Scene, { username, password }: Actor = scene.owner) => {
  const { json } = await scene.send("POST", "/api/v1/auth/sessions", {
    body: { username, password },
    headers: { "x-reeve-page": "1" },
    remoteAddress: scene.unique(),
  });
  return { sessionId: json.id };
};

/** A sample for every operation. One without a sample does not compile. */
export const samples: Readonly<Record<OperationId, Sample>> = {
  "auth.signIn": { body: (_scene, { username, password }) => ({ username, password }) },
  "auth.resetPassword": {
    body: (scene, { password }) => ({
      currentPassword: password,
      newPassword: `another long phrase ${scene.unique()}`,
    }),
  },
  "auth.setPassword": {
    arrange: async (scene) => {
      await scene.newInvited();
      return {};
    },
    body: (scene) => ({ token: scene.mailed.secret, newPassword: `a first long phrase ${scene.unique()}` }),
  },
  "auth.token": {
    arrange: aRefreshToken,
    body: ({ spare }) => ({ grant_type: "refresh_token", refresh_token: spare.refreshToken }),
  },
  "auth.revoke": { arrange: aRefreshToken, body: ({ spare }) => ({ token: spare.refreshToken }) },
  "auth.introspect": { ownBearer: true, body: ({ owner }) => ({ token: owner.token }) },
  "auth.signOut": nothing,
  ...factorSamples,
  "browserSessions.create": { body: (_scene, { username, password }) => ({ username, password }) },
  "browserSessions.list": nothing,
  "browserSessions.end": { arrange: aBrowserSession },
  // No provider stands beside the world.
  "openid.start": { arrange: async () => ({ provider: "acme" }), elsewhere: 501 },
  "openid.callback": { elsewhere: 303 },
  "auth.jwks": nothing,
  "auth.metadata": nothing,
  "auth.ping": nothing,
  "email.sendOtp": { body: (scene) => ({ email: `${scene.unique()}@example.test` }) },
  "email.verifyOtp": {
    arrange: async (scene) => {
      await scene.newCode();
      return {};
    },
    body: ({ mailed }) => ({ email: mailed.address, otp: mailed.secret }),
  },
  "registration.register": {
    body: (scene) => {
      const organization = scene.unique();
      return { organization, username: `${organization}@example.test`, password: "quite a long pass phrase 7" };
    },
  },
  "users.list": nothing,
  "roles.list": nothing,
  "users.create": {
    body: (scene) => ({
      username: `${scene.unique()}@example.test`,
      password: "quite a long pass phrase 8",
      roles: [],
    }),
  },
  "users.read": { arrange: aUser },
  "users.patch": { arrange: aUser, body: (scene) => ({ name: scene.unique() }) },
  "users.remove": { arrange: aUser },
  "users.invite": { arrange: async (scene) => ({ id: await scene.newInvited() }) },
  ...tenantSamples,
  "monitor.ping": nothing,
  "cache.health": nothing,
  "agents.health": nothing,
  "reference.openapi": nothing,
  "reference.page": nothing,
  "reference.asset": { arrange: async () => ({ asset: "index.html" }) },
  "console.page": nothing,
  "console.asset": { arrange: async () => ({ asset: "main.js" }) },
  "console.config": nothing,
  "platform.capabilities": nothing,
  "support.listConfig": nothing,
  "support.createConfig": {
    body: (scene) => ({ name: settingName(scene), configuration: { value: scene.unique() }, reason }),
  },
  "support.updateConfig": {
    arrange: aSetting,
    body: (scene) => ({ configuration: { value: scene.unique() }, reason }),
  },
  "support.resetConfig": { arrange: aSetting, query: { reason } },
  "support.listKillSwitches": nothing,
  "support.setKillSwitch": {
    arrange: async (scene) => ({ key: `ai.asset.${await scene.newAsset()}` }),
    body: (scene) => ({ status: "engaged", configuration: { tenantId: scene.tenantId }, reason }),
  },
  "support.me": nothing,
  "support.listOrgs": nothing,
  "support.readOrg": { arrange: aTenant },
  "support.listOrgUsers": { arrange: aTenant },
  "support.listTenants": nothing,
  "support.setTenantStatus": { arrange: aNewTenant, body: () => ({ status: "suspended", reason }) },
  "support.listEntitlements": { arrange: aTenant },
  "support.setEntitlement": {
    arrange: async ({ tenantId }) => ({ tenantId, kind: "feature", key: "plan" }),
    body: (scene) => ({ configuration: { value: scene.unique() }, reason }),
  },
  "support.resetUserPassword": { arrange: ofAnyTenant, body: () => ({ reason }) },
  "support.setUserStatus": { arrange: ofAnyTenant, body: () => ({ status: "disabled", reason }) },
  "support.runSql": {
    body: () => ({ configuration: { statement: "select 1" }, reason: "a question of support" }),
    elsewhere: 501,
  },
  "aiAssets.list": nothing,
  "aiAssets.create": { body: (scene) => ({ name: scene.unique(), assetType: "model" }) },
  "aiAssets.import": {
    body: (scene) => ({ items: [{ name: scene.unique(), assetType: "model", externalRef: { id: scene.unique() } }] }),
  },
  "aiAssets.classify": { arrange: anAsset, body: () => ({ riskTier: "high", reason }) },
  "aiAssets.reassign": {
    async arrange(scene) {
      const owner = { type: "external", id: scene.unique(), name: "Gone" };
      await scene.newAsset({ owner });
      scene.picked = owner.id;
      return {};
    },
    // Nobody puts themself into an office.
    body: (scene, caller) => {
      const to = caller.userId === scene.owner.userId ? scene.actors.member : scene.owner;
      return { from: scene.picked, to: { id: to.userId }, reason };
    },
  },
  "aiAssets.read": { arrange: anAsset },
  "aiAssets.replace": { arrange: anAsset, body: (scene) => ({ description: scene.unique() }) },
  "aiAssets.delete": { arrange: anAsset },
  "aiAssets.listActivity": { arrange: anAsset },
  "aiAssets.readActivity": {
    async arrange(scene) {
      const { id } = await anAsset(scene);
      const { json } = await scene.send("GET", `/api/v1/ai-assets/${id}/activity`, { token: scene.owner.token });
      return { id, eventId: json.items[0].id };
    },
  },
  "aiAssets.listFindings": {
    async arrange(scene) {
      const { id } = await anAsset(scene);
      await scene.newFinding(id);
      return { id };
    },
  },
  "aiAssets.changeCondition": {
    arrange: async (scene) => ({ id: await scene.newConditionalAsset(), key: "logging" }),
    body: () => ({ met: true, evidence: { ref: "https://example.test/logs" } }),
    alsoNeeds: "ai-governance:approve",
  },
  "aiAssets.changeGovernanceState": { arrange: anAsset, body: () => ({ status: "under_review" }) },
  "aiAssets.listGovernanceHistory": { arrange: anAsset },
  "aiAssets.changeLifecycle": {
    arrange: anAsset,
    body: () => ({ status: "development" }),
    alsoNeeds: "ai-asset:promote",
  },
  "aiAssets.listLifecycleHistory": { arrange: anAsset },
  "aiAssets.mergeMetadata": { arrange: anAsset, body: (scene) => ({ metadata: { note: scene.unique() } }) },
  "aiAssets.effective": { arrange: anAsset },
  "aiAssets.impact": { arrange: anAsset },
  "aiAssets.graph": nothing,
  "aiAssets.listEffective": { query: { ids: "ast_7ZZZZZZZZZZZZZZZZZZZZZZZZZ" } },
  "aiAssets.listRelations": {
    async arrange(scene) {
      return { id: await scene.newAsset({ relations: [{ type: "uses", targetId: await scene.newAsset() }] }) };
    },
  },
  "aiIdentities.listCredentials": {
    async arrange(scene) {
      const { id } = await aCredential(scene);
      return { id };
    },
  },
  "aiIdentities.issueCredential": { arrange: anIdentity, body: (scene) => ({ name: scene.unique() }) },
  "aiIdentities.rotateCredential": { arrange: aCredential, body: () => ({ overlapSeconds: 60 }) },
  "aiIdentities.revokeCredential": { arrange: aCredential },
  ...sessionSamples,
  "aiGovernancePolicies.list": nothing,
  "aiGovernancePolicies.create": { body: (scene) => scene.policyBody("posture") },
  "aiGovernancePolicies.read": { arrange: aPosturePolicy },
  "aiGovernancePolicies.replace": { arrange: aPosturePolicy, body: (scene) => ({ description: scene.unique() }) },
  "aiGovernancePolicies.delete": { arrange: aPosturePolicy },
  "aiGovernancePolicies.activation": { arrange: aPosturePolicy },
  "aiGovernancePolicies.requestActivation": { arrange: aPosturePolicy, body: () => ({ reason }) },
  "aiGovernancePolicies.listVersions": { arrange: aPosturePolicy },
  "aiGovernancePolicies.readVersion": { arrange: aPolicyVersion },
  "aiGovernance.validatePolicy": { body: (scene) => scene.policyBody("posture") },
  "aiGovernance.testPolicy": { arrange: aPosturePolicy },
  "aiGovernance.backTestPolicy": { arrange: aPosturePolicy },
  "aiGovernance.listPolicyPacks": nothing,
  "aiGovernance.installPolicyPack": { arrange: async () => ({ key: "foundation" }) },
  "aiGovernance.readEnums": nothing,
  "aiEvaluations.run": {
    body: (scene) => ({ name: scene.unique(), scope: { assetTypes: ["prompt"] } }),
  },
  "aiEvaluations.list": nothing,
  "aiGovernance.dashboard": nothing,
  "aiEvaluations.read": { arrange: async (scene) => ({ id: await scene.evaluate() }) },
  "aiEvaluations.cancel": { arrange: async (scene) => ({ id: await scene.newRun() }), body: () => ({ reason }) },
  "aiFindings.list": nothing,
  "aiFindings.byDay": nothing,
  "aiFindings.read": { arrange: aFinding },
  "aiFindings.review": {
    arrange: aFinding,
    body: () => ({ action: "acknowledge" }),
    alsoNeeds: "ai-finding:review",
  },
  "aiFindings.listReviews": { arrange: async (scene) => ({ id: await newReviewedFinding(scene) }) },
  "aiExemptions.list": nothing,
  "aiFlaggedDecisions.list": nothing,
  "aiExemptions.create": {
    async arrange(scene) {
      scene.picked = await newFingerprint(scene);
      return {};
    },
    body: ({ picked }) => ({ scope: { fingerprint: picked }, reason }),
  },
  "aiExemptions.read": { arrange: anExemption },
  "aiExemptions.approve": { arrange: anExemption, body: () => ({ reason }), ifMatch: '"1"' },
  "aiExemptions.reject": { arrange: anExemption, body: () => ({ reason }) },
  "aiExemptions.withdraw": { arrange: anExemption, body: () => ({ reason }), alsoNeeds: "ai-exemption:approve" },
  "aiExemptions.revoke": {
    arrange: async (scene) => ({ id: await newApprovedExemption(scene) }),
    body: () => ({ reason }),
  },
  "aiPolicies.list": nothing,
  "aiPolicies.create": { body: (scene) => scene.policyBody("runtime") },
  "aiPolicies.read": { arrange: aRuntimePolicy },
  "aiPolicies.replace": { arrange: aRuntimePolicy, body: (scene) => ({ description: scene.unique() }) },
  "aiPolicies.delete": { arrange: aRuntimePolicy },
  ...estateSamples,
  ...versionSamples,
  ...decisionSamples,
  ...assessmentSamples,
  ...complianceSamples,
  ...connectedSamples,
  ...appSamples,
  ...haltSamples,
  "aiOverview.read": nothing,
  "me.read": nothing,
  "names.list": { query: ({ owner }) => ({ ids: owner.userId }) },
  "reviews.list": nothing,
  "reviews.read": { arrange: aReview, ofTenants: true },
  "reviews.opening": { arrange: aReview, ofTenants: true },
  "reviews.changes": { arrange: aReview, ofTenants: true },
  "reviews.people": { arrange: aReview, ofTenants: true },
  "reviews.assign": { arrange: aReview, body: () => ({ dueAt: "2099-01-31" }) },
  "reviews.comment": { arrange: aReview, body: (scene) => ({ text: scene.unique() }) },
  "reviews.explain": { arrange: aStopWithoutReason, ofTenants: true, body: () => ({ reason }) },
  "mcpServers.probe": { arrange: anMcpServer },
  "mcpServers.scan": { arrange: anMcpServer },
  "mcpServers.listTools": { arrange: aScannedServer },
  ...toolReviewSamples,
  "mcpServers.readDrift": { arrange: aScannedServer },
  "mcpServers.approveTools": {
    arrange: aScannedServer,
    body: ({ scanned }) => ({ manifestDigest: scanned, reason }),
  },
  "aiActivity.list": nothing,
  "aiActivity.listSubject": { arrange: async (scene) => ({ subjectId: (await scene.newUser([])).userId }) },
  "aiGovernance.verifyChain": nothing,
  "aiGovernance.readChainTimeline": nothing,
  "aiGovernance.listCheckpoints": nothing,
  "aiGovernance.exportEvents": nothing,
  "aiGovernance.exportSlice": nothing,
  "aiActivity.stream": nothing,
  ...erasureSamples,
};
