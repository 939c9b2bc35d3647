import { newInstallation, type Scene, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { clientSessions } from "#families/enforcement/hooks/schema.js";
import { sessions } from "#families/sessions/sessions/schema.js";
import { eventTypes, headOf } from "../../helpers/facts.js";
import { hookBench } from "../../helpers/hook-bench.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let scene: Scene;
let bench: ReturnType<typeof hookBench>["bench"];
let inForce: ReturnType<typeof hookBench>["inForce"];
let as: ReturnType<typeof hookBench>["as"];
let asOwner: ReturnType<typeof hookBench>["asOwner"];
let done: ReturnType<typeof hookBench>["done"];
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
  ({ bench, inForce, as, asOwner, done } = hookBench(world, scene));
});

const MINUTE = 60_000;
const reason = "because a test wants it so";

/** The data of the newest event, which an answer has left. */
const lastDecision = async (answer: ReturnType<World["send"]>) => {
  await done(answer);
  const { events } = await world.store.forTenant(scene.tenantId).events({ size: 1 });
  return events[0]?.data ?? "{}";
};

const decided = async (answer: ReturnType<World["send"]>) => (await done(answer)).hookSpecificOutput;

describe("a hook", () => {
  it("is answered by policy, in the form of each client, and by the tool that the agent uses", async () => {
    await inForce("allow", { command: "npm test" });
    await inForce("allow", { tool: "mcp__files-more__read" });
    await inForce("allow", { tool: "mcp_files-more_read" });
    const claude = await bench();
    expect(await decided(claude.ask("Bash", { command: "npm test" }))).toMatchObject({
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
    });
    expect(await decided(claude.ask("Bash", { command: "curl evil.example" }))).toMatchObject({
      permissionDecision: "deny",
    });
    expect((await decided(claude.ask("mcp__files-more__read"))).permissionDecision).toBe("allow");
    for (const unknown of ["mcp__other__read", "mcp__files-more", "WebFetch", ""]) {
      const { permissionDecision, permissionDecisionReason } = await decided(
        claude.ask(unknown, { command: "npm test" }),
      );
      expect([permissionDecision, permissionDecisionReason], unknown).toEqual(["deny", expect.any(String)]);
    }
    const gemini = await bench("gemini-cli");
    expect(await done(gemini.ask("mcp_files-more_read"))).toMatchObject({ decision: "allow" });
    expect(await done(gemini.ask("Bash", { command: "rm -rf /" }))).toMatchObject({ decision: "deny" });
    expect(await done(claude.ask("Bash", {}, { hook_event_name: "PostToolUse" }))).toEqual({});
    expect((await as(claude.credential)("POST", "/hooks/codex", { hook_event_name: "PreToolUse" })).status).toBe(403);
  });

  it("is answered to Cursor by the address of the server, or by its command line", async () => {
    const { agentId, credential } = await newInstallation(scene, "cursor");
    const url = `https://mcp.example/${scene.unique()}`;
    const servers = [
      { name: scene.unique(), url, healthCheck: { enabled: false } },
      { name: scene.unique(), transport: "stdio", url: null, launch: { command: "npx", args: ["-y", "files@1.2.3"] } },
    ];
    const mcpServerIds = [];
    for (const body of servers) mcpServerIds.push((await done(asOwner("POST", "/ai/mcp-servers", body))).assetId);
    const { tools } = await done(asOwner("POST", `/ai-assets/${agentId}/client-pack`, { client: "cursor" }));
    const agent = (await done(asOwner("GET", `/ai/agents?assetId=${agentId}`))).items[0];
    await done(asOwner("PUT", `/ai/agents/${agent.id}`, { mcpServerIds, toolIds: [tools[0].assetId] }));
    await inForce("allow", { tool: "MCP:look" });
    await inForce("allow", { tool: "Shell" });
    const ask = (body: object) => done(as(credential)("POST", "/hooks/cursor", { conversation_id: "c1", ...body }));
    const look = { hook_event_name: "beforeMCPExecution", tool_name: "look", tool_input: '{"at":"x"}' };
    const permission = async (body: object) => (await ask(body)).permission;
    expect([
      await permission({ ...look, url }),
      await permission({ ...look, command: "npx -y files@1.2.3" }),
      await permission({ hook_event_name: "beforeShellExecution", command: "ls" }),
    ]).toEqual(["allow", "allow", "allow"]);
    const others = [{ url: `${url}/` }, { command: "npx -y files@1.2.4" }, { command: "npx" }, {}];
    for (const other of others) expect(await permission({ ...look, ...other }), JSON.stringify(other)).toBe("deny");
    expect(await ask({ hook_event_name: "beforeReadFile" })).toEqual({});
    const torn = { ...look, url, tool_input: "{ torn" };
    expect((await as(credential)("POST", "/hooks/cursor", torn)).status).toBe(400);
    expect((await done(asOwner("GET", `/ai/sessions?agentId=${agentId}`))).items).toHaveLength(1);
    await ask({ hook_event_name: "sessionEnd" });
    const [session] = (await done(asOwner("GET", `/ai/sessions?agentId=${agentId}`))).items;
    expect(session.status).toBe("completed");
  });

  it("keeps neither arguments nor the path before the directory", async () => {
    const { ask, agentId } = await bench();
    await done(ask("Bash", { command: "echo hunter2-in-the-clear" }));
    const { items } = await done(asOwner("GET", `/ai-assets/${agentId}/activity?size=50`));
    expect(JSON.stringify(items)).toMatch(/decision\.(denied|allowed)/);
    expect(JSON.stringify(items)).not.toMatch(/hunter2|secret project/);
  });

  it("waits for a second person, and then lets the very call pass once", async () => {
    await inForce("require_approval", { command: "push" });
    const { ask } = await bench();
    const waiting = await decided(ask("Bash", { command: "push" }));
    const approvalId = /apr_\w+/.exec(waiting.permissionDecisionReason)?.[0];
    expect([waiting.permissionDecision, approvalId]).toEqual(["deny", expect.stringMatching(/^apr_/)]);
    const second = await scene.newUser(["governance_officer"]);
    await done(as(second.token)("PATCH", `/ai-governance/approvals/${approvalId}/approve`, { reason }));
    expect((await decided(ask("Bash", { command: "push", force: true }))).permissionDecision).toBe("deny");
    const before = await headOf(scene);
    expect((await decided(ask("Bash", { command: "push" }))).permissionDecision).toBe("allow");
    expect(await eventTypes(scene, before)).not.toContain("decision.approval_required");
    expect((await decided(ask("Bash", { command: "push" }))).permissionDecision).toBe("deny");
  });

  it("is felt at once by whoever stops the session, the agent or the installation", async () => {
    await inForce("allow", { command: "go" });
    const one = await bench();
    const go = () => decided(one.ask("Bash", { command: "go" })).then(({ permissionDecision }) => permissionDecision);
    expect(await go()).toBe("allow");
    const { items } = await done(asOwner("GET", `/ai/sessions?agentId=${one.agentId}`));
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ status: "active", externalIds: { conversationId: "s1" } });
    await done(asOwner("POST", `/ai/sessions/${items[0].id}/terminate`, { reason }));
    expect(await go()).toBe("deny");
    const again = () => decided(one.ask("Bash", { command: "go" }, { session_id: "s2" }));
    expect((await again()).permissionDecision).toBe("allow");
    const halt = await done(asOwner("POST", "/ai/halts", { scope: "all_agents", reason }));
    expect((await again()).permissionDecision).toBe("deny");
    expect((await decided(one.ask("Bash", { command: "go" }, { session_id: "s3" }))).permissionDecision).toBe("deny");
    await done(asOwner("POST", `/ai/halts/${halt.id}/lift`, { reason }));
    expect((await again()).permissionDecision).toBe("allow");
    await done(asOwner("POST", `/ai/installations/${one.id}/revoke`, { reason }));
    expect((await one.ask("Bash", { command: "go" })).status).toBe(401);
  });

  it("opens one session for a client's, which ends by its word or by silence", async () => {
    const { ask, agentId } = await bench();
    await Promise.all(Array.from({ length: 12 }, () => ask("Bash", {}, { session_id: "many" })));
    const list = async () => (await done(asOwner("GET", `/ai/sessions?agentId=${agentId}`))).items;
    expect(await list()).toHaveLength(1);
    await done(ask("", {}, { session_id: "many", hook_event_name: "SessionEnd" }));
    expect((await list())[0].status).toBe("completed");
    await ask("Bash", {}, { session_id: "many" });
    world.clock.advance(61 * MINUTE);
    await ask("Bash", {}, { session_id: "many" });
    const statuses = (await list()).map(({ status }: { status: string }) => status);
    expect(statuses.sort()).toEqual(["active", "completed", "expired"]);
  });

  it("answers sessions of one installation that begin at once", async () => {
    await inForce("allow", { command: "together" });
    const { ask } = await bench();
    const asked = Array.from({ length: 16 }, (_, at) =>
      ask("Bash", { command: "together" }, { session_id: `at-${at}` }),
    );
    for (const answer of asked) expect((await decided(answer)).permissionDecision).toBe("allow");
  });

  it("ends a session whose last calls come at the same moment", async () => {
    await inForce("allow", { command: "last" });
    const { ask, agentId } = await bench();
    for (let round = 0; round < 5; round += 1) {
      const session_id = `ends-${round}`;
      await done(ask("Bash", { command: "last" }, { session_id }));
      // What was heard of is written at most once a minute, so each call of this round writes.
      world.clock.advance(2 * MINUTE);
      const calls = Array.from({ length: 8 }, () => ask("Bash", { command: "last" }, { session_id }));
      const ends = [0, 1].map(() => ask("", {}, { session_id, hook_event_name: "SessionEnd" }));
      for (const answer of await Promise.all([...calls, ...ends])) expect(answer.status, answer.text).toBe(200);
    }
    const { items } = await done(asOwner("GET", `/ai/sessions?agentId=${agentId}&status=completed`));
    expect(items.length).toBeGreaterThanOrEqual(5);
  });

  it("drops the link to a session with it", async () => {
    const reader = world.store.forTenant(scene.tenantId);
    const { ask, agentId } = await bench();
    await ask("Bash", {}, { hook_event_name: "PreToolUse" });
    await ask("", {}, { hook_event_name: "SessionEnd" });
    const { rows } = await reader.find(sessions, { where: { agentId }, size: 10 });
    const link = async () =>
      (await reader.find(clientSessions, { where: { sessionId: rows[0]?.id ?? "" }, size: 10 })).rows;
    expect(await link()).toHaveLength(1);
    await done(asOwner("DELETE", `/ai/sessions/${rows[0]?.id}`));
    expect(await link()).toHaveLength(0);
  });

  it("is approved by another than the person whose place it is, named by id or address", async () => {
    await inForce("require_approval", { command: "deploy" });
    for (const name of ["userId", "username"] as const) {
      const ada = await scene.newUser(["governance_officer"]);
      const { ask } = await bench("claude-code", { userId: ada[name] });
      const { permissionDecisionReason } = await decided(ask("Bash", { command: "deploy" }));
      const path = `/ai-governance/approvals/${/apr_\w+/.exec(permissionDecisionReason)?.[0]}/approve`;
      const own = await as(ada.token)("PATCH", path, { reason });
      expect([own.status, own.json.code]).toEqual([403, "self_approval_forbidden"]);
      const second = await scene.newUser(["governance_officer"]);
      await done(as(second.token)("PATCH", path, { reason }));
      expect((await decided(ask("Bash", { command: "deploy" }))).permissionDecision).toBe("allow");
    }
  });

  it("is denied where no session may be started, though the agent itself may go on", async () => {
    await inForce("allow", { command: "stay" });
    const { ask, identityAssetId } = await bench();
    const stay = () => decided(ask("Bash", { command: "stay" }, { session_id: scene.unique() }));
    const turn = (status: "engaged" | "released") => {
      const body = { status, reason, configuration: { tenantId: scene.tenantId } };
      const path = `/support/kill-switches/ai.asset.${identityAssetId}`;
      return done(as(scene.provider.owner.token)("POST", path, body));
    };
    expect((await stay()).permissionDecision).toBe("allow");
    await turn("engaged");
    expect((await stay()).permissionDecision).toBe("deny");
    await turn("released");
    expect((await stay()).permissionDecision).toBe("allow");
  });

  it("denies a name that a scanned server does not offer", async () => {
    await inForce("allow", { tool: "mcp__files-more__other" });
    const { ask, use } = await bench();
    expect((await decided(ask("mcp__files-more__other"))).permissionDecision).toBe("allow");
    const { assetId, name } = await done(asOwner("GET", `/ai/mcp-servers/${await scene.newScannedServer()}`));
    const [tool] = (await done(asOwner("GET", `/ai/tools?serverId=${assetId}`))).items;
    await use(assetId);
    const offered = `mcp__${name.toLowerCase()}__${tool.toolName}`;
    await inForce("allow", { tool: offered });
    await inForce("allow", { tool: `${offered}-not` });
    const { resource } = JSON.parse(await lastDecision(ask(offered)));
    expect(resource.id).toBe(tool.assetId);
    expect((await decided(ask(`${offered}-not`))).permissionDecision).toBe("deny");
  });

  it("is denied to one installation by itself, and goes on at the others of the agent", async () => {
    await inForce("allow", { command: "elsewhere" });
    const one = await bench();
    const issued = await done(asOwner("POST", "/ai/installation-codes", { agentId: one.agentId }));
    const body = { code: issued.code, client: "claude-code" };
    const other = await done(world.send("POST", "/api/v1/ai/installations/enrol", { body }));
    const ask = (token: string) =>
      decided(
        as(token)("POST", "/hooks/claude-code", {
          ...{ hook_event_name: "PreToolUse", session_id: scene.unique(), tool_name: "Bash" },
          tool_input: { command: "elsewhere" },
        }),
      );
    const suspended = { status: "suspended", reason };
    await done(asOwner("PATCH", `/ai-assets/${one.identityAssetId}/governance-state`, suspended));
    expect((await one.ask("Bash", { command: "elsewhere" })).status).toBe(401);
    const { permissionDecision, permissionDecisionReason } = await ask(other.credential);
    expect([permissionDecision, permissionDecisionReason]).toEqual(["allow", expect.any(String)]);
  });
});
