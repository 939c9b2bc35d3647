import type { Actor, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { type Finding, OPEN_STATUSES } from "#families/findings/index.js";
import { DAY, findingsOf, REASON } from "../../helpers/findings.js";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const AGENTS = "/api/v1/ai/agents";
const SERVERS = "/api/v1/ai/mcp-servers";
const RUN = "/api/v1/ai-governance/evaluations/run";
const NONE = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
const UNKNOWN = { openFindings: null, postureScore: null, postureScoredAt: null };

let world: World;
let at: ReturnType<typeof findingsOf>;
let who: Actor;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  at = findingsOf(world);
  who = world.a.owner;
});

const get = async (path: string) => (await at.ask("GET", path, undefined, who)).json;
const now = () => new Date(world.clock.now()).toISOString();
const run = async (body: object = {}) => {
  const answer = await at.ask("POST", RUN, body, who);
  expect(answer, answer.text).toMatchObject({ status: 201, json: { status: "completed" } });
};
/** The three fields, as one record and its row in the list show them. */
async function shown(path: string, id: string) {
  const { openFindings, postureScore, postureScoredAt, version, editVersion } = await get(`${path}/${id}`);
  const row = (await get(`${path}?size=100`)).items.find((each: { id: string }) => each.id === id);
  expect(row).toMatchObject({ openFindings, postureScore, postureScoredAt, version });
  return { openFindings, postureScore, postureScoredAt, version, editVersion };
}
/** The numbers of open findings on an asset, counted one by one. */
async function counted(assetId: string) {
  const counts: Record<string, number> = { ...NONE };
  for (const { status, effectiveSeverity } of (await get(`${ASSETS}/${assetId}/governance-findings?size=100`))
    .items as Finding[])
    if (OPEN_STATUSES.includes(status)) counts[effectiveSeverity] = (counts[effectiveSeverity] ?? 0) + 1;
  return counts;
}
/** Two rules, of which assets of this provider without a team fail one. */
const policy = () =>
  world.a.newPolicy("posture", {
    ...{ key: world.a.unique().toLowerCase(), severity: "high", status: "observe" },
    selector: { expression: 'asset.provider == "scored"' },
    rules: [
      { key: "has-team", assert: "asset.hasTeam", message: "{asset.name} has no team." },
      { key: "has-name", assert: 'asset.name != ""', message: "It has no name." },
    ],
    tests: [{ name: "elsewhere", input: { asset: { provider: "another" } }, expect: "skip" }],
  });
const TEAM = { team: { type: "team", id: "platform" } };
const asset = (more: object = {}) => world.a.newAsset({ provider: "scored", ...more });

describe("openFindings and postureScore", () => {
  it("G-M1 are unknown until an evaluation, and then on every asset, agent and MCP server, and nowhere else", async () => {
    await policy();
    const [bad, good] = [await asset(), await asset(TEAM)];
    const create = async (path: string, body: object) => (await at.ask("POST", path, body)).json;
    const agent = await create(AGENTS, { name: "An agent", provider: "scored" });
    const server = await create(SERVERS, {
      ...{ name: "A server", provider: "scored", transport: "streamable_http" },
      url: "https://mcp.acme.example/mcp",
    });
    for (const each of [agent, server]) expect(each).toMatchObject(UNKNOWN);
    expect(await shown(ASSETS, bad)).toMatchObject({ ...UNKNOWN, version: 1 });
    const other = await world.b.newAsset({ provider: "scored" });
    await run();
    const failed = { openFindings: { ...NONE, high: 1, asOf: now() }, postureScore: 50, postureScoredAt: now() };
    expect(await shown(ASSETS, bad)).toMatchObject({ ...failed, version: 2, editVersion: 1 });
    expect(await shown(AGENTS, agent.id)).toMatchObject({ ...failed, version: 2, editVersion: 1 });
    expect(await shown(SERVERS, server.id)).toMatchObject({ ...failed, editVersion: server.version });
    expect(await shown(ASSETS, good)).toMatchObject({
      ...{ openFindings: { ...NONE, asOf: now() }, postureScore: 100, postureScoredAt: now() },
    });
    const elsewhere = await at.ask("GET", `${ASSETS}/${other}`, undefined, world.b.owner);
    expect(elsewhere.json).toMatchObject({ ...UNKNOWN, version: 1 });
    const history = await get(`${ASSETS}/${bad}/activity`);
    expect(history.items.map(({ type }: { type: string }) => type)).not.toContain("asset.updated");
    const changed = { token: who.token, headers: { "if-match": '"1"' }, body: { description: "as read before" } };
    expect((await world.send("PUT", `${ASSETS}/${bad}`, changed)).status).toBe(200);
  });

  it("G-M1 follow each move of a finding, and the end of an exemption once it is stored", async () => {
    await policy();
    const id = await asset();
    await run();
    const finding = (await get(`${ASSETS}/${id}/governance-findings`)).items[0] as Finding;
    const agrees = async () => {
      const { openFindings, postureScore } = await shown(ASSETS, id);
      expect([openFindings, postureScore]).toEqual([{ ...(await counted(id)), asOf: openFindings.asOf }, 50]);
      return openFindings;
    };
    await at.review(finding.id, { action: "acknowledge" });
    expect(await agrees()).toMatchObject({ high: 1 });
    await at.review(finding.id, { action: "override_severity", severity: "critical", reason: REASON });
    expect(await agrees()).toMatchObject({ critical: 1, high: 0 });
    world.clock.advance(1_000);
    await at.approved({ scope: { fingerprint: finding.fingerprint }, expiresAt: at.inDays(3) });
    expect(await agrees()).toEqual({ ...NONE, asOf: now() });
    world.clock.advance(3 * DAY);
    await world.a.signInToSpare();
    who = world.a.spare;
    // What was counted says of when it is.
    expect((await shown(ASSETS, id)).openFindings.asOf < now()).toBe(true);
    await world.controlPlane.tick();
    expect(await agrees()).toEqual({ ...NONE, critical: 1, asOf: now() });
    await at.ask("PUT", `${ASSETS}/${id}`, TEAM, who);
    await run();
    expect(await shown(ASSETS, id)).toMatchObject({ openFindings: { ...NONE, asOf: now() }, postureScore: 100 });
  });

  it("G-M1 claim no zero and no score after a run of some policies only", async () => {
    const policyId = await policy();
    const [bad, good] = [await asset(), await asset(TEAM)];
    await run({ scope: { policyIds: [policyId] } });
    const counts = { ...NONE, high: 1, asOf: now() };
    expect(await shown(ASSETS, bad)).toMatchObject({ ...UNKNOWN, openFindings: counts });
    expect(await shown(ASSETS, good)).toMatchObject(UNKNOWN);
  });

  it("G-M1 end with a retirement, and a disabled policy takes its findings along", async () => {
    const policyId = await policy();
    const [kept, gone] = [await asset(), await asset()];
    await run();
    const retired = await at.ask("PATCH", `${ASSETS}/${gone}/lifecycle`, { status: "retired", reason: REASON });
    expect(retired).toMatchObject({ status: 200, json: UNKNOWN });
    expect(await shown(ASSETS, gone)).toMatchObject({ ...UNKNOWN, version: retired.json.version });
    await at.ask("PUT", `/api/v1/ai-governance/policies/${policyId}`, { status: "disabled", reason: REASON });
    expect(await shown(ASSETS, kept)).toMatchObject({ openFindings: NONE });
  });

  it("are counted anew when the asset is restored, with what no policy has found", async () => {
    await policy();
    const id = await asset();
    await run();
    const { id: findingId } = await at.found({ severity: "medium", policyId: null, source: "access" }, id);
    await at.ask("PATCH", `${ASSETS}/${id}/lifecycle`, { status: "retired", reason: REASON }, who);
    const restored = await at.ask("PATCH", `${ASSETS}/${id}/lifecycle`, { status: "registered", reason: REASON }, who);
    expect(restored.json).toMatchObject({ openFindings: { ...NONE, medium: 1 }, postureScore: null });
    expect(await counted(id)).toEqual({ ...NONE, medium: 1 });
    await at.review(findingId, { action: "dismiss", reasonCode: "false_positive", reason: REASON });
    expect(await shown(ASSETS, id)).toMatchObject({ openFindings: null });
    await run();
    expect(await shown(ASSETS, id)).toMatchObject({ openFindings: { ...NONE, high: 1 } });
  });

  it("are stored anew once a day while nothing changes, and no more often", async () => {
    await policy();
    const id = await asset();
    await run();
    const first = await shown(ASSETS, id);
    world.clock.advance(DAY - 60_000);
    await world.a.signInToSpare();
    who = world.a.spare;
    await run({ mode: "full" });
    expect(await shown(ASSETS, id)).toEqual(first);
    world.clock.advance(60_000);
    await run();
    expect(await shown(ASSETS, id)).toEqual({ ...first, version: first.version + 1, postureScoredAt: now() });
  });

  it("may be sent back as they were read, and not changed", async () => {
    const id = await asset();
    const { openFindings, postureScore } = await get(`${ASSETS}/${id}`);
    expect((await at.ask("PUT", `${ASSETS}/${id}`, { openFindings, postureScore })).status).toBe(200);
    const refused = await at.ask("PUT", `${ASSETS}/${id}`, { postureScore: 100 });
    expect(refused).toMatchObject({ status: 400, json: { code: "read_only_property" } });
  });
});
