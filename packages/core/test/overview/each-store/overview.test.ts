import type { Actor, Answer, Scene, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import type { Collection } from "#kernel/records/collection.js";
import { collections } from "#reference/index.js";
import type { StoredRecord } from "#store/index.js";
import { countedReads } from "../../helpers/counted-reads.js";
import { emptyStore } from "../../helpers/stores.js";
import { createWorld } from "../../helpers/world.js";

const DAY = 86_400_000;
const PATH = "/api/v1/ai/overview";
const collectionOf = (name: string) => collections.find((each) => each.name === name) as Collection;

const look = (scene: Scene, query = "", actor: Actor = scene.owner): Promise<Answer> =>
  scene.send("GET", `${PATH}${query}`, { token: actor.token });
const post = async (scene: Scene, path: string, body: object) => {
  const { status, json, text } = await scene.send("POST", path, { token: scene.owner.token, body });
  if (status !== 201) throw new Error(text);
  return json;
};
/** Stores a changed record directly. Probes and scans have their own tests. */
async function put(scene: Scene, name: string, id: string, patch: object): Promise<void> {
  const tenant = scene.store.forTenant(scene.tenantId);
  const collection = collectionOf(name);
  const stored = (await tenant.get(collection, id))?.value as StoredRecord;
  await tenant.replace(collection, { ...stored, ...patch, version: stored.version + 1 } as StoredRecord, stored);
}
const titles = ({ json }: Answer): string[] => json.attention.items.map(({ title }: { title: string }) => title);
const kinds = ({ json }: Answer): string[] => json.attention.items.map(({ kind }: { kind: string }) => kind);

describe("the overview", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ tokenLifetime: 86_400, rateLimits: "off" });
    const { a } = world;
    for (let n = 0; n < 3; n++) await post(a, "/api/v1/ai/agents", { name: `agent ${n}` });
    await post(a, "/api/v1/ai/tools", { name: "tool" });
    await post(a, "/api/v1/ai/models", { name: "model" });
    await post(a, "/api/v1/ai/mcp-servers", { name: "server", url: "https://mcp.example.com/" });
    await a.newAsset({ assetType: "dataset", environment: "production" });
  });

  it("has the numbers that the lists have", async () => {
    const { a } = world;
    const { json } = await look(a);
    const lists = {
      assets: "/api/v1/ai-assets",
      agents: "/api/v1/ai/agents",
      tools: "/api/v1/ai/tools",
      identities: "/api/v1/ai/identities",
      models: "/api/v1/ai/models",
      mcpServers: "/api/v1/ai/mcp-servers",
      sessions: "/api/v1/ai/sessions",
      approvals: "/api/v1/ai-governance/approvals",
    };
    for (const [block, path] of Object.entries(lists)) {
      const list = await a.send("GET", `${path}?size=100`, { token: a.owner.token });
      expect(json[block].total, block).toBe(list.json.totalItems);
      const tally = (field: string) => {
        const counts: Record<string, number> = {};
        for (const item of list.json.items) counts[item[field]] = (counts[item[field]] ?? 0) + 1;
        return counts;
      };
      expect(json[block].byStatus ?? json[block].byLifecycle, block).toEqual(tally("status"));
      if (block === "mcpServers") expect(json.mcpServers.byConnection).toEqual(tally("connection"));
      if (block !== "assets") continue;
      expect(json.assets.byType).toEqual(tally("assetType"));
      expect(json.assets.byEnvironment).toEqual(tally("environment"));
      expect(json.assets.byGovernanceState).toEqual(tally("governanceState"));
    }
  });

  it("shows the newest ten events, and how much was refused within a day", async () => {
    const { a, clock } = world;
    const before = (await look(a)).json.activity.denied.count;
    for (let n = 0; n < 3; n++)
      await a.send("DELETE", `/api/v1/ai-assets/ast_7ZZZZZZZZZZZZZZZZZZZZZZZZ${n}`, { token: a.owner.token });
    const { json } = await look(a);
    const activity = await a.send("GET", "/api/v1/ai/activity?size=10", { token: a.owner.token });
    expect(json.activity.last).toEqual(activity.json.items);
    expect(json.activity.denied).toEqual({ hours: 24, count: before + 3, relation: "exact" });
    clock.advance(DAY - 60_000);
    const later = await a.signIn(a.owner.userId, a.owner);
    clock.advance(120_000);
    expect((await look(a, "", later)).json.activity.denied.count).toBe(0);
    a.actors.owner = later;
  });

  it("shows nothing of another tenant, and to each what it may see anyway", async () => {
    const narrow = await createWorld({
      roles: {
        glancer: { description: "Looks", permissions: ["ai-overview:read"] },
        toolsmith: { description: "Looks at tools", permissions: ["ai-overview:read", "ai-tool:read"] },
      },
    });
    const [glancer, toolsmith] = [await narrow.a.newUser(["glancer"]), await narrow.a.newUser(["toolsmith"])];
    expect(Object.keys((await look(narrow.a, "", glancer)).json)).toEqual(["asOf", "attention"]);
    expect((await look(narrow.a, "", glancer)).json.attention.totalItems).toBe(0);
    const seen = await look(narrow.a, "", toolsmith);
    expect(Object.keys(seen.json)).toEqual(["asOf", "tools", "attention"]);
    expect(new Set(kinds(seen))).toEqual(new Set(["tools_pending"]));
    expect((await look(narrow.b)).text).not.toContain(narrow.a.sentinel);
  });

  it("O7 asks the store the same few questions however many records there are", async () => {
    const { store, asked } = countedReads(await emptyStore());
    const { a, provider } = await createWorld({ store, rateLimits: "off" });
    expect(provider.tenantId).not.toBe(a.tenantId);
    await look(a);
    const questions = async () => {
      asked.length = 0;
      await look(a);
      return asked.map(([, method]) => method).sort();
    };
    const few = await questions();
    for (let n = 0; n < 60; n++) await a.newAsset();
    expect(await questions()).toEqual(few);
    expect(few.length).toBeLessThan(42);
    expect(few.filter((method) => method === "scan" || method === "list" || method === "count")).toEqual([]);
  });
});

describe("what needs attention", () => {
  it("is nothing but what waits for a decision, in an estate at rest", async () => {
    const { a } = await createWorld();
    expect(new Set(kinds(await look(a)))).toEqual(
      new Set(["approvals_requested", "exemptions_requested", "tools_pending"]),
    );
  });

  it("is ranked by gravity and time, and leads to where it is", async () => {
    const { a, clock, controlPlane } = await createWorld({ tokenLifetime: 86_400, rateLimits: "off" });
    const move = async (id: string, body: object, actor = a.actors.governance_officer) => {
      const sent = { token: actor.token, body: { reason: "for the sake of this test", ...body } };
      const { status, text } = await a.send("PATCH", `/api/v1/ai-assets/${id}/governance-state`, sent);
      if (status !== 200) throw new Error(text);
    };
    const approve = async (days: number) => {
      const id = await a.newAsset({ name: `approved for ${days}` });
      await move(id, { status: "under_review" }, a.owner);
      const approvedUntil = new Date(clock.now() + days * DAY).toISOString();
      await move(id, { status: "approved", configuration: { approvedUntil } });
    };
    for (const days of [20, 5, 60]) await approve(days);
    const suspended = await a.newAsset();
    await move(suspended, { status: "suspended" });
    await move(await a.newAsset(), { status: "under_review" }, a.owner);
    const server = await post(a, "/api/v1/ai/mcp-servers", { url: "https://mcp.example.com/" });
    await put(a, "mcp_servers", server.id, {
      connection: "unreachable",
      manifest: { ...server.manifest, state: "drifted" },
    });
    const [session] = (await a.send("GET", "/api/v1/ai/sessions", { token: a.owner.token })).json.items;
    const ended = { status: "terminated", enforcement: { ...session.enforcement, state: "partial" } };
    await put(a, "ai_sessions", session.id, ended);
    const tool = await post(a, "/api/v1/ai/tools", { name: "tool" });
    await put(a, "ai_tools", tool.id, { status: "changed" });

    const seen = await look(a);
    const grave = seen.json.attention.items.map(({ severity }: { severity: string }) => severity);
    const order = ["critical", "high", "medium", "low"];
    expect(grave).toEqual([...grave].sort((x, y) => order.indexOf(x) - order.indexOf(y)));
    expect(seen.json.sessions.unconfirmed).toEqual({ partial: 1 });
    expect(titles(seen)).toEqual([
      "1 session was terminated, and not all enforcement points have confirmed it",
      "1 asset is suspended",
      "3 decisions were by people related to who asked",
      "1 MCP server offers something else than was approved",
      "1 MCP server does not answer",
      "1 tool says something else than was approved",
      'The approval of "approved for 5" runs out',
      'The approval of "approved for 20" runs out',
      "1 action waits for approval",
      expect.stringMatching(/^\d+ assets? waits? for a decision$/),
      "1 exemption waits for a decision",
      expect.stringMatching(/^\d+ tools? waits? for approval$/),
    ]);
    for (const { href } of seen.json.attention.items) {
      expect((await a.send("GET", href, { token: a.owner.token })).status, href).toBe(200);
    }

    clock.advance(6 * DAY);
    a.actors.owner = await a.signIn(a.owner.userId, a.owner);
    const unwritten = await look(a);
    expect(titles(unwritten)).toContain("1 approval has run out");
    expect(unwritten.json.assets.byGovernanceState.expired).toBe(1);
    await controlPlane.tick();
    const written = await look(a);
    expect(written.json.assets).toEqual(unwritten.json.assets);
    // The tick has also probed the server, which changed its items.
    const ofOthers = (answer: Answer) => titles(answer).filter((title) => !title.includes("MCP server"));
    expect(ofOthers(written)).toEqual(ofOthers(unwritten));
  });

  it("comes in pages", async () => {
    const { a, clock } = await createWorld({ rateLimits: "off" });
    for (let n = 0; n < 30; n++) {
      const expires = new Date(clock.now() + (n + 1) * 3_600_000).toISOString();
      await a.newIdentity({ name: `identity ${String(n).padStart(2, "0")}`, credentialExpiresAt: expires });
    }
    const whole = (await look(a, "?size=100")).json.attention;
    expect(whole.items.filter(({ kind }: { kind: string }) => kind === "identity_expiring")).toHaveLength(25);
    const paged = [];
    for (let page = 0; page < whole.totalItems / 7; page++) {
      const { attention } = (await look(a, `?size=7&page=${page}`)).json;
      expect(attention).toMatchObject({
        page,
        size: 7,
        totalItems: whole.totalItems,
        totalPages: Math.ceil(whole.totalItems / 7),
      });
      paged.push(...attention.items);
    }
    expect(paged).toEqual(whole.items);
    expect((await look(a, "?page=99")).json.attention.items).toEqual([]);
    expect((await look(a, "?cursor=x")).json.code).toBe("invalid_parameter");
  });
});
