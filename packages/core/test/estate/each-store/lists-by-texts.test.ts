import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

interface Item {
  readonly id: string;
  readonly assetId: string;
  readonly [property: string]: unknown;
}

const ASSETS = "/api/v1/ai-assets";
const AGENTS = "/api/v1/ai/agents";
const HOSTILE = ["a,b", "50%", "a_b", "back\\slash", 'say "hi"', "it's", "👩‍👩‍👧", "Straße", "\n", "= ="];
const LONGEST = "x".repeat(200);

let world: World;
const made = new Map<string, Item>();

const send = async (method: string, path: string, body?: object, scene = world.a) => {
  const answer = await world.send(method, path, { token: scene.owner.token, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const asked = (value: string) => encodeURIComponent(value.replaceAll(",", "\\,"));
const names = async (path: string, query: string, scene = world.a): Promise<string[]> =>
  (await send("GET", `${path}?size=100&sort=name&${query}`, undefined, scene)).items.map(({ name }: Item) => name);

async function make(path: string, name: string, body: object): Promise<Item> {
  const item = await send("POST", path, { name, ...body });
  made.set(name, item);
  return item;
}

beforeAll(async () => {
  world = await createWorld();
  const [one, two] = [
    await make("/api/v1/ai/models", "model one", {
      modelId: "gpt-5-mini",
      aliases: ["fast", "cheap"],
      modality: ["text", "image"],
    }),
    await make("/api/v1/ai/models", "model two", { aliases: ["fast-2"], modality: ["text"] }),
  ];
  const tool = await make("/api/v1/ai/tools", "tool", { effects: ["read", "external"] });
  await make("/api/v1/ai/tools", "other tool", { effects: ["write"] });
  const server = await make("/api/v1/ai/mcp-servers", "server", {});
  const identity = await make("/api/v1/ai/identities", "identity", { scopes: ["ai-asset:read", "ai-agent:read"] });
  await make("/api/v1/ai/identities", "other identity", { scopes: ["ai-asset:read"] });
  const agent = await make(AGENTS, "agent", {
    modelIds: [one.assetId, two.assetId],
    toolIds: [tool.assetId],
    mcpServerIds: [server.assetId],
    identityId: identity.assetId,
  });
  await make(AGENTS, "other agent", { modelIds: [two.assetId] });
  await send("PUT", `/api/v1/ai/identities/${identity.id}`, { agentIds: [agent.assetId] });
  await make(ASSETS, "labelled", { assetType: "application", labels: { team: "red", tier: "1" } });
  await make(ASSETS, "labelled too", { assetType: "application", labels: { team: "blue" } });
  await make(ASSETS, "hostile", {
    assetType: "application",
    labels: Object.fromEntries([...HOSTILE, LONGEST].map((text) => [text, text])),
  });
  await make(ASSETS, "unlabelled", { assetType: "application" });
});

const idOf = (name: string) => made.get(name)?.assetId ?? "";

const FILTERS: readonly [path: string, query: () => string, found: readonly string[]][] = [
  [ASSETS, () => "label=team", ["labelled", "labelled too"]],
  [ASSETS, () => "label=team%3Dred", ["labelled"]],
  [ASSETS, () => "label=team%3Dred,team%3Dblue,none", ["labelled", "labelled too"]],
  [ASSETS, () => "label=tier&search=labelled", ["labelled"]],
  [ASSETS, () => "label=Team", []],
  [ASSETS, () => "label=tea,red,team%3D,team%3Dre,%25,_eam,team%3Dred%0Atier", []],
  [AGENTS, () => `modelId=${idOf("model one")}`, ["agent"]],
  [AGENTS, () => `modelId=${idOf("model two")}`, ["agent", "other agent"]],
  [AGENTS, () => `toolId=${idOf("tool")}`, ["agent"]],
  [AGENTS, () => `toolId=${idOf("other tool")}`, []],
  [AGENTS, () => `mcpServerId=${idOf("server")}&kind=other`, ["agent"]],
  [AGENTS, () => `identityId=${idOf("identity")}`, ["agent"]],
  ["/api/v1/ai/identities", () => `agentId=${idOf("agent")}`, ["identity"]],
  ["/api/v1/ai/identities", () => "scope=ai-agent:read", ["identity"]],
  ["/api/v1/ai/identities", () => "scope=ai-asset:read", ["identity", "other identity"]],
  ["/api/v1/ai/identities", () => "scope=ai-asset", []],
  ["/api/v1/ai/tools", () => "effect=write,external", ["other tool", "tool"]],
  ["/api/v1/ai/tools", () => "effect=read", ["tool"]],
  ["/api/v1/ai/models", () => "alias=fast", ["model one"]],
  ["/api/v1/ai/models", () => "modality=image", ["model one"]],
  ["/api/v1/ai/models", () => "modality=text", ["model one", "model two"]],
  ["/api/v1/ai/models", () => "modelId=gpt-5-mini", ["model one"]],
];

describe("a filter by one of several texts", () => {
  it.each(FILTERS)("at %s by %s finds %j, and nothing of it for another tenant", async (path, query, found) => {
    const mine = async (scene = world.a) => (await names(path, query(), scene)).filter((name) => made.has(name));
    expect(await mine()).toEqual(found);
    expect(await mine(world.b)).toEqual([]);
  });

  it.each([...HOSTILE, LONGEST])("takes %j as it is", async (text) => {
    for (const label of [text, `${text}=${text}`]) {
      expect(await names(ASSETS, `label=${asked(label)}`)).toEqual(["hostile"]);
      expect(await names(ASSETS, `label=${asked(label)}`, world.b)).toEqual([]);
    }
    expect(await names(ASSETS, `label=${asked(`${text}!`)}`)).toEqual([]);
  });

  it("is told the whole number where all rows were looked at", async () => {
    const { totalItems, totalRelation } = await send("GET", `${ASSETS}?label=team`);
    expect([totalItems, totalRelation]).toEqual([2, "exact"]);
  });

  it.each(["label=%00", `label=${"x".repeat(702)}`, "effect=nothing", "sort=labels", "labels=team"])(
    "refuses %s",
    async (query) => {
      const path = query.startsWith("effect") ? "/api/v1/ai/tools" : ASSETS;
      const { status } = await world.send("GET", `${path}?${query}`, { token: world.a.owner.token });
      expect(status).toBe(400);
    },
  );
});

describe("users", () => {
  it("are found by a role, and no more once they have lost it", async () => {
    const actor = await world.a.newUser(["auditor", "member"]);
    const ids = async (role: string, scene = world.a) =>
      (await send("GET", `/api/v1/users?size=100&role=${role}`, undefined, scene)).items.map(({ id }: Item) => id);
    expect(await ids("auditor")).toContain(actor.userId);
    expect(await ids("audit")).toEqual([]);
    expect(await ids("auditor", world.b)).not.toContain(actor.userId);
    await send("PATCH", `/api/v1/users/${actor.userId}`, { roles: ["member"] });
    expect(await ids("auditor")).not.toContain(actor.userId);
    expect(await ids("member,owner")).toEqual(expect.arrayContaining([actor.userId, world.a.owner.userId]));
  });
});
