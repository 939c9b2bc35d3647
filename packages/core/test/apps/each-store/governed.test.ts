import {
  type Actor,
  createPlane,
  createTenant,
  type NewApp,
  newApp,
  newSignOn,
  providerKey,
  type Scene,
} from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type DecidedAccess, provision } from "#families/access-grants/assignments/provision-assignment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { signOnConnector } from "../../../src/index.js";
import { environmentOf } from "../../helpers/environment.js";
import { SoapProvider } from "../../helpers/soap-provider.js";
import { emptyStore } from "../../helpers/stores.js";

const reason = "because a test wants it so";
const provider = new SoapProvider();
let plane: ReturnType<typeof createPlane>;
let scene: Scene;
let other: Scene;
let connectorInstanceId: string;

async function ok(method: string, path: string, body?: object, as: Actor = scene.owner, headers = {}) {
  const answer = await plane.send(method, path, { token: as.token, headers, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
}

const target = () => `/api/v1/access-targets/${connectorInstanceId}`;

beforeAll(async () => {
  const connectors = [signOnConnector()];
  plane = createPlane({ store: await emptyStore(), connectors, egress: provider, tokenLifetime: 86_400 });
  scene = await createTenant(plane, "governed");
  other = await createTenant(plane, "other");
  const body = { providerKey: "sign-on", name: "Sign-on", status: "active", governanceMode: "managed" };
  connectorInstanceId = (await ok("POST", "/api/v1/connector-instances", body)).id;
});

let app: NewApp;
let agent: Actor;
let decided: DecidedAccess;

beforeEach(async () => {
  const { certificate } = await providerKey();
  const sloSoapUrl = `https://${scene.unique()}.example/soap`;
  app = await newApp(scene, { assigned: false, certificates: [certificate], sloSoapUrl });
  await newApp(other);
  const identityId = await scene.newIdentity({ status: "active", scopes: ["app:use"] });
  const { clientId, clientSecret } = await scene.newCredential(identityId);
  const grant = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const { json } = await plane.send("POST", "/api/v1/auth/token", { body: grant });
  agent = { ...scene.owner, userId: identityId, token: json.access_token };
  const { assetId } = await ok("GET", `/api/v1/ai/identities/${identityId}`);
  await ok("POST", `${target()}/resources/sync`);
  await plane.controlPlane.tick();
  const { items } = await ok("GET", `${target()}/resources?size=100`);
  const resource = items.find(({ externalId }: { externalId: string }) => externalId === app.id);
  const [profile] = (await ok("GET", `${target()}/access-profiles`)).items;
  if (profile.status !== "approved")
    await ok("POST", `/api/v1/access-profiles/${profile.id}/approve`, { definitionHash: profile.definitionHash });
  const principal = { type: "agent", externalId: identityId };
  const identity = await ok("POST", `/api/v1/ai-assets/${assetId}/access-identities`, {
    connectorInstanceId,
    principal,
  });
  decided = {
    ...{ requestId: null, source: "request", assetId, identityId: identity.id },
    ...{ accessProfileId: profile.id, resourceId: resource.id, parameters: {} },
    ...{ isPermanent: false, duration: "PT1H", expiresAt: null },
  };
});

/** Stores access that was decided, and lets jobs carry it out. */
async function granted(more: Partial<DecidedAccess> = {}): Promise<string> {
  const ctx = systemContext(environmentOf(plane, { ids: plane.ids }), scene.tenantId, "test");
  const [made] = await ctx.write((inner) => provision(inner, [{ ...decided, ...more }]));
  await plane.controlPlane.tick();
  return made?.id as string;
}

const launch = async () =>
  (await plane.send("POST", `/api/v1/saml-apps/${app.id}/launch`, { token: agent.token })).status;
const assigned = async () => (await ok("GET", `/api/v1/saml-apps/${app.id}/assignments`)).items;
const sessions = async () => (await ok("GET", `/api/v1/saml-apps/${app.id}/sessions`)).items;

describe("applications as a target of access governance", () => {
  it("are its resources, of the own tenant only, with sign-on as the kind of access", async () => {
    const { items } = await ok("GET", `${target()}/resources?size=100`);
    expect(items.every(({ externalId }: { externalId: string }) => externalId.startsWith("sapp_"))).toBe(true);
    const { json } = await plane.send("GET", "/api/v1/saml-apps?size=100", { token: other.owner.token });
    const foreign = json.items.map(({ id }: { id: string }) => id);
    expect(items.some(({ externalId }: { externalId: string }) => foreign.includes(externalId))).toBe(false);
    expect((await ok("GET", `${target()}/access-profiles`)).items).toMatchObject([
      { externalId: "sign-on", grantableTo: ["agent", "user"] },
    ]);
  });

  it("are signed on to once access is granted, and not before", async () => {
    expect(await launch()).toBe(403);
    const id = await granted();
    expect(await ok("GET", `/api/v1/access-assignments/${id}`)).toMatchObject({
      status: "active",
      targetState: "present",
    });
    expect(await assigned()).toMatchObject([{ subjectType: "ai_identity", subjectId: agent.userId }]);
    expect(await launch()).toBe(200);
  });

  it("are asked for, approved by another person, signed on to, and taken away with the sessions", async () => {
    const [requester, approver] = [await scene.newUser(["operator"]), await scene.newUser(["approver"])];
    const stages = [{ approvers: [{ kind: "user", id: approver.userId }] }];
    const covers = { connectorInstanceIds: [connectorInstanceId] };
    await ok("POST", "/api/v1/access-policies", { name: scene.unique(), covers, stages });
    const { assetId, accessProfileId, resourceId } = decided;
    const items = [{ accessProfileId, resourceId }];
    const body = { connectorInstanceId, items, duration: "PT1H", reason };
    const request = await ok("POST", `/api/v1/ai-assets/${assetId}/access-requests`, body, requester);
    expect(request).toMatchObject({ status: "pending_approval" });
    await plane.controlPlane.tick();
    expect([await launch(), await assigned()]).toEqual([403, []]);
    const vote = { expectedScopeHash: request.scopeHash, reason };
    await ok("POST", `/api/v1/access-requests/${request.id}/approve`, vote, approver);
    await plane.controlPlane.tick();
    const [item] = (await ok("GET", `/api/v1/access-requests/${request.id}`)).items;
    expect(await ok("GET", `/api/v1/access-assignments/${item.assignmentId}`)).toMatchObject({ status: "active" });
    await newSignOn(scene, agent, app);
    await ok("POST", `/api/v1/access-assignments/${item.assignmentId}/revoke`, { reason });
    await plane.controlPlane.tick();
    expect([await launch(), await assigned()]).toEqual([403, []]);
    expect(await sessions()).toMatchObject([{ state: "ended", endReason: "access_revoked" }]);
  });

  it("are seen to be assigned past access governance, by a scan for drift that can revoke it", async () => {
    await ok("POST", `/api/v1/saml-apps/${app.id}/assignments`, {
      ...{ subjectType: "ai_identity", subjectId: agent.userId },
    });
    await newSignOn(scene, agent, app);
    plane.clock.advance(1_000);
    await ok("POST", `${target()}/drift-scan`);
    await plane.controlPlane.tick();
    const path = `/api/v1/access-drift?connectorInstanceId=${connectorInstanceId}&assetId=${decided.assetId}`;
    const [drift] = (await ok("GET", path)).items;
    expect(drift).toMatchObject({ kind: "unmanaged_in_target", status: "open", resourceId: decided.resourceId });
    await ok("POST", `/api/v1/access-drift/${drift.id}/repair`, { action: "revoke", reason });
    await plane.controlPlane.tick();
    expect(await assigned()).toEqual([]);
    expect(await sessions()).toMatchObject([{ state: "ended", endReason: "access_revoked" }]);
  });

  it("are taken away with their sessions when access is revoked, and are told", async () => {
    const id = await granted();
    await newSignOn(scene, agent, app);
    provider.confirms(scene, app);
    await ok("POST", `/api/v1/access-assignments/${id}/revoke`, { reason });
    await plane.controlPlane.tick();
    expect((await ok("GET", `/api/v1/access-assignments/${id}`)).status).toBe("revoked");
    expect(await assigned()).toEqual([]);
    expect(await launch()).toBe(403);
    await plane.controlPlane.tick();
    expect(await sessions()).toMatchObject([{ endReason: "access_revoked", confirmed: true, residualAccess: "none" }]);
  });

  it("are taken away when the time of access is over", async () => {
    await granted();
    await newSignOn(scene, agent, app);
    plane.clock.advance(3_600_000);
    await plane.controlPlane.tick();
    expect(await assigned()).toEqual([]);
    expect(await sessions()).toMatchObject([{ state: "ended", endReason: "access_revoked" }]);
  });

  it("are taken away when a certification says so", async () => {
    const id = await granted({ duration: "P20D" });
    await newSignOn(scene, agent, app);
    const reviewer = await scene.newUser(["governance_officer"]);
    const stages = [{ reviewer: "users", userIds: [reviewer.userId] }];
    const body = {
      scope: { assetIds: [decided.assetId] },
      stages,
      remediation: { mode: "immediate", undoWindow: "PT1H" },
    };
    const campaign = await ok("POST", "/api/v1/access-certifications", body);
    await plane.controlPlane.tick();
    const [item] = (await ok("GET", "/api/v1/access-certification-items", undefined, reviewer)).items;
    expect(item.assignmentId).toBe(id);
    const path = `/api/v1/access-certifications/${campaign.id}/items/${item.id}/review`;
    const decision = { decision: "revoke", reason, expectedSnapshotVersion: item.snapshotVersion };
    await ok("POST", path, decision, reviewer);
    plane.clock.advance(3_600_000);
    await plane.controlPlane.tick();
    await plane.controlPlane.tick();
    expect(await assigned()).toEqual([]);
    expect((await ok("GET", `/api/v1/access-assignments/${id}`)).endReason).toBe("certification");
    expect(await sessions()).toMatchObject([{ state: "ended", endReason: "access_revoked" }]);
  });

  it("are never assigned to somebody of another tenant", async () => {
    const principal = { type: "user", externalId: other.owner.userId };
    const path = `/api/v1/ai-assets/${decided.assetId}/access-identities`;
    const identity = await ok("POST", path, { connectorInstanceId, principal });
    const id = await granted({ identityId: identity.id });
    expect(await ok("GET", `/api/v1/access-assignments/${id}`)).toMatchObject({ failure: { errorClass: "not_found" } });
    expect(await assigned()).toEqual([]);
  });

  it("are seen to be gone when somebody takes them away there", async () => {
    const id = await granted();
    const [one] = await assigned();
    await plane.send("DELETE", `/api/v1/saml-apps/${app.id}/assignments/${one.id}`, { token: scene.owner.token });
    const seen = await ok("POST", `/api/v1/access-assignments/${id}/verify`);
    expect(seen).toMatchObject({ targetState: "absent" });
  });
});

describe("the connector", () => {
  it("belongs to one control plane", () => {
    const connectors = [signOnConnector()];
    createPlane({ connectors });
    expect(() => createPlane({ connectors })).toThrow("make one for each");
  });
});
