import { type Actor, newApproval, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { findingsOf, REASON } from "../../helpers/findings.js";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const FLAGGED = "/api/v1/ai-governance/flagged-decisions";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const send = (method: string, path: string, body: object | undefined, { token }: Pick<Actor, "token">) =>
  world.send(method, path, { token, ...(body ? { body } : {}) });
const govern = (id: string, status: string, who: Pick<Actor, "token">, more: object = {}) =>
  send("PATCH", `${ASSETS}/${id}/governance-state`, { status, reason: REASON, ...more }, who);
const refused = { status: 403, json: { code: "self_approval_forbidden" } };
const settle = (relatedParty: string) => send("PATCH", "/api/v1/tenant/settings", { relatedParty }, world.a.owner);
const flagged = async (query = "?open=true") =>
  (await send("GET", `${FLAGGED}${query}`, undefined, world.a.owner)).json.items;

/** A user who was invited by the owner, and has set the password alone. */
async function invited(role: string): Promise<Actor> {
  const userId = await world.a.newInvited();
  const { address: username, secret } = world.a.mailed as { address: string; secret: string };
  await send("PATCH", `/api/v1/users/${userId}`, { roles: [role] }, world.a.owner);
  const password = `the pass phrase of ${world.a.unique()} 1`;
  await world.send("POST", "/api/v1/auth/set-password", { body: { token: secret, newPassword: password } });
  return world.a.signIn(userId, { username, password });
}

/** A token of a machine that this person made, with credentials from another. */
async function machineOf(maker: Actor, issuer: Actor, scopes: readonly string[]) {
  const id = await world.a.newIdentity({ scopes }, maker);
  const { clientSecret } = await world.a.newCredential(id, {}, issuer);
  const body = { grant_type: "client_credentials", client_id: id, client_secret: clientSecret };
  return { id, token: (await world.send("POST", "/api/v1/auth/token", { body })).json.access_token as string };
}

describe("S3 the four-eyes approver", () => {
  it("is not a second account with a password that the first has given it", async () => {
    const { admin } = world.a.actors;
    const body = { username: "second@example.test", password: "known to the first one as well", roles: ["approver"] };
    const { json } = await send("POST", "/api/v1/users", body, admin);
    const second = await world.a.signIn(json.id, body);
    const id = await world.a.newAsset({}, world.a.actors.operator);
    await govern(id, "under_review", admin);
    await settle("refuse");
    const answer = await govern(id, "approved", second);
    expect(answer).toMatchObject({ status: 403, json: { code: "related_party_forbidden" } });
    expect(answer.json.detail).toContain(`${second.userId} was created by ${admin.userId}`);
    await settle("flag");
    expect((await govern(id, "approved", second)).json).toMatchObject({
      governanceState: "approved",
      relatedParty: true,
    });
  });

  it("is nobody whose machine has asked", async () => {
    const { admin } = world.a.actors;
    const scopes = ["ai-governance:review", "ai-asset:read"];
    const id = await world.a.newAsset({}, world.a.actors.operator);
    expect((await govern(id, "under_review", await machineOf(admin, world.a.owner, scopes))).status).toBe(200);
    expect(await govern(id, "approved", admin)).toMatchObject(refused);
    expect(await govern(id, "approved", world.a.owner)).toMatchObject(refused);
  });

  it("is nobody whose machine has asked, when the machine is gone", async () => {
    const { admin, operator } = world.a.actors;
    const id = await world.a.newAsset({}, operator);
    const machine = await machineOf(admin, world.a.owner, ["ai-governance:review"]);
    await govern(id, "under_review", machine);
    expect((await send("DELETE", `/api/v1/ai/identities/${machine.id}`, undefined, world.a.owner)).status).toBe(204);
    expect(await govern(id, "approved", admin)).toMatchObject(refused);
  });

  it("is no owner who is named by address", async () => {
    const { approver, operator } = world.a.actors;
    const owner = { type: "user", id: approver.username.toUpperCase() };
    const id = await world.a.newAsset({ owner }, operator);
    expect((await send("GET", `${ASSETS}/${id}`, undefined, operator)).json.owner.id).toBe(approver.userId);
    await govern(id, "under_review", operator);
    expect(await govern(id, "approved", approver)).toMatchObject(refused);
  });

  it("is nobody whose machine waits for the approval", async () => {
    const { admin } = world.a.actors;
    const machine = await machineOf(admin, world.a.owner, ["ai-decision:evaluate"]);
    const id = await newApproval(world.a, { ...admin, token: machine.token });
    const approve = (who: Actor) =>
      send("PATCH", `/api/v1/ai-governance/approvals/${id}/approve`, { reason: REASON }, who);
    expect(await approve(admin)).toMatchObject(refused);
    expect(await approve(world.a.owner)).toMatchObject(refused);
    expect((await approve(world.a.actors.approver)).json).toMatchObject({ status: "approved", relatedParty: true });
  });

  it("is nobody who owns the asset that an exemption is about", async () => {
    const at = findingsOf(world);
    const { approver, admin } = world.a.actors;
    const assetId = await world.a.newAsset({ owner: { type: "user", id: approver.userId } });
    const { fingerprint } = await at.found({}, assetId);
    const { id } = await at.requested({ scope: { fingerprint } });
    expect(await at.approve(id, approver)).toMatchObject(refused);
    expect((await at.approve(id, admin)).json).toMatchObject({
      status: "approved",
      relatedParty: true,
    });
  });

  it("is nobody who has changed what is approved, or has owned it since", async () => {
    const { admin, approver, operator, governance_officer: officer } = world.a.actors;
    const id = await world.a.newAsset({ owner: { type: "user", id: officer.userId } }, operator);
    await send("PUT", `${ASSETS}/${id}`, { purpose: "something else" }, admin);
    await send("PUT", `${ASSETS}/${id}`, { owner: { type: "user", id: operator.userId } }, world.a.owner);
    await send("PUT", `${ASSETS}/${id}`, { labels: { seen: "yes" } }, approver);
    await govern(id, "under_review", operator);
    for (const who of [admin, officer, world.a.owner]) expect(await govern(id, "approved", who)).toMatchObject(refused);
    const { json } = await govern(id, "approved", approver);
    expect(json).toMatchObject({ governanceState: "approved", involved: { ids: [], beyond: 0 } });
  });

  it("is somebody who was invited as others were, and is not flagged then", async () => {
    const [asker, decider] = [await invited("operator"), await invited("approver")];
    const id = await world.a.newAsset({}, asker);
    await govern(id, "under_review", asker);
    expect((await govern(id, "approved", decider)).json).toMatchObject({
      governanceState: "approved",
      relatedParty: false,
    });
    expect(await flagged("")).toEqual([]);
  });
});

describe("a decision by a related party", () => {
  it("is listed with its event and an attention item, until somebody unrelated decides again", async () => {
    const { approver } = world.a.actors;
    const asker = await invited("operator");
    const id = await world.a.newAsset({}, asker);
    await govern(id, "under_review", world.a.owner);
    expect((await govern(id, "approved", approver)).json.relatedParty).toBe(true);
    const [entry, ...more] = await flagged();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ subject: { id, type: "ai_asset" }, decidedBy: approver.userId, settledAt: null });
    expect(entry.relation).toContain(world.a.owner.userId);
    const { items } = (await send("GET", `${ASSETS}/${id}/activity`, undefined, world.a.owner)).json;
    const warned = items.filter(({ type }: { type: string }) => type === "reeve.decision.related_party.v1");
    expect(warned).toMatchObject([{ severitytext: "WARN", data: { relation: entry.relation } }]);
    const attention = async () =>
      (await send("GET", "/api/v1/ai/overview?size=100", undefined, world.a.owner)).json.attention.items.filter(
        ({ kind }: { kind: string }) => kind === "decisions_by_related",
      );
    expect(await attention()).toMatchObject([{ count: 1, href: `${FLAGGED}?open=true` }]);
    expect((await send("GET", FLAGGED, undefined, world.b.owner)).json.items).toEqual([]);

    await govern(id, "under_review", asker);
    expect((await govern(id, "approved", await invited("approver"))).json.relatedParty).toBe(false);
    expect([await flagged(), await attention()]).toEqual([[], []]);
  });
});

describe("S6 what was suspended", () => {
  const approved = async (more: Readonly<Record<string, unknown>> = {}) => {
    const id = await world.a.newAsset(more, world.a.actors.operator);
    await govern(id, "under_review", world.a.actors.operator);
    await govern(id, "approved", world.a.actors.approver);
    return id;
  };
  const asset = async (id: string) => (await send("GET", `${ASSETS}/${id}`, undefined, world.a.owner)).json;

  it("is reinstated by another than who suspended it", async () => {
    const { governance_officer: officer, approver } = world.a.actors;
    const id = await approved();
    await govern(id, "suspended", officer);
    expect(await govern(id, "approved", officer)).toMatchObject(refused);
    expect((await govern(id, "approved", approver)).json.governanceState).toBe("approved");
  });

  it("is reviewed again after a material change, through either door", async () => {
    const { governance_officer: officer, approver, operator } = world.a.actors;
    const ids = [await approved({ autonomy: "assistive" }), await approved({ assetType: "agent" })];
    for (const id of ids) await govern(id, "suspended", officer);
    await send("PUT", `${ASSETS}/${ids[0]}`, { autonomy: "autonomous" }, operator);
    const { record } = await asset(ids[1] as string);
    await send("PUT", record.path, { autonomy: "autonomous" }, operator);
    for (const id of ids) {
      expect((await asset(id)).priorGovernanceState).toBeNull();
      expect((await govern(id, "approved", approver)).json.code).toBe("transition_guard_failed");
    }
  });
});

describe("S19 what is approved", () => {
  it("is what was seen, where it has changed since the review was asked for", async () => {
    const { approver, operator } = world.a.actors;
    const id = await world.a.newAsset({}, operator);
    const { version: seen } = (await govern(id, "under_review", operator)).json;
    const { json: changed } = await send("PUT", `${ASSETS}/${id}`, { environment: "production" }, operator);
    expect(changed.changedInReview).toBe(true);
    expect(await govern(id, "approved", approver)).toMatchObject({ status: 428 });
    const approve = (version: number) =>
      world.send("PATCH", `${ASSETS}/${id}/governance-state`, {
        token: approver.token,
        body: { status: "approved", reason: REASON },
        headers: { "if-match": `"${version}"` },
      });
    expect((await approve(seen)).status).toBe(412);
    expect((await approve(changed.version)).json).toMatchObject({
      governanceState: "approved",
      changedInReview: false,
    });
  });

  it("counts changes of its record", async () => {
    const { approver, operator } = world.a.actors;
    const id = await world.a.newAsset({ assetType: "identity" }, operator);
    const { record, version } = (await govern(id, "under_review", operator)).json;
    await send("PUT", record.path, { scopes: ["ai-asset:read"] }, world.a.owner);
    const { json } = await send("GET", `${ASSETS}/${id}`, undefined, operator);
    expect(json).toMatchObject({ changedInReview: true });
    expect(json.version).toBeGreaterThan(version);
    expect(json.involved.ids).toContain(world.a.owner.userId);
    expect((await govern(id, "approved", approver)).status).toBe(428);
  });

  it("cannot be relabelled out of production by who may only write", async () => {
    const { member, operator } = world.a.actors;
    const id = await world.a.newAsset({ environment: "production" }, member);
    const relabel = (who: Actor) => send("PUT", `${ASSETS}/${id}`, { environment: "development" }, who);
    expect(await relabel(member)).toMatchObject({ status: 403, json: { code: "permission_denied" } });
    expect((await relabel(operator)).json.environment).toBe("development");
  });
});

describe("S7 the trust mode auto_accept", () => {
  it("takes the permission to approve tools, of a person", async () => {
    const body = { url: "https://mcp.example.com/", trustMode: "auto_accept" };
    const path = "/api/v1/ai/mcp-servers";
    expect(await send("POST", path, body, world.a.actors.operator)).toMatchObject({
      status: 403,
      json: { code: "permission_denied", permission: "ai-tool:approve" },
    });
    const { json } = await send("POST", path, { ...body, trustMode: "baseline" }, world.a.actors.operator);
    const loosen = (who: Pick<Actor, "token">) => send("PUT", `${path}/${json.id}`, { trustMode: "auto_accept" }, who);
    expect((await loosen(world.a.actors.operator)).status).toBe(403);
    expect((await loosen(world.a.owner)).json.trustMode).toBe("auto_accept");
  });

  it("takes another person than who registered, changed or owns the server", async () => {
    const path = "/api/v1/ai/mcp-servers";
    const { admin, operator } = world.a.actors;
    const url = "https://mcp.example.com/";
    const create = (more: object, who: Pick<Actor, "token">) => send("POST", path, { url, ...more }, who);
    expect(await create({ trustMode: "auto_accept" }, world.a.owner)).toMatchObject(refused);
    const { id } = (await create({}, world.a.owner)).json;
    const put = (body: object, who: Pick<Actor, "token">) => send("PUT", `${path}/${id}`, body, who);
    expect(await put({ trustMode: "auto_accept" }, world.a.owner)).toMatchObject(refused);
    expect(await put({ trustMode: "auto_accept", registryName: "com.example/a" }, admin)).toMatchObject(refused);
    expect((await put({ trustMode: "auto_accept" }, admin)).json.trustMode).toBe("auto_accept");
    expect((await put({ trustMode: "strict" }, operator)).json.trustMode).toBe("strict");
    const owned = (await create({ owner: { type: "user", id: admin.userId } }, operator)).json;
    const own = await send("PUT", `${path}/${owned.id}`, { trustMode: "auto_accept" }, admin);
    expect(own).toMatchObject(refused);
  });

  it("ends with the address that was trusted", async () => {
    const path = "/api/v1/ai/mcp-servers";
    const { operator } = world.a.actors;
    const { id } = (await send("POST", path, { url: "https://mcp.example.com/" }, operator)).json;
    const put = (body: object, who: Pick<Actor, "token">) => send("PUT", `${path}/${id}`, body, who);
    await put({ trustMode: "auto_accept" }, world.a.owner);
    expect((await put({ description: "Files." }, operator)).json.trustMode).toBe("auto_accept");
    expect((await put({ url: "https://other.example.com/" }, operator)).json.trustMode).toBe("baseline");
  });
});
