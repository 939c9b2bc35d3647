import { type Actor, newInstallation, type Scene, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { CATEGORIES } from "#families/enforcement/packs/fields.js";
import { PACKS } from "#families/enforcement/packs/tools/index.js";
import { publicationBench } from "../../helpers/publication-bench.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let scene: Scene;
let second: Actor;
type Benches = ReturnType<typeof publicationBench>;
let as: Benches["as"];
let asOwner: Benches["asOwner"];
let approve: Benches["approve"];
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
  second = await scene.newUser(["governance_officer"]);
  ({ as, asOwner, approve } = publicationBench(world, scene, second));
});

const link = (assetId: string, body: object) => asOwner("POST", `/ai-assets/${assetId}/client-pack`, body);
const agentOf = async (assetId: string) => (await asOwner("GET", `/ai/agents?assetId=${assetId}`)).items[0];

describe("the tools of a client", () => {
  it.each(Object.values(PACKS))("$client have a name each and a category", ({ tools, version }) => {
    const names = tools.map(({ toolName }) => toolName);
    expect(new Set(names).size).toBe(names.length);
    for (const category of version === "documentation" ? ["shell"] : ["shell", "edit", "read", "web"])
      expect(tools.some((tool) => tool.category === category)).toBe(true);
    expect(tools.every(({ category }) => CATEGORIES.includes(category))).toBe(true);
  });

  it("are registered once, and used by an agent that goes back to review", async () => {
    const agentId = await scene.newAsset({ assetType: "agent" });
    await approve(agentId);
    const body = { client: "claude-code", categories: ["shell"] };
    const first = await link(agentId, body);
    expect(first).toMatchObject({ client: "claude-code", version: "2.1.332" });
    expect(first.tools.map((tool: object) => Object(tool).toolName)).toEqual(["Bash", "Monitor"]);
    expect((await asOwner("GET", `/ai-assets/${agentId}`)).governanceState).toBe("under_review");
    const again = await link(agentId, body);
    for (const [index, tool] of again.tools.entries())
      expect(tool).toEqual({ ...first.tools[index], isNew: false, isLinked: false });
    const other = await scene.newAsset({ assetType: "agent" });
    const all = await link(other, { client: "claude-code" });
    expect(all.tools).toHaveLength(PACKS["claude-code"].tools.length);
    expect(all.tools[0]).toMatchObject({ assetId: first.tools[0].assetId, isNew: false, isLinked: true });
    expect((await agentOf(other)).toolIds).toHaveLength(all.tools.length);
    const bash = (await asOwner("GET", `/ai/tools?assetId=${first.tools[0].assetId}`)).items[0];
    expect(bash).toMatchObject({ toolName: "Bash", origin: "builtin", status: "pending_review", serverId: null });
    expect(bash.effects).toContain("destructive");
    const codex = await link(other, { client: "codex", categories: ["shell"] });
    expect(codex.tools[0].assetId).not.toBe(bash.assetId);
  });

  it("are told to rules by category, and asked about by hooks", async () => {
    const name = scene.unique();
    const rules = [
      {
        ...{ key: "reads", effect: "allow", message: name },
        if: 'has(resource.properties.category) && resource.properties.category == "read"',
      },
    ];
    const about = (category: string) => ({ resource: { type: "tool", id: "x", properties: { category } } });
    const tests = [
      { name: "read", input: { action: { name: "tools/call" }, ...about("read") }, expect: "allow" },
      { name: "shell", input: { action: { name: "tools/call" }, ...about("shell") }, expect: "none" },
    ];
    await scene.newPolicy("runtime", { rules, tests, status: "active" });
    const { agentId, credential } = await newInstallation(scene, "claude-code");
    await link(agentId, { client: "claude-code", categories: ["read", "shell"] });
    const ask = async (tool_name: string) =>
      (await as(credential)("POST", "/hooks/claude-code", { hook_event_name: "PreToolUse", tool_name }))
        .hookSpecificOutput.permissionDecision;
    expect([await ask("Read"), await ask("Bash"), await ask("WebFetch")]).toEqual(["allow", "deny", "deny"]);
  });

  it("are of one tenant, and for agents alone", async () => {
    const agentId = await scene.newAsset({ assetType: "agent" });
    const send = (token: string, id: string, body: object) =>
      world.send("POST", `/api/v1/ai-assets/${id}/client-pack`, { token, body }).then(({ status }) => status);
    const body = { client: "gemini-cli" };
    expect(await send(world.b.owner.token, agentId, body)).toBe(404);
    expect(await send(scene.owner.token, await scene.newAsset({ assetType: "application" }), body)).toBe(404);
    expect(await send(scene.actors.auditor.token, agentId, body)).toBe(403);
    expect(await send(scene.owner.token, agentId, { client: "copilot" })).toBe(400);
    const own = await world.b.newAsset({ assetType: "agent" });
    expect(await send(world.b.owner.token, own, body)).toBe(200);
  });

  it("are registered anew once they were deleted", async () => {
    const agentId = await scene.newAsset({ assetType: "agent" });
    const body = { client: "gemini-cli", categories: ["web"] };
    const { tools } = await link(agentId, body);
    const agent = await agentOf(agentId);
    await asOwner("PUT", `/ai/agents/${agent.id}`, { toolIds: [] });
    await asOwner("DELETE", `/ai-assets/${tools[0].assetId}`);
    const again = await link(agentId, body);
    expect(again.tools.map(({ isNew }: { isNew: boolean }) => isNew)).toEqual([true, false]);
  });
});
