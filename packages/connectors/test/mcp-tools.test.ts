import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { McpSnapshot } from "@reeve/core";
import { mcpConnector } from "@reeve/mcp";
import { createPlane, createTenant, newAssignment, newTarget, ScriptedAccess } from "@reeve/testkit";
import { connectorCalls, connectorParts } from "@reeve/testkit/connectors";
import { beforeAll, describe, expect, it } from "vitest";
import { mcpServer, type OpenedTool } from "../src/mcp/index.js";
import { LOOPBACK } from "./support/http-server.js";

const REASON = { reason: "because a test wants it so" };
const folder = dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json"));
const everything = { command: process.execPath, args: [join(folder, "dist", "index.js")] };
const host = mcpConnector({ commands: { everything } });
const stdio = { transport: "stdio", command: "everything" } as const;

let reported: McpSnapshot["tools"];
beforeAll(async () => {
  const { egress } = connectorParts(mcpServer(host), { config: stdio, secrets: {}, allow: LOOPBACK });
  const seen = await host.observe({ ...stdio, url: null, protocol: "auto", headers: {}, oauth: null }, { egress });
  if (!seen.ok) throw new Error(seen.failure.reason);
  reported = seen.value.tools;
});

/** A tool as the published server describes it, which is what somebody would have looked at. */
function opened(name: string, more: Partial<OpenedTool> = {}): OpenedTool {
  const { description = "", inputSchema } = reported.find((tool) => tool.name === name) as McpSnapshot["tools"][number];
  return { name, description, inputSchema, effect: "read", ...more };
}

/** An agent that has access to `get-sum` of a real MCP server, decided, approved and granted. */
async function governedAgent(tools: readonly OpenedTool[]) {
  const connectors = [mcpServer(host, { tools }), new ScriptedAccess().connector];
  const plane = createPlane({ connectors, tokenLifetime: 86_400 });
  const scene = await createTenant(plane, "mcp");
  const { token } = scene.owner;
  const ok = async (method: string, path: string, body?: object) => {
    const answer = await plane.send(method, path, { token, ...(body ? { body } : {}) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  const connectorInstanceId = await newTarget(scene, { providerKey: "mcp", configuration: stdio, secrets: {} });
  const target = `/api/v1/access-targets/${connectorInstanceId}`;
  await ok("POST", `${target}/resources/sync?resourceType=tool`);
  await plane.controlPlane.tick();
  const named = async (what: string, externalId: string) =>
    (await ok("GET", `${target}/${what}?size=100`)).items.find((one: typeof stdio & { externalId: string }) => {
      return one.externalId === externalId;
    });
  const [resource, profile] = [await named("resources", "get-sum"), await named("access-profiles", "call:get-sum")];
  expect(profile.toolNames).toEqual(["get-sum"]);
  await ok("POST", `/api/v1/access-profiles/${profile.id}/approve`, { definitionHash: profile.definitionHash });
  const assetId = await scene.newAsset();
  const principal = { type: "agent", externalId: assetId, displayName: "An agent" };
  const { id: identityId } = await ok("POST", `/api/v1/ai-assets/${assetId}/access-identities`, {
    connectorInstanceId,
    principal,
  });
  const { id } = await newAssignment(scene, {
    ...{ assetId, identityId, connectorInstanceId, resourceId: resource.id, accessProfileId: profile.id },
    ...{ resource: { type: "tool", externalId: "get-sum" }, profileExternalId: "call:get-sum", parameters: {} },
    ...{ principal, externalGrantId: null, grantKey: `get-sum for ${assetId}`, approvedHash: profile.definitionHash },
  });
  const at = `/api/v1/access-assignments/${id}`;
  return {
    provision: async () => {
      await ok("POST", `${at}/repair`, { ...REASON, action: "grant" });
      await plane.controlPlane.tick();
    },
    read: () => ok("GET", at),
    revoke: async () => {
      await ok("POST", `${at}/revoke`, REASON);
      await plane.controlPlane.tick();
    },
    issue: (body: object = {}) => ok("POST", `/api/v1/ai-assets/${assetId}/agent-tool-token`, body),
    run: async (agentToken: string, tool: string, args: object) => {
      const body = { token: agentToken, tool, arguments: args };
      return (await plane.send("POST", "/api/v1/agent-tools/codehost/execute", { body })).json;
    },
  };
}

const refusedAs = (code: string) => ({ status: "error", error: { code } });

describe("tools of a real MCP server, through the door for agents", () => {
  it("run for whoever was granted them, and for nobody before and after", async () => {
    const agent = await governedAgent([opened("get-sum"), opened("echo")]);
    const { token, tools } = await agent.issue();
    expect(tools).toEqual(["get-sum"]);
    const sum = { a: 3, b: 4 };
    expect(await agent.run(token, "get-sum", sum)).toMatchObject(refusedAs("not_granted"));
    await agent.provision();
    const ran = await agent.run(token, "get-sum", sum);
    expect(ran, JSON.stringify(ran)).toMatchObject({ status: "ok", contentTrust: "untrusted" });
    expect(ran.result.content).toEqual([{ type: "text", text: "The sum of 3 and 4 is 7." }]);
    expect(await agent.run(token, "echo", { message: "x" })).toMatchObject({ code: "tool_not_allowed" });
    expect(await agent.run(token, "get-sum", { a: "x", b: 4 })).toMatchObject({ code: "invalid_request" });
    expect(await agent.run(token, "get-sum", { ...sum, c: 1 })).toMatchObject({ code: "invalid_request" });
    await agent.revoke();
    expect(await agent.run(token, "get-sum", sum)).toMatchObject({ code: "invalid_token" });
    expect(await agent.read()).toMatchObject({ status: "revoked", targetState: "absent" });
  });

  it("do not run once the server describes them in another way than when they were opened", async () => {
    const agent = await governedAgent([opened("get-sum", { description: "Adds two numbers, as it was." })]);
    await agent.provision();
    const { token } = await agent.issue();
    expect(await agent.run(token, "get-sum", { a: 3, b: 4 })).toMatchObject(refusedAs("tool_changed"));
  });

  it("are none where the host opens none", () => {
    const { manifest } = mcpServer(host);
    expect([manifest.tools, manifest.capabilities]).toEqual([undefined, ["test", "discover", "resources"]]);
  });
});

describe("access to tools that has ended", () => {
  it("leaves nothing behind, so that any number of grants come one after the other", async () => {
    const connector = mcpServer(host, { tools: [opened("get-sum")] });
    const held = new Set<string>();
    const parts = connectorParts(connector, { config: stdio, secrets: {}, allow: LOOPBACK });
    const state = {
      get: async (key: string) => held.has(key) || undefined,
      put: async (key: string) => void held.add(key),
      delete: async (key: string) => void held.delete(key),
    };
    const calls = connectorCalls(connector, { ...parts, state });
    const spec = (agent: string) => ({
      ...{ grantKey: agent, profileExternalId: "call:get-sum", parameters: {} },
      resource: { type: "tool", externalId: "get-sum" },
      principal: { type: "agent", externalId: agent } as const,
    });
    for (const agent of ["one", "two", "three"]) {
      expect(await calls.grant(spec(agent))).toEqual({ outcome: "applied" });
      expect([held.size, (await calls.verify(spec(agent))).presence]).toEqual([1, "present"]);
      expect(await calls.revoke(spec(agent))).toEqual({ outcome: "applied" });
      expect([held.size, (await calls.verify(spec(agent))).presence]).toEqual([0, "absent"]);
      expect(await calls.revoke(spec(agent))).toEqual({ outcome: "already_applied" });
    }
  });
});
