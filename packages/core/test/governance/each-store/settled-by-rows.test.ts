import { newSubmittedAssessment, type Scene, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { assets } from "#families/estate/index.js";
import { halfOf } from "#families/governance/evaluations/judge/judge.js";
import { evaluationMarks } from "#families/governance/evaluations/results/marks.js";
import { snapshotsOfAssets } from "#families/governance/snapshots/take/snapshots.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { environmentOf } from "../../helpers/environment.js";
import { sendAsSeen } from "../../helpers/seen.js";
import { createWorld } from "../../helpers/world.js";

const DAY = 86_400_000;
/** Less than a day, after which scores are stored anew. */
const LATER = DAY / 2;

let world: World;
let scene: Scene;
/** An agent and what is around it, by the ids of assets and of typed records. */
const asset: Record<string, string> = {};
const record: Record<string, string> = {};

const ask = async (method: string, path: string, body?: object) => {
  const answer = await scene.send(method, path, { token: scene.owner.token, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const change = (id: string | undefined, body: object) => ask("PUT", `/api/v1/ai-assets/${id}`, body);
const configure = (path: string, configuration: object) => ask("PUT", `/api/v1/ai/${path}`, { configuration });
const exposeTool = () =>
  scene.newTool({ origin: "mcp", serverId: asset.server, toolName: scene.unique(), effects: ["read"] });

async function add(name: string, path: string, id: string): Promise<void> {
  record[name] = `${path}/${id}`;
  asset[name] = (await ask("GET", `/api/v1/ai/${record[name]}`)).assetId;
}

/** Runs over everything. Returns how many pairs were evaluated. */
async function run(): Promise<number> {
  const { counts } = await ask("POST", "/api/v1/ai-governance/evaluations/run", {});
  expect(counts.error).toBe(0);
  return counts.evaluated;
}

/** The names of assets whose results rest on values that they do not have. */
async function misjudged(): Promise<string[]> {
  const ctx = systemContext(environmentOf(world, { ids: world.ids }), scene.tenantId, "test");
  const list = (await ctx.db.scan(assets, { size: 1_000 })).map((row) => ctx.derived(assets, row));
  const snapshots = await snapshotsOfAssets(ctx, list);
  const marks = await ctx.db.getMany(
    evaluationMarks,
    list.map(({ id }) => id),
  );
  expect(marks).toHaveLength(list.length);
  const wrong = marks.filter(({ id, value }) => !value.key.startsWith(halfOf(snapshots.get(id)?.digest ?? "")));
  return wrong.map(({ id }) => Object.keys(asset).find((name) => asset[name] === id) ?? id);
}

beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
  await scene.newPolicy("posture", {
    status: "observe",
    rules: [{ key: "named", assert: 'asset.name != ""', message: "It has no name." }],
    tests: [{ name: "named", input: { asset: { name: "x" } }, expect: "pass" }],
  });
  await add("model", "models", await scene.newModel());
  await add("tool", "tools", await scene.newTool({ effects: ["read"] }));
  await add("server", "mcp-servers", await scene.newMcpServer());
  await add("exposed", "tools", await exposeTool());
  await add("identity", "identities", await scene.newIdentity());
  const uses = { modelIds: [asset.model], toolIds: [asset.tool], mcpServerIds: [asset.server] };
  await add("agent", "agents", await scene.newAgent(uses));
  await add("second", "agents", await scene.newAgent());
  asset.plain = await scene.newAsset();
  // The first run stores scores beside the results, and the second what the scored assets are read from.
  await run();
  await run();
});

/** What makes a run over everything look again, and at how many assets. */
const changes: readonly [what: string, looksAt: number, make: () => Promise<unknown>][] = [
  ["the asset itself", 1, () => change(asset.plain, { description: "another" })],
  ["its typed record", 1, () => configure(`${record.agent}`, { limits: { maxIterations: 7 } })],
  ["the asset of a model, and the agent that uses it", 2, () => change(asset.model, { name: "renamed" })],
  [
    "the record of a model, and the agent that uses it",
    2,
    () => configure(`${record.model}`, { hosting: "self_hosted" }),
  ],
  ["a tool, and the agent that uses it", 2, () => configure(`${record.tool}`, { effects: ["destructive"] })],
  ["a tool of a server, the server and the agent", 3, () => configure(`${record.exposed}`, { effects: ["write"] })],
  ["a server and its agent by a new tool", 3, exposeTool],
  [
    "a server and its agent by a tool that is gone",
    2,
    () => scene.send("DELETE", `/api/v1/ai/${record.exposed}`, { token: scene.owner.token }),
  ],
  [
    "an agent and its identity",
    2,
    () => change(asset.agent, { relations: [{ type: "runs_as", targetId: asset.identity }] }),
  ],
  [
    "an agent, another one and the identity that they share",
    3,
    () => change(asset.second, { relations: [{ type: "runs_as", targetId: asset.identity }] }),
  ],
  ["an agent whose identity is its own again, and the other two", 3, () => change(asset.second, { relations: [] })],
  [
    "an asset by the approval of its assessment",
    1,
    async () => {
      const id = await newSubmittedAssessment(scene, { assetId: asset.plain });
      const { token } = scene.actors.governance_officer;
      const path = `/api/v1/ai-governance/assessments/${id}/approve`;
      const approved = await sendAsSeen(scene, "PATCH", path, { token, body: { reason: "The measures fit." } });
      expect(approved.status, approved.text).toBe(200);
    },
  ],
  ["an asset that is another one than was assessed", 1, () => change(asset.plain, { purpose: "another" })],
];

describe("a run over everything looks again at", () => {
  it.each(changes)("%s", async (_what, looksAt, make) => {
    expect(await run(), "nothing has changed yet").toBe(0);
    await make();
    expect(await run()).toBe(looksAt);
    expect(await misjudged()).toEqual([]);
  });

  it("nothing that is the same by values, and notes what these are read from now", async () => {
    const marked = async () => {
      const ids = [asset.plain, asset.agent] as string[];
      const reader = world.store.forTenant(scene.tenantId);
      const [marks, rows] = [await reader.getMany(evaluationMarks, ids), await reader.getMany(assets, ids)];
      const versions = rows.map(({ version }) => version);
      expect(marks.map(({ value }) => value.assetVersion)).toEqual(versions);
      return marks.map(({ value: { key, assetVersion, rows } }) => ({ key, assetVersion, rows }));
    };
    await run();
    const before = await marked();
    await change(asset.plain, { attributes: { region: "another" } });
    await configure(`${record.tool}`, { toolDescription: "another" });
    expect(await run()).toBe(0);
    const after = await marked();
    expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
    expect(after[0]).toMatchObject({ assetVersion: (before[0]?.assetVersion ?? 0) + 1, rows: before[0]?.rows });
    expect(after[1]?.rows, "the tool of the agent").not.toBe(before[1]?.rows);
  });

  it("an asset whose approval has run out, though nothing was stored since", async () => {
    const soon = new Date(world.clock.now() + LATER / 2).toISOString();
    const { plain } = asset;
    const decide = (as: Scene["owner"], body: object) =>
      sendAsSeen(scene, "PATCH", `/api/v1/ai-assets/${plain}/governance-state`, { token: as.token, body });
    await decide(scene.owner, { status: "under_review", reason: "because a test wants it so" });
    const body = { status: "approved", reason: "It is fit.", configuration: { approvedUntil: soon } };
    const approved = await decide(scene.actors.approver, body);
    expect(approved.status, approved.text).toBe(200);
    expect(await run()).toBe(1);
    await run();
    expect(await run()).toBe(0);
    world.clock.advance(LATER);
    expect(await run()).toBe(1);
    expect(await misjudged()).toEqual([]);
    expect(await run(), "what time has changed stays as it is").toBe(0);
    expect(await misjudged()).toEqual([]);
  });
});
