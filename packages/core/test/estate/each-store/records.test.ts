import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { RECORD_KINDS } from "#families/estate/index.js";
import { openSecret } from "#families/estate/mcp-servers/server-secrets.js";
import { environmentOf } from "../../helpers/environment.js";
import { eventTypes, recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const AGENTS = "/api/v1/ai/agents";
const TOOLS = "/api/v1/ai/tools";
const MODELS = "/api/v1/ai/models";
const SERVERS = "/api/v1/ai/mcp-servers";
const REASON = "a reason of more than ten characters";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const send = (method: string, path: string, body?: object, token = world.a.owner.token) =>
  world.send(method, path, { token, body });
const get = async (path: string) => (await send("GET", path)).json;
const create = async (path: string, body: object = {}) => {
  const answer = await send("POST", path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
};
const govern = (assetId: string, status: string, token?: string) =>
  send("PATCH", `${ASSETS}/${assetId}/governance-state`, { status, reason: REASON }, token);
const live = (assetId: string, status: string) =>
  send("PATCH", `${ASSETS}/${assetId}/lifecycle`, { status, reason: REASON });

const kinds = RECORD_KINDS.map((kind) => {
  const path = kind.collection.resource?.path as string;
  return { kind, path, type: kind.assetType, event: kind.collection.resource?.event as string };
});

describe.each(kinds.map((one) => [one.type, one] as const))("a record of %s", (assetType, { kind, path, event }) => {
  it("is made together with its asset, from either side", async () => {
    const before = (await eventTypes(world.a)).length;
    const record = await create(path, { name: "by record", environment: "staging" });
    expect(await eventTypes(world.a, before)).toEqual(["asset.created", `${event}.created`]);
    expect(await get(`${ASSETS}/${record.assetId}`)).toMatchObject({
      name: "by record",
      environment: "staging",
      assetType,
    });
    const asset = await create(ASSETS, { assetType, name: "by asset", provider: "p" });
    const [newest] = (await get(`${path}?size=1`)).items;
    expect(newest).toMatchObject({
      assetId: asset.id,
      name: "by asset",
      provider: "p",
      ...kind.defaults,
      ...(newest.pin ? { pin: newest.pin } : {}),
      ...("involved" in kind.defaults ? { involved: { ids: [world.a.owner.userId], beyond: 0 } } : {}),
    });
  });

  it("is unchanged by what it was read as", async () => {
    const { id } = await create(path);
    const read = await send("GET", `${path}/${id}`);
    const records = await recordsOf(world.a);
    expect((await send("PUT", `${path}/${id}`, read.json)).text).toBe(read.text);
    expect(await recordsOf(world.a)).toEqual(records);
    for (const name of kind.readOnly ?? [])
      expect((await send("PUT", `${path}/${id}`, { [name]: "other" })).json.code, name).toBe("read_only_property");
  });

  it("learns what happens to its asset, and goes with it", async () => {
    const { id, assetId } = await create(path);
    const blockedBy = async () => (await get(`${path}/${id}`)).blockedBy;
    await govern(assetId, "suspended");
    expect(await blockedBy()).toBe("governance_state:suspended");
    await govern(assetId, "unreviewed", world.a.actors.approver.token);
    expect(await blockedBy()).toBe(null);
    await govern(assetId, "under_review");
    await govern(assetId, "rejected");
    expect(await blockedBy()).toBe("governance_state:rejected");
    await govern(assetId, "under_review");
    await live(assetId, "retired");
    expect(await blockedBy()).toBe("lifecycle:retired");
    await live(assetId, "registered");
    expect(await blockedBy()).toBe("governance_state:rejected");
    await govern(assetId, "approved", world.a.actors.approver.token);
    expect(await blockedBy()).toBe(null);
    expect((await send("DELETE", `${ASSETS}/${assetId}`)).status).toBe(204);
    expect((await send("GET", `${path}/${id}`)).status).toBe(404);
  });
});

describe("the status of records that show their asset's", () => {
  it.each([MODELS, SERVERS])("is the lifecycle, and moves it: %s", async (path) => {
    const { id, assetId, status } = await create(path, { status: "development" });
    expect(status).toBe("development");
    expect((await send("PUT", `${path}/${id}`, { status: "validation" })).json.status).toBe("validation");
    expect(await get(`${ASSETS}/${assetId}`)).toMatchObject({ status: "validation", version: 3 });
    expect((await send("PUT", `${path}/${id}`, { status: "production" })).json.code).toBe("transition_guard_failed");
    await live(assetId, "development");
    expect((await get(`${path}/${id}`)).status).toBe("development");
    expect((await send("PUT", `${path}/${id}`, { status: "nonsense" })).json.code).toBe("invalid_transition");
    expect((await create(path, { status: "discovered" })).status).toBe("discovered");
  });

  it("is one word of an agent, and every word is somewhere to go", async () => {
    const { id, assetId } = await create(AGENTS);
    const put = async (status: string, token?: string) =>
      (await send("PUT", `${AGENTS}/${id}`, { status, reason: REASON }, token)).json;
    const asset = () => get(`${ASSETS}/${assetId}`);
    expect(await put("suspended")).toMatchObject({ status: "suspended", blockedBy: "governance_state:suspended" });
    expect(await put("disabled")).toMatchObject({ code: "invalid_transition", current: "suspended" });
    expect((await put("active")).code).toBe("self_approval_forbidden");
    const other = world.a.actors.admin.token;
    expect(await put("active", other)).toMatchObject({ status: "active", blockedBy: null });
    expect(await asset()).toMatchObject({ governanceState: "unreviewed" });
    await govern(assetId, "under_review");
    expect(await put("disabled")).toMatchObject({ status: "disabled" });
    expect(await asset()).toMatchObject({ governanceState: "rejected" });
    expect(await put("retired")).toMatchObject({ status: "retired" });
    expect(await put("suspended")).toMatchObject({ code: "invalid_transition", allowed: ["active"] });
    expect(await put("active")).toMatchObject({ status: "disabled" });
    expect(await asset()).toMatchObject({ status: "registered", governanceState: "under_review" });
    await govern(assetId, "approved", other);
    expect((await get(`${AGENTS}/${id}`)).status).toBe("active");
  });

  it("asks for every right that the asset's own ways ask for", async () => {
    const { id } = await create(AGENTS);
    const member = world.a.actors.member.token;
    for (const status of ["suspended", "retired"]) {
      const { json } = await send("PUT", `${AGENTS}/${id}`, { status, reason: REASON }, member);
      expect(json.code, status).toBe("permission_denied");
    }
    expect((await get(`${AGENTS}/${id}`)).status).toBe("active");
  });
});

describe("references", () => {
  it("take the ids of records and of assets, and keep those of assets", async () => {
    const [model, tool, server] = [await create(MODELS), await create(TOOLS), await create(SERVERS)];
    const identity = await create("/api/v1/ai/identities");
    const agent = await create(AGENTS, {
      modelIds: [model.id, model.assetId],
      toolIds: [tool.assetId],
      mcpServerIds: [server.id],
      identityId: identity.id,
    });
    const assetIds = [model, tool, server].map(({ assetId }) => assetId);
    expect([agent.modelIds, agent.toolIds, agent.mcpServerIds].flat()).toEqual(assetIds);
    expect(agent.identityId).toBe(identity.assetId);
    const { items } = await get(`${ASSETS}/${agent.assetId}/relations`);
    const found = items.map(({ type, targetId }: { type: string; targetId: string }) => `${type} ${targetId}`).sort();
    expect(found).toEqual([...assetIds.map((id) => `uses ${id}`), `runs_as ${identity.assetId}`].sort());
    const exposed = await create(TOOLS, { serverId: server.id, toolName: "t" });
    expect((await get(`${ASSETS}/${server.assetId}/relations`)).items).toMatchObject([
      { type: "exposes", targetId: exposed.assetId },
    ]);
    await send("DELETE", `${MODELS}/${model.id}?force=true&reason=${encodeURIComponent(REASON)}`);
    expect((await get(`${AGENTS}/${agent.id}`)).modelIds).toEqual([model.assetId]);
    expect((await get(`${ASSETS}/${agent.assetId}/relations`)).items).toContainEqual(
      expect.objectContaining({ targetId: model.assetId, dangling: true }),
    );
  });

  it.each([
    ["modelIds", "/modelIds/0", async () => [await world.b.newModel()]],
    ["modelIds", "/modelIds/1", async () => [(await create(MODELS)).id, await world.a.newTool()]],
    ["toolIds", "/toolIds/0", async () => ["tol_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"]],
    ["mcpServerIds", "/mcpServerIds/0", async () => ["no id at all"]],
    ["identityId", "/identityId", async () => world.b.newIdentity()],
    ["identityId", "/identityId", async () => world.a.newAgent()],
  ])("are refused in %s at %s when they lead elsewhere", async (field, pointer, ids) => {
    const { json } = await send("POST", AGENTS, { [field]: await ids() });
    expect(json).toMatchObject({ code: "invalid_reference", errors: [{ pointer }] });
  });
});

describe("a tool", () => {
  const put = async (id: string, body: object, token?: string) =>
    (await send("PUT", `${TOOLS}/${id}`, body, token)).json;

  it("is approved as it is at that moment, and changed when it says something else", async () => {
    const { id, pin } = await create(TOOLS, { toolName: "search", toolDescription: "Finds things." });
    expect(pin).toMatchObject({ alg: "mcp-tool/1", approved: null, state: "unapproved" });
    const { admin } = world.a.actors;
    const review = { status: "approved", digest: pin.current };
    expect((await send("POST", `${TOOLS}/${id}/review`, review, admin.token)).json).toMatchObject({
      status: "approved",
      pin: { current: pin.current, approved: pin.current, state: "in_sync", approvedBy: admin.userId },
    });
    expect(await put(id, { toolDescription: "Deletes things." })).toMatchObject({
      status: "changed",
      pin: { approved: pin.current, state: "drifted" },
    });
    expect(await put(id, { toolDescription: "Finds things." })).toMatchObject({
      status: "approved",
      pin: { state: "in_sync" },
    });
    expect(await put(id, { status: "blocked", reason: REASON })).toMatchObject({ status: "blocked" });
    expect(await put(id, { status: "removed" })).toMatchObject({ code: "invalid_transition" });
  });

  it("has the effects that it claims until somebody who may has found others", async () => {
    const tool = await create(TOOLS, { annotations: { readOnlyHint: true, openWorldHint: false } });
    expect(tool).toMatchObject({ effects: ["read"], effectsFrom: "annotations" });
    expect(await put(tool.id, { annotations: {} })).toMatchObject({ effects: ["write", "destructive", "external"] });
    expect(await put(tool.id, { effects: [] }, world.a.actors.member.token)).toMatchObject({
      code: "permission_denied",
    });
    expect(await put(tool.id, { effects: ["write"] })).toMatchObject({ effects: ["write"], effectsFrom: "review" });
    expect(await put(tool.id, { annotations: { readOnlyHint: true } })).toMatchObject({ effects: ["write"] });
  });

  it("of a server is one by its name, and nothing to approve until its server was scanned", async () => {
    const server = await create(SERVERS);
    const tool = await create(TOOLS, { serverId: server.id, toolName: "one" });
    expect(tool).toMatchObject({ origin: "mcp", serverId: server.assetId, pin: { current: null } });
    const { admin } = world.a.actors;
    expect(await put(tool.id, { status: "approved" }, admin.token)).toMatchObject({ code: "transition_guard_failed" });
    const again = await send("POST", TOOLS, { serverId: server.id, toolName: "one" });
    expect(again.json).toMatchObject({ code: "already_exists", key: "name", existingId: tool.id });
    expect((await send("POST", TOOLS, { serverId: server.id, origin: "http" })).json.errors).toMatchObject([
      { pointer: "/origin" },
    ]);
  });
});

describe("a model", () => {
  it("has its aliases for itself, until it gives them up", async () => {
    const one = await create(MODELS, { aliases: ["fast", "cheap"] });
    const taken = await send("POST", MODELS, { aliases: ["cheap"] });
    expect(taken.json).toMatchObject({ code: "already_exists", key: "alias", existingId: one.id });
    expect(
      (await world.send("POST", MODELS, { token: world.b.owner.token, body: { aliases: ["cheap"] } })).status,
    ).toBe(201);
    await send("PUT", `${MODELS}/${one.id}`, { aliases: ["fast"] });
    const other = await create(MODELS, { aliases: ["cheap"] });
    expect((await send("PUT", `${MODELS}/${one.id}`, { aliases: ["fast", "cheap"] })).status).toBe(409);
    await send("DELETE", `${MODELS}/${other.id}`);
    expect((await send("PUT", `${MODELS}/${one.id}`, { aliases: ["fast", "cheap"] })).status).toBe(200);
  });
});

describe("the secret of an MCP server", () => {
  const SECRET = "zq-canary-secret-of-a-server";
  const auth = { type: "bearer", secret: SECRET };
  const secretOf = (id: string) => openSecret(environmentOf(world), world.a.tenantId, id);

  it("is kept sealed, and in no answer, event or other record", async () => {
    const server = await create(SERVERS, { url: "https://mcp.example/a", configuration: { auth } });
    expect(server.auth).toEqual({ type: "bearer", headerName: null, clientId: null, secretSetAt: expect.any(String) });
    expect(await secretOf(server.id)).toBe(SECRET);
    const answers = [
      await send("GET", `${SERVERS}/${server.id}`),
      await send("GET", SERVERS),
      await send("GET", "/api/v1/ai/activity?size=100"),
    ];
    const held = JSON.stringify([server, await recordsOf(world.a), answers.map(({ text }) => text)]);
    expect(held).not.toContain(SECRET);
  });

  it("stays when nothing is said of it, and goes when it is said so or no more needed", async () => {
    const { id } = await create(SERVERS, { url: "https://mcp.example/a", auth });
    const put = (body: object) => send("PUT", `${SERVERS}/${id}`, body);
    await put({ url: "https://mcp.example/b", auth: { type: "header", headerName: "x-key" } });
    expect(await secretOf(id)).toBe(SECRET);
    await put({ auth: { type: "bearer", secret: "another" } });
    expect(await secretOf(id)).toBe("another");
    expect((await put({ auth: { type: "bearer", secret: null } })).json.auth.secretSetAt).toBe(null);
    expect(await secretOf(id)).toBe(undefined);
    await put({ auth });
    await put({ auth: { type: "none" } });
    expect(await secretOf(id)).toBe(undefined);
    await put({ auth });
    await send("DELETE", `${SERVERS}/${id}`);
    expect(await secretOf(id)).toBe(undefined);
  });

  it("is for one server: whoever changes the address gives it again", async () => {
    const { id } = await create(SERVERS, { url: "https://mcp.example/a", auth });
    const moved = await send("PUT", `${SERVERS}/${id}`, { url: "https://elsewhere.example/a" });
    expect(moved.json).toMatchObject({ code: "invalid_request", errors: [{ pointer: "/auth/secret" }] });
    expect((await send("PUT", `${SERVERS}/${id}`, { url: "https://elsewhere.example/a", auth })).status).toBe(200);
  });
});

describe("an MCP server", () => {
  it.each([
    ["/url", { url: "https://user:pass@mcp.example/" }],
    ["/url", { url: "file:///etc/passwd" }],
    ["/url", { transport: "stdio", url: "https://mcp.example/" }],
    ["/command", { command: "files" }],
    ["/command", { transport: "stdio", command: "rm -rf /" }],
    ["/auth/headerName", { auth: { type: "header" } }],
    ["/auth/headerName", { auth: { type: "header", headerName: "Host" } }],
    ["/auth/secret", { auth: { type: "bearer", secret: "a\r\nb" } }],
    ["/auth/secretSetAt", { auth: { type: "bearer", secretSetAt: "2026-01-05T09:00:00.000Z" } }],
    ["/protocol/negotiated", { protocol: { mode: "auto", negotiated: "2026-07-28" } }],
    ["/protocol/pinnedVersion", { protocol: { mode: "pin" } }],
    ["/apiKey", { configuration: { apiKey: "k" } }],
  ])("is refused at %s: %j", async (pointer, body) => {
    const { status, json } = await send("POST", SERVERS, body);
    expect([status, json.errors?.[0]?.pointer]).toEqual([400, pointer.replace("/apiKey", "/configuration/apiKey")]);
  });

  it("is unknown again when it is reached in another way, and disabled when it is not to be asked", async () => {
    const { id, connection } = await create(SERVERS, { url: "https://mcp.example/", healthCheck: { enabled: false } });
    expect(connection).toBe("disabled");
    const { json } = await send("PUT", `${SERVERS}/${id}`, { healthCheck: {} });
    expect(json).toMatchObject({ connection: "unknown", healthCheck: { enabled: true, threshold: 3 } });
  });
});
