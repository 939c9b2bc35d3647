import { newInstallation, type Scene, type World } from "@reeve/testkit";
import { expect } from "vitest";

const reason = "because a test wants it so";

/** An installation of an agent that uses a built-in tool `Bash`, and an MCP server `Files and more` with a tool `read`. */
export interface Bench {
  readonly agentId: string;
  readonly id: string;
  readonly credential: string;
  readonly identityAssetId: string;
  readonly team: string | null;
  /** Has the agent use another MCP server. */
  use(serverId: string): Promise<unknown>;
  ask(tool: string, input?: object, more?: object): ReturnType<World["send"]>;
  /** The decision about a call of Claude Code or Codex, with its reason. */
  decided(
    tool: string,
    input?: object,
    more?: object,
  ): Promise<{ readonly permissionDecision: string; readonly permissionDecisionReason: string }>;
}

/** What tests of hooks do in one tenant. */
export function hookBench(world: World, scene: Scene) {
  const as = (token: string) => (method: string, path: string, body?: object) =>
    world.send(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
  const asOwner = (method: string, path: string, body?: object) => as(scene.owner.token)(method, path, body);
  const done = async (answer: ReturnType<typeof asOwner>) => {
    const { status, json, text } = await answer;
    expect(status, text).toBeLessThan(300);
    return json;
  };

  /** Puts a rule in force: about calls of `Bash` with this command, or of the tool of this name. Returns the policy. */
  async function inForce(
    effect: "allow" | "deny" | "require_approval",
    call: { command?: string; tool?: string },
  ): Promise<string> {
    const name = scene.unique();
    const { command, tool } = call;
    const properties = { tool: tool ?? "Bash", arguments: command === undefined ? {} : { command } };
    const about =
      command === undefined
        ? `action.properties.tool == "${tool}"`
        : `has(action.properties.arguments.command) && action.properties.arguments.command == "${command}"`;
    const rules = [{ key: "named", effect, if: `action.name == "tools/call" && ${about}`, message: name }];
    const tests = [{ name, input: { action: { name: "tools/call", properties } }, expect: effect }];
    return scene.newPolicy("runtime", { rules, tests, status: "active" });
  }

  async function bench(client = "claude-code", code: object = {}): Promise<Bench> {
    const { agentId, id, credential, installation } = await newInstallation(scene, client, code);
    const server = await done(
      asOwner("POST", "/ai/mcp-servers", { name: "Files & more", url: `https://mcp.example/${scene.unique()}` }),
    );
    const named = { name: scene.unique(), serverId: server.assetId, toolName: "read", origin: "mcp" };
    await done(asOwner("POST", "/ai/tools", named));
    const tool = await done(
      asOwner("POST", "/ai/tools", { name: scene.unique(), toolName: "Bash", origin: "builtin" }),
    );
    const agent = (await done(asOwner("GET", `/ai/agents?assetId=${agentId}`))).items[0];
    await done(asOwner("PUT", `/ai/agents/${agent.id}`, { toolIds: [tool.assetId], mcpServerIds: [server.assetId] }));
    const ask: Bench["ask"] = (tool_name, tool_input = {}, more = {}) =>
      as(credential)("POST", `/hooks/${client}`, {
        ...{ hook_event_name: client === "gemini-cli" ? "BeforeTool" : "PreToolUse", session_id: "s1" },
        ...{ cwd: "/home/ada/secret project/shop", permission_mode: "default", tool_name, tool_input },
        // Releases of clients add members of their own.
        ...{ transcript_path: "/home/ada/t.jsonl", prompt_id: "p1", effort: { level: "medium" }, ...more },
      });
    return {
      ...{ agentId, id, credential, identityAssetId: installation.assetId, team: installation.team, ask },
      use: (serverId) => done(asOwner("PUT", `/ai/agents/${agent.id}`, { mcpServerIds: [serverId] })),
      decided: async (...call) => (await done(ask(...call))).hookSpecificOutput,
    };
  }

  return { as, asOwner, done, inForce, bench, reason };
}
