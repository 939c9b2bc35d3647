import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { eventTypes, recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const IDENTITIES = "/api/v1/ai/identities";
const REASON = "a reason of more than ten characters";
const NOWHERE = "ast_7ZZZZZZZZZZZZZZZZZZZZZZZZZ";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const send = (method: string, path: string, body?: object, token = world.a.owner.token) =>
  world.send(method, path, { token, body });
const identity = async (id: string) => (await send("GET", `${IDENTITIES}/${id}`)).json;
const asset = async (id: string) => (await send("GET", `${ASSETS}/${id}`)).json;
const put = (id: string, body: object) => send("PUT", `${IDENTITIES}/${id}`, body);
const govern = (assetId: string, status: string, token?: string) =>
  send("PATCH", `${ASSETS}/${assetId}/governance-state`, { status, reason: REASON }, token);
const live = (assetId: string, status: string) =>
  send("PATCH", `${ASSETS}/${assetId}/lifecycle`, { status, reason: REASON });
const before = async () => (await eventTypes(world.a)).length;

describe("an identity and its asset", () => {
  it("are made together from the identity's side, and share what the asset says", async () => {
    const count = await before();
    const owner = { type: "external", id: "usr_1", name: "usr_1" };
    const shared = { name: "n", description: "d", provider: "p", environment: "staging", owner, sponsor: null };
    const { json } = await send("POST", IDENTITIES, {
      ...shared,
      kind: "workload",
      configuration: { privileged: true },
    });
    expect(json).toMatchObject({ ...shared, kind: "workload", privileged: true, status: "active", blockedBy: null });
    expect(await asset(json.assetId)).toMatchObject({
      ...shared,
      assetType: "identity",
      governanceState: "unreviewed",
    });
    expect(await eventTypes(world.a, count)).toEqual(["asset.created", "identity.created"]);
  });

  it("are made together from the asset's side, with the identity's defaults", async () => {
    const { json } = await send("POST", ASSETS, { assetType: "identity", name: "from the asset" });
    const { items } = (await send("GET", IDENTITIES)).json;
    expect(items[0]).toMatchObject({ name: "from the asset", assetId: json.id, kind: "service_principal", scopes: [] });
  });

  it("have one activity", async () => {
    const id = await world.a.newIdentity();
    const { assetId } = await identity(id);
    await world.a.newCredential(id);
    await put(id, { status: "disabled" });
    const types = async (path: string): Promise<string[]> =>
      (await send("GET", path)).json.items.map(({ type }: { type: string }) => type.replace(/^reeve\.|\.v1$/g, ""));
    const ofIdentity = ["status.changed", "credential_issued", "updated", "created"].map((verb) => `identity.${verb}`);
    for (const path of [`${ASSETS}/${assetId}/activity`, `/api/v1/ai/activity/${assetId}`, `/api/v1/ai/activity/${id}`])
      expect(await types(path)).toEqual([...ofIdentity, "asset.created"]);
  });

  it("are both named when nobody names them", async () => {
    const { json } = await send("POST", IDENTITIES);
    expect(json.name).toMatch(/^identity /);
    expect((await asset(json.assetId)).name).toBe(json.name);
  });

  it("show one change on both sides, once", async () => {
    const id = await world.a.newIdentity();
    const { assetId } = await identity(id);
    let count = await before();
    expect((await put(id, { name: "by identity", sponsor: null, blueprintRef: "b" })).json.version).toBe(2);
    expect(await asset(assetId)).toMatchObject({ name: "by identity", sponsor: null, version: 2 });
    expect(await eventTypes(world.a, count)).toEqual(["identity.updated", "asset.updated"]);
    count = await before();
    await send("PUT", `${ASSETS}/${assetId}`, { name: "by asset", environment: "production" });
    expect(await identity(id)).toMatchObject({ name: "by asset", environment: "production", version: 3 });
    expect(await eventTypes(world.a, count)).toEqual(["asset.updated", "identity.updated"]);
    await send("PUT", `${ASSETS}/${assetId}`, { purpose: "of the asset alone" });
    expect((await identity(id)).version).toBe(3);
  });

  it("write nothing when the record is sent back as it was read", async () => {
    const id = await world.a.newIdentity();
    const read = await send("GET", `${IDENTITIES}/${id}`);
    const records = await recordsOf(world.a);
    expect((await put(id, read.json)).text).toBe(read.text);
    expect(await recordsOf(world.a)).toEqual(records);
    for (const name of ["assetId", "blockedBy", "id"])
      expect((await put(id, { [name]: "other" })).json.code).toBe("read_only_property");
  });

  it("go together, and not while the asset is in use", async () => {
    const id = await world.a.newIdentity({ owner: { type: "external", id: "someone", name: "someone" } });
    const { assetId } = await identity(id);
    await govern(assetId, "under_review");
    await govern(assetId, "approved", world.a.actors.approver.token);
    for (const status of ["validation", "production"]) expect((await live(assetId, status)).status).toBe(200);
    for (const path of [`${IDENTITIES}/${id}`, `${ASSETS}/${assetId}`])
      expect((await send("DELETE", path)).json.code).toBe("in_use");
    await live(assetId, "retired");
    const count = await before();
    expect((await send("DELETE", `${IDENTITIES}/${id}`)).status).toBe(204);
    expect(await eventTypes(world.a, count)).toEqual(["asset.deleted", "identity.deleted"]);
    for (const path of [`${IDENTITIES}/${id}`, `${ASSETS}/${assetId}`])
      expect((await send("GET", path)).status).toBe(404);
  });

  it("cannot be parted by another type", async () => {
    const { assetId } = await identity(await world.a.newIdentity());
    const other = await world.a.newAsset({ assetType: "other" });
    for (const [id, assetType] of [
      [assetId, "other"],
      [other, "identity"],
    ]) {
      const { json } = await send("PUT", `${ASSETS}/${id}`, { assetType });
      expect(json).toMatchObject({ code: "read_only_property", errors: [{ pointer: "/assetType" }] });
    }
    expect((await send("PUT", `${ASSETS}/${other}`, { assetType: "dataset" })).status).toBe(200);
  });

  it("leave neither when the one cannot be stored", async () => {
    const records = await recordsOf(world.a);
    const taken = records.ai_identities?.map((text) => JSON.parse(text))[0];
    const { json } = await send("POST", IDENTITIES, { issuer: taken.issuer, subject: taken.subject });
    expect(json).toMatchObject({ code: "already_exists", key: "subject" });
    expect(await recordsOf(world.a)).toEqual(records);
    expect((await send("POST", IDENTITIES, { issuer: taken.issuer })).status).toBe(201);
    expect((await send("POST", IDENTITIES, { issuer: taken.issuer })).status).toBe(201);
  });
});

describe("what happens to the asset", () => {
  it("reaches the identity: suspension blocks it and reinstatement frees it", async () => {
    const id = await world.a.newIdentity();
    const { assetId } = await identity(id);
    await govern(assetId, "suspended");
    expect(await identity(id)).toMatchObject({ status: "active", blockedBy: "governance_state:suspended" });
    await govern(assetId, "unreviewed", world.a.actors.approver.token);
    expect(await identity(id)).toMatchObject({ status: "active", blockedBy: null });
    await govern(assetId, "under_review");
    await govern(assetId, "rejected", world.a.actors.approver.token);
    expect((await identity(id)).blockedBy).toBe("governance_state:rejected");
  });

  it("reaches the identity: retirement disables it, and restoring does not enable it", async () => {
    const id = await world.a.newIdentity();
    const { assetId } = await identity(id);
    const count = await before();
    await live(assetId, "retired");
    expect(await identity(id)).toMatchObject({ status: "disabled", blockedBy: "lifecycle:retired" });
    expect(await eventTypes(world.a, count)).toEqual([
      "asset.lifecycle.changed",
      "identity.updated",
      "identity.status.changed",
    ]);
    const refused = await put(id, { status: "active" });
    expect(refused.json).toMatchObject({ code: "transition_guard_failed" });
    await live(assetId, "registered");
    expect(await identity(id)).toMatchObject({ status: "disabled", blockedBy: null });
    expect((await put(id, { status: "active" })).json.status).toBe("active");
  });

  it("leaves a revoked identity revoked", async () => {
    const id = await world.a.newIdentity();
    expect((await put(id, { status: "revoked", reason: REASON })).json.status).toBe("revoked");
    await live((await identity(id)).assetId, "retired");
    expect((await identity(id)).status).toBe("revoked");
    expect((await put(id, { status: "active" })).json.code).toBe("invalid_transition");
  });

  it("follows more scopes: an approved asset goes back to review", async () => {
    const id = await world.a.newIdentity();
    const { assetId } = await identity(id);
    await govern(assetId, "under_review");
    await govern(assetId, "approved", world.a.actors.approver.token);
    await put(id, { scopes: [] });
    expect((await asset(assetId)).governanceState).toBe("approved");
    await put(id, { scopes: ["ai-activity:read"] });
    expect(await asset(assetId)).toMatchObject({ governanceState: "under_review", requestedBy: world.a.owner.userId });
  });
});

describe("time", () => {
  it("expires an identity at once for readers, and in the store by the next tick", async () => {
    const credentialExpiresAt = new Date(world.clock.now() + 60_000).toISOString();
    const id = await world.a.newIdentity({ credentialExpiresAt });
    world.clock.advance(59_999);
    expect((await identity(id)).status).toBe("active");
    world.clock.advance(1);
    expect(await identity(id)).toMatchObject({ status: "expired", version: 1 });
    const count = await before();
    await world.controlPlane.tick();
    expect(await identity(id)).toMatchObject({ status: "expired", version: 2 });
    expect(await eventTypes(world.a, count)).toEqual(["identity.status.changed"]);
    expect((await put(id, { status: "active" })).json.code).toBe("transition_guard_failed");
    const later = new Date(world.clock.now() + 1).toISOString();
    expect((await put(id, { status: "active", credentialExpiresAt: later })).json.status).toBe("active");
  });
});

describe("bodies", () => {
  it.each([
    ["an unknown scope", { scopes: ["ai-asset:read", "nothing:read"] }, "/scopes/1"],
    ["a scope of people", { scopes: ["ai-governance:approve"] }, "/scopes/0"],
    ["a scope twice", { scopes: ["ai-asset:read", "ai-asset:read"] }, "/scopes"],
    ["an inherited name as a scope", { scopes: ["constructor"] }, "/scopes/0"],
    ["an unknown kind", { kind: "robot" }, "/kind"],
    [
      "a secret in the configuration",
      { configuration: { deep: { client_secret: "x" } } },
      "/configuration/deep/client_secret",
    ],
    ["a secret beside the fields", { apiKey: "x" }, "/apiKey"],
    ["a secret in the metadata", { metadata: { "private-key": "x" } }, "/metadata/private-key"],
    ["a moment that is none", { credentialExpiresAt: "soon" }, "/credentialExpiresAt"],
  ])("with %s are refused, and nothing is written", async (_what, body, pointer) => {
    const id = await world.a.newIdentity();
    const records = await recordsOf(world.a);
    for (const answer of [await send("POST", IDENTITIES, body), await put(id, body)])
      expect(answer.json).toMatchObject({ status: 400, errors: [{ pointer }] });
    expect(await recordsOf(world.a)).toEqual(records);
  });

  it("give no scope that the caller does not hold", async () => {
    const { token } = world.a.actors.operator;
    const more = { scopes: ["user:read"] };
    const refused = await send("POST", IDENTITIES, more, token);
    expect([refused.status, refused.json.permission]).toEqual([403, "user:read"]);
    const id = await world.a.newIdentity(more);
    expect((await send("PUT", `${IDENTITIES}/${id}`, { scopes: ["user:read", "ai-asset:read"] }, token)).status).toBe(
      200,
    );
    expect((await send("PUT", `${IDENTITIES}/${id}`, { scopes: [] }, token)).status).toBe(200);
    expect((await send("PUT", `${IDENTITIES}/${id}`, more, token)).status).toBe(403);
  });

  it("name only agents of this tenant, and say the same of all others", async () => {
    const agent = await world.a.newAsset({ assetType: "agent" });
    const wrong = [
      NOWHERE,
      await world.b.newAsset({ assetType: "agent" }),
      await world.a.newAsset({ assetType: "tool" }),
      "x",
    ];
    const answers = [];
    for (const id of wrong) answers.push(await send("POST", IDENTITIES, { agentIds: [agent, id] }));
    for (const { json } of answers) {
      const { requestId: _own, ...rest } = json;
      expect(rest).toMatchObject({ code: "invalid_reference", errors: [{ pointer: "/agentIds/1" }] });
      const { requestId: _first, ...first } = answers[0]?.json ?? {};
      expect(rest).toEqual(first);
    }
  });
});

describe("S2 who may act as an identity", () => {
  const ISSUER = "https://issuer.test";
  const CHANGES: [string, object][] = [
    ["issuer", { issuer: ISSUER }],
    ["subject", { subject: "their own workload" }],
    ["kind", { kind: "workload" }],
    ["credentialExpiresAt", { credentialExpiresAt: "2099-01-01T00:00:00Z" }],
  ];
  const registrar = { description: "Registers identities", permissions: ["ai-identity:read", "ai-identity:write"] };
  const tokenOf = async (scopes: string[]) => {
    const { clientId, clientSecret } = await world.a.newCredential(await world.a.newIdentity({ scopes }));
    const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    return (await world.send("POST", "/api/v1/auth/token", { body })).json.access_token as string;
  };

  it.each(CHANGES)("is not changed by who holds not every scope of it: %s", async (_field, change) => {
    const id = await world.a.newIdentity({ kind: "oauth_client", scopes: ["ai-asset:read", "user:read"] });
    const records = await recordsOf(world.a);
    const refused = await send("PUT", `${IDENTITIES}/${id}`, change, world.a.actors.operator.token);
    expect([refused.status, refused.json.permission]).toEqual([403, "user:read"]);
    expect(await recordsOf(world.a)).toEqual(records);
    expect((await put(id, change)).status).toBe(200);
  });

  it.each(CHANGES)("is not changed without the permission for credentials: %s", async (_field, change) => {
    world = await createWorld({ roles: { registrar } });
    const scopes = ["ai-identity:read"];
    const id = await world.a.newIdentity({ kind: "oauth_client", scopes });
    const { token } = await world.a.newUser(["registrar"]);
    for (const caller of [token, await tokenOf(["ai-identity:read", "ai-identity:write"])]) {
      const refused = await send("PUT", `${IDENTITIES}/${id}`, change, caller);
      expect([refused.status, refused.json.permission]).toEqual([403, "ai-identity:credential"]);
      expect((await send("PUT", `${IDENTITIES}/${id}`, { blueprintRef: "b", scopes }, caller)).status).toBe(200);
    }
  });

  it("is not said of a new one with scopes without the permission for credentials, nor are scopes added then", async () => {
    world = await createWorld({ roles: { registrar } });
    const scopes = ["ai-identity:read"];
    const { token } = await world.a.newUser(["registrar"]);
    for (const caller of [token, await tokenOf(["ai-identity:read", "ai-identity:write"])]) {
      const borne = { kind: "workload", issuer: ISSUER, subject: world.a.unique() };
      const records = await recordsOf(world.a);
      const refused = await send("POST", IDENTITIES, { ...borne, scopes }, caller);
      expect([refused.status, refused.json.permission]).toEqual([403, "ai-identity:credential"]);
      expect(await recordsOf(world.a)).toEqual(records);
      const idle = await send("POST", IDENTITIES, borne, caller);
      expect(idle.status, idle.text).toBe(201);
      const added = await send("PUT", `${IDENTITIES}/${idle.json.id}`, { scopes }, caller);
      expect([added.status, added.json.permission]).toEqual([403, "ai-identity:credential"]);
      expect((await send("POST", IDENTITIES, { kind: "workload", scopes }, caller)).status).toBe(201);
    }
  });

  it("is not changed together with fewer scopes than would still be too many", async () => {
    const id = await world.a.newIdentity({ scopes: ["ai-asset:read", "user:read"] });
    const change = { subject: "their own workload", scopes: ["user:read"] };
    const refused = await send("PUT", `${IDENTITIES}/${id}`, change, world.a.actors.operator.token);
    expect(refused.json.permission).toBe("user:read");
  });

  it("is said again by anybody, and of an identity that may do nothing here by who writes it", async () => {
    const id = await world.a.newIdentity({ scopes: ["user:read"] });
    const { issuer, subject, kind, credentialExpiresAt } = await identity(id);
    const same = { issuer, subject, kind, credentialExpiresAt };
    const { token } = world.a.actors.operator;
    expect((await send("PUT", `${IDENTITIES}/${id}`, same, token)).status).toBe(200);
    const machine = await tokenOf(["ai-identity:write"]);
    const idle = await world.a.newIdentity({ scopes: [] });
    expect((await send("PUT", `${IDENTITIES}/${idle}`, { subject: "another" }, machine)).status).toBe(200);
  });
});

describe("S18 the door of assets", () => {
  const wanting = { registrar: { description: "", permissions: ["ai-asset:write", "ai-asset:delete"] } };

  it.each([
    ["identity", "ai-identity"],
    ["mcp_server", "mcp-server"],
    ["agent", "ai-agent"],
    ["tool", "ai-tool"],
    ["model", "ai-model"],
  ])("makes and deletes no %s for who may not by its own door", async (assetType, permission) => {
    world = await createWorld({ roles: wanting });
    const { token } = await world.a.newUser(["registrar"]);
    const id = await world.a.newAsset({ assetType });
    const records = await recordsOf(world.a);
    const item = { assetType, externalRef: { id: "x" } };
    const made = await send("POST", ASSETS, { assetType }, token);
    expect([made.status, made.json.permission]).toEqual([403, `${permission}:write`]);
    const { items } = (await send("POST", `${ASSETS}/import`, { items: [item] }, token)).json;
    expect(items[0]).toMatchObject({ outcome: "failed", problem: { code: "permission_denied" } });
    const deleted = await send("DELETE", `${ASSETS}/${id}`, undefined, token);
    expect([deleted.status, deleted.json.permission]).toEqual([403, `${permission}:delete`]);
    expect(await recordsOf(world.a)).toEqual(records);
    expect((await send("POST", ASSETS, { assetType: "dataset" }, token)).status).toBe(201);
  });

  it("makes and deletes no identity without its capability", async () => {
    const id = await world.a.newAsset({ assetType: "identity" });
    const entitlement = "capability/identity_foundation";
    await world.send("POST", `/api/v1/support/tenants/${world.a.tenantId}/entitlements/${entitlement}`, {
      token: world.provider.owner.token,
      body: { status: "revoked", reason: REASON },
    });
    for (const answer of [
      await send("POST", ASSETS, { assetType: "identity" }),
      await send("DELETE", `${ASSETS}/${id}`),
    ])
      expect(answer.json).toMatchObject({ code: "capability_not_licensed", capability: "identity_foundation" });
    expect((await send("POST", ASSETS, { assetType: "dataset" })).status).toBe(201);
  });
});

describe("relations", () => {
  const relations = async (id: string, direction = "outgoing") =>
    (await send("GET", `${ASSETS}/${id}/relations?direction=${direction}`)).json.items;

  it("are found from both ends, and say when an end is gone", async () => {
    const model = await world.a.newAsset({ assetType: "model", name: "m" });
    const agent = await world.a.newAsset({
      assetType: "agent",
      name: "a",
      relations: [{ type: "uses", targetId: model }],
    });
    const { assetId } = await identity(await world.a.newIdentity({ name: "i", agentIds: [agent] }));
    const uses = { type: "uses", sourceId: agent, targetId: model, declaredBy: agent };
    const runsAs = { type: "runs_as", sourceId: agent, targetId: assetId };
    expect(await relations(agent)).toMatchObject([
      { ...runsAs, name: "i", dangling: false },
      { ...uses, name: "m", dangling: false },
    ]);
    expect(await relations(model, "incoming")).toEqual([{ ...uses, name: "a", dangling: false }]);
    await send("DELETE", `${ASSETS}/${model}?force=true&reason=${encodeURIComponent(REASON)}`);
    expect(await relations(agent)).toMatchObject([runsAs, { ...uses, name: null, dangling: true }]);
    await send("DELETE", `${ASSETS}/${agent}`);
    expect(await relations(assetId, "incoming")).toMatchObject([{ ...runsAs, name: null, dangling: true }]);
  });

  it("keep a lost agent until it is taken off", async () => {
    const agent = await world.a.newAsset({ assetType: "agent" });
    const id = await world.a.newIdentity({ agentIds: [agent] });
    await send("DELETE", `${ASSETS}/${agent}`);
    expect((await put(id, { agentIds: [agent], description: "other" })).json.agentIds).toEqual([agent]);
    expect((await put(id, { agentIds: [] })).json.agentIds).toEqual([]);
    expect((await put(id, { agentIds: [agent] })).json.code).toBe("invalid_reference");
  });

  it("follow what an asset says, and another tenant's id leads nowhere", async () => {
    const foreign = await world.b.newAsset({ name: world.b.sentinel });
    const [one, two] = [await world.a.newAsset(), await world.a.newAsset()];
    const id = await world.a.newAsset({ relations: [one, foreign].map((targetId) => ({ type: "uses", targetId })) });
    expect((await relations(id)).map(({ dangling }: { dangling: boolean }) => dangling).sort()).toEqual([false, true]);
    expect(
      (await world.send("GET", `${ASSETS}/${foreign}/relations?direction=incoming`, { token: world.b.owner.token }))
        .json.items,
    ).toEqual([]);
    await send("PUT", `${ASSETS}/${id}`, { relations: [{ type: "uses", targetId: two }] });
    expect(await relations(id)).toMatchObject([{ targetId: two, dangling: false }]);
    expect(await relations(one, "incoming")).toEqual([]);
    await send("DELETE", `${ASSETS}/${id}`);
    expect((await recordsOf(world.a)).asset_links).toEqual([]);
  });
});
