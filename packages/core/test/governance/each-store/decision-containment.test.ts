import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { ASSET_TYPES } from "#families/estate/assets/asset-terms.js";
import { ulidSource } from "#testing/index.js";
import { eventsOf } from "../../helpers/facts.js";
import { changePolicy } from "../../helpers/policies.js";
import { createWorld } from "../../helpers/world.js";

const reason = "because a test wants it so";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400, ids: ulidSource() });
  await policy([{ effect: "allow", if: "true" }]);
});

const send = async (method: string, path: string, body?: object, token = world.a.owner.token) =>
  (await world.send(method, path, { token, ...(body ? { body } : {}) })).json;
const govern = (id: string, status: string, token?: string) =>
  send("PATCH", `/api/v1/ai-assets/${id}/governance-state`, { status, reason }, token);

/** A runtime policy in force. Returns its id. */
const policy = (rules: readonly object[], more: object = {}) => {
  const name = world.a.unique();
  const tests = [{ name, rule: "none", input: { action: { name } }, expect: "none" }];
  const whole = rules.map((rule, index) => ({ key: `r${index}`, message: name, ...rule }));
  return world.a.newPolicy("runtime", { rules: whole, tests, status: "active", ...more });
};
const disable = (id: string) => changePolicy(world.a, id, { status: "disabled", reason });

const ask = (subject: object, resource: object = { type: "thing", id: "x" }, more: object = {}) =>
  send("POST", "/api/v1/ai/policies/evaluate", { subject, action: { name: "call" }, resource, ...more });
const codes = (json: { context: { reasons: { code: string }[] } }) => json.context.reasons.map(({ code }) => code);
const user = { type: "user", id: "ada" };
const agentOf = (id: string) => ({ type: "agent", id });
const toolOf = (id: string) => ({ type: "tool", id });

describe("E1 a decision", () => {
  it("E1 denies tools of a server and agents of a model that may not be used, and names the path", async () => {
    const server = await world.a.newMcpServer();
    const on = (await send("GET", `/api/v1/ai/mcp-servers/${server}`)).assetId;
    const tool = await world.a.newTool({ origin: "mcp", serverId: server });
    const model = await world.a.newModel();
    const { assetId: used, name } = await send("GET", `/api/v1/ai/models/${model}`);
    const agent = await world.a.newAgent({ modelIds: [model], mcpServerIds: [server] });
    expect((await ask(agentOf(agent), toolOf(tool))).status).toBe("allow");
    await govern(on, "suspended");
    const denied = await ask(user, toolOf(tool));
    expect(denied).toMatchObject({ status: "deny", context: { reasons: [{ code: "asset_denied" }] } });
    expect(denied.context.reasons[0].path).toMatchObject([{ id: on, relation: "exposes" }]);
    await govern(on, "unreviewed", world.a.actors.admin.token);
    await govern(used, "under_review");
    await govern(used, "rejected");
    const { context } = await ask(agentOf(agent));
    expect(context.reasons).toMatchObject([
      { code: "asset_denied", message: expect.stringContaining(`Its model \`${name}\` is rejected.`) },
    ]);
    const started = await send("POST", "/api/v1/ai/sessions", { agentId: agent });
    expect(started).toMatchObject({ code: "transition_guard_failed" });
    expect(started.detail).toContain(`Its model \`${name}\` is rejected.`);
  });

  it("E1 takes a kill switch for servers as one for their tools", async () => {
    const server = await world.a.newMcpServer();
    const tool = await world.a.newTool({ origin: "mcp", serverId: server });
    const set = (status: string) =>
      world.send("POST", "/api/v1/support/kill-switches/ai.mcp", {
        token: world.provider.owner.token,
        body: { status, reason },
      });
    expect((await ask(user, toolOf(tool))).status).toBe("allow");
    await set("engaged");
    expect(codes(await ask(user, toolOf(tool)))).toEqual(["kill_switch"]);
    await set("released");
    expect((await ask(user, toolOf(tool))).status).toBe("allow");
  });
});

describe("E1 a decision that races with a change", () => {
  it("E1 allows nothing after the commit that forbids it", async () => {
    for (let round = 0; round < 5; round += 1) {
      const server = await world.a.newMcpServer();
      const { assetId } = await send("GET", `/api/v1/ai/mcp-servers/${server}`);
      const tool = await world.a.newTool({ origin: "mcp", serverId: server });
      const asked = Array.from({ length: 12 }, () => ask(user, toolOf(tool)));
      const [, ...answers] = await Promise.all([govern(assetId, "suspended"), ...asked]);
      expect(new Set(answers.map(({ status }) => status)).size).toBeGreaterThan(0);
      const events = (await eventsOf(world.a)).map(({ attributes, data }) => ({
        type: JSON.parse(attributes).type as string,
        data: JSON.parse(data as string),
      }));
      const forbidden = events.findIndex(({ data }) => data.entity?.id === assetId && data.to === "suspended");
      expect(forbidden).toBeGreaterThan(0);
      const after = events.slice(forbidden).filter(({ data }) => data.resource?.id === tool);
      expect(after.filter(({ data }) => data.decision)).toEqual([]);
    }
  });
});

describe("S11 an id that names no asset", () => {
  it("S11 is denied for every type of assets, however it is written", async () => {
    const agent = await world.a.newAgent();
    const { assetId, name } = await send("GET", `/api/v1/ai/agents/${agent}`);
    expect((await ask(agentOf(assetId))).status).toBe("allow");
    for (const id of [assetId.toLowerCase(), `${assetId} `, ` ${agent}`, name, "no such agent", "AST_x"]) {
      const denied = await ask(agentOf(id));
      expect([denied.status, codes(denied)], id).toEqual(["deny", ["asset_unknown"]]);
      expect(codes(await ask(user, agentOf(id))), id).toEqual(["asset_unknown"]);
    }
    for (const type of ASSET_TYPES) expect(codes(await ask({ type, id: "plain" })), type).toEqual(["asset_unknown"]);
  });

  it("S11 is denied under any type where it resembles the id of an asset", async () => {
    const agent = await world.a.newAgent();
    for (const id of [agent.toLowerCase(), `${agent} `, agent.replace("agt", "AGT")])
      expect(codes(await ask({ type: "service", id })), id).toEqual(["asset_unknown"]);
    expect((await ask({ type: "service", id: `${agent}\u200b` })).status).toBe("deny");
    expect((await ask({ type: "service", id: "billing" })).status).toBe("allow");
  });

  it("S11 is denied where a type of assets is spelled otherwise, and the asset itself is what it is", async () => {
    const agent = await world.a.newAgent();
    for (const type of ["Agent", "AGENT ", "MCP-Server", "mcpServer", "\uff41gent"])
      expect(codes(await ask({ type, id: "plain" })), type).toEqual(["asset_unknown"]);
    expect((await ask({ type: "Agent", id: agent })).status).toBe("allow");
    expect(codes(await ask({ type: "Model", id: agent }))).toEqual(["asset_type_mismatch"]);
  });

  it("S11 is denied where the id of a session is written otherwise, under any type", async () => {
    const session = await world.a.newSession();
    for (const id of [session.toLowerCase(), `${session} `, `${session}\u200b`])
      expect(codes(await ask({ type: "service", id })), id).toEqual(["session_unknown"]);
  });

  it("S11 does not get round a denial that is narrowed to assets", async () => {
    const agent = await world.a.newAgent();
    const id = await policy([{ effect: "deny", if: "true" }], { selector: { assetTypes: ["agent"] } });
    expect(codes(await ask(agentOf(agent)))).toEqual(["policy_deny"]);
    for (const written of [agent.toLowerCase(), `${agent} `, "an agent"])
      expect((await ask(agentOf(written))).status, written).toBe("deny");
    await disable(id);
  });
});

describe("G2 what tools and agents declare", () => {
  it("G2 a tool that requires approval gets it asked for under any rule, and allows with it once", async () => {
    const tool = await world.a.newTool({ requiresApproval: true, effects: ["destructive"] });
    const first = await ask(user, toolOf(tool));
    expect(first).toMatchObject({ status: "require_approval", decision: false, context: { ttlMs: 0 } });
    expect(codes(first)).toEqual(["tool_approval"]);
    const { id } = first.context.approval;
    const approved = await send(
      "PATCH",
      `/api/v1/ai-governance/approvals/${id}/approve`,
      { reason },
      world.a.actors.approver.token,
    );
    expect(approved.status).toBe("approved");
    expect(await ask(user, toolOf(tool), { context: { approvalId: id } })).toMatchObject({ status: "allow" });
    expect(await ask(user, toolOf(tool), { context: { approvalId: id } })).toMatchObject({
      status: "require_approval",
    });
    await send("PUT", `/api/v1/ai/tools/${tool}`, { requiresApproval: false });
    expect((await ask(user, toolOf(tool))).status).toBe("allow");
  });

  it("G2 a denial stays one where the tool requires approval", async () => {
    const tool = await world.a.newTool({ requiresApproval: true });
    const id = await policy([{ effect: "deny", if: 'has(asset.name) && asset.assetType == "tool"' }]);
    expect(codes(await ask(user, toolOf(tool)))).toEqual(["policy_deny"]);
    await disable(id);
  });

  it("G2 an agent calls only tools that it says it uses: itself, by a server, or by a relation", async () => {
    const server = await world.a.newMcpServer();
    const [tool, served, related] = [
      await world.a.newTool(),
      await world.a.newTool({ origin: "mcp", serverId: server }),
      await world.a.newTool(),
    ];
    const { assetId: target } = await send("GET", `/api/v1/ai/tools/${related}`);
    const agent = await world.a.newAgent();
    const { assetId } = await send("GET", `/api/v1/ai/agents/${agent}`);
    const sessionId = await world.a.newSession({ agentId: agent });
    for (const id of [tool, served, related]) {
      expect(codes(await ask(agentOf(agent), toolOf(id)))).toEqual(["not_related"]);
      expect(codes(await ask(user, toolOf(id), { context: { sessionId } }))).toEqual(["not_related"]);
      expect((await ask(user, toolOf(id))).status).toBe("allow");
    }
    await send("PUT", `/api/v1/ai/agents/${agent}`, { toolIds: [tool], mcpServerIds: [server] });
    await send("PUT", `/api/v1/ai-assets/${assetId}`, { relations: [{ type: "uses", targetId: target }] });
    for (const id of [tool, served, related]) expect((await ask(agentOf(agent), toolOf(id))).status).toBe("allow");
  });

  it("G2 a relation by which an approved agent uses another tool ends its approval, as its record does", async () => {
    const { operator, approver, owner } = world.a.actors;
    const approved = async () => {
      const agent = await world.a.newAgent({ environment: "production" }, operator);
      const { assetId } = await send("GET", `/api/v1/ai/agents/${agent}`);
      await govern(assetId, "under_review", operator.token);
      expect(await govern(assetId, "approved", approver.token)).toMatchObject({ governanceState: "approved" });
      return { agent, assetId };
    };
    const tool = await world.a.newTool();
    const { assetId: targetId } = await send("GET", `/api/v1/ai/tools/${tool}`);
    const [record, relation, other] = [await approved(), await approved(), await approved()];
    await send("PUT", `/api/v1/ai/agents/${record.agent}`, { toolIds: [tool] }, owner.token);
    const relate = (id: string, type: string, to: string) =>
      send("PUT", `/api/v1/ai-assets/${id}`, { relations: [{ type, targetId: to }] }, owner.token);
    await relate(relation.assetId, "uses", targetId);
    for (const { assetId, agent } of [record, relation]) {
      expect((await send("GET", `/api/v1/ai-assets/${assetId}`)).governanceState).toBe("under_review");
      expect((await ask(agentOf(agent), toolOf(tool))).status).toBe("deny");
    }
    // What a tool says of an agent, and what an agent is made from, permits nothing.
    await relate(targetId, "derived_from", other.assetId);
    await relate(targetId, "uses", other.assetId);
    await relate(other.assetId, "derived_from", targetId);
    expect(await send("GET", `/api/v1/ai-assets/${other.assetId}`)).toMatchObject({ governanceState: "approved" });
    expect(codes(await ask(agentOf(other.agent), toolOf(tool)))).toEqual(["not_related"]);
  });

  it("G2 a tenant may be warned of undeclared use instead", async () => {
    const settings = (undeclaredTools: string | null) => send("PATCH", "/api/v1/tenant/settings", { undeclaredTools });
    expect(await send("GET", "/api/v1/tenant/settings")).toMatchObject({ undeclaredTools: "deny" });
    const [agent, tool] = [await world.a.newAgent(), await world.a.newTool()];
    await settings("warn");
    const warned = await ask(agentOf(agent), toolOf(tool));
    expect(warned).toMatchObject({ status: "allow", context: { obligations: [{ type: "warn", policyKey: null }] } });
    await settings(null);
    expect((await ask(agentOf(agent), toolOf(tool))).status).toBe("deny");
  });

  it("G2 rules read spec, effects, relations, the session and the tenant", async () => {
    const tool = await world.a.newTool({ effects: ["write"] });
    const { assetId } = await send("GET", `/api/v1/ai/tools/${tool}`);
    const agent = await world.a.newAgent({ toolIds: [tool] });
    const agentAsset = (await send("GET", `/api/v1/ai/agents/${agent}`)).assetId;
    await send("PUT", `/api/v1/ai-assets/${agentAsset}`, { relations: [{ type: "uses", targetId: assetId }] });
    const sessionId = await world.a.newSession({ agentId: agent, sensitivity: "confidential" });
    const more = { context: { sessionId } };
    const denies = async (expression: string, selector: object, asked: () => Promise<{ status: string }>) => {
      const id = await policy([{ effect: "deny", if: expression }], { selector });
      const { status } = await asked();
      await disable(id);
      return status;
    };
    const called = () => ask(agentOf(agent), toolOf(tool), more);
    expect((await called()).status).toBe("allow");
    const { tenantId } = world.a;
    const tools = { assetTypes: ["tool"] };
    for (const [expression, selector] of [
      ['"write" in asset.effects', tools],
      [`asset.relations.exists(r, r.type == "uses" && r.targetId == "${assetId}")`, { assetTypes: ["agent"] }],
      ['spec.effects.exists(e, e == "write") && !spec.requiresApproval', tools],
      [`spec.tools.exists(t, t.id == "${assetId}")`, { assetTypes: ["agent"] }],
      ['session.sensitivity == "confidential" && session.toolCalls == 0', {}],
      [`tenant.id == "${tenantId}"`, {}],
    ] as const)
      expect(await denies(expression, selector, called), expression).toBe("deny");
    expect(await denies('has(session.id) && session.id != ""', {}, () => ask(user))).toBe("allow");
  });
});
