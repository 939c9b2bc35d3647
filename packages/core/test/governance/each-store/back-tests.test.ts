import type { Scene, World } from "@reeve/testkit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { History, LOOKING_MS, MOST_EVENTS } from "#families/governance/back-tests/past/history.js";
import { RequestValues } from "#families/governance/decisions/judge/rule-results.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { EventQuery, StoredEvent } from "#store/event-log.js";
import { createWorld } from "../../helpers/world.js";

const GOVERNANCE = "/api/v1/ai-governance";
const DAY = 86_400_000;
const reason = "because a test wants it so";
const TEAM = { team: { type: "team", id: "platform" } };

let world: World;
let scene: Scene;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
});

const ask = (method: string, path: string, body?: object) =>
  scene.send(method, path, { token: scene.spare.token, ...(body ? { body } : {}) });
async function ok(method: string, path: string, body?: object) {
  const { status, json } = await ask(method, path, body);
  expect(status, JSON.stringify(json)).toBeLessThan(300);
  return json;
}
const backTest = (id: string, body: object = {}) => ok("POST", `${GOVERNANCE}/policies/${id}/back-test`, body);
const decide = (name: string, action: object = {}, resource: object = { type: "thing", id: "something" }) =>
  ok("POST", "/api/v1/ai/policies/evaluate", {
    subject: { type: "user", id: "someone" },
    action: { name, ...action },
    resource,
  });
/** The owner asks for it, and the admin approves it. */
async function erase(body: object) {
  const { admin } = scene.actors;
  const { token } = await scene.signIn(admin.userId, admin);
  const { id } = await ok("POST", `${GOVERNANCE}/audit/erasures`, { reason, ...body });
  const approved = { token, body: { decision: "approve" } };
  expect((await scene.send("POST", `${GOVERNANCE}/audit/erasures/${id}/decision`, approved)).status).toBe(200);
}
async function nextDay() {
  world.clock.advance(DAY);
  await scene.signInToSpare();
}
const assetOf = async (family: string, id: string) => (await ok("GET", `/api/v1/ai/${family}/${id}`)).assetId;

describe("a governance policy, tried on what was", () => {
  const asset = (more: object = {}) => scene.newAsset({ provider: "tested", ...more }, scene.spare);
  const policy = (assert: string, selector: object = { expression: 'asset.provider == "tested"' }) =>
    scene.newPolicy("posture", { selector, rules: [{ key: "holds", assert, message: "It fails." }], tests: [] });
  const results = ({ overAssets }: { overAssets: { moments: Record<string, unknown>[] } }) =>
    overAssets.moments.map(({ at, pass, fail, unknown }) => [String(at).slice(5, 13), pass, fail, unknown]);

  it("judges assets as they were at each midnight: changed, new, retired and deleted ones", async () => {
    const policyId = await policy("asset.hasTeam");
    const [keeps, mended, worse, removed, retired] = [
      await asset(),
      await asset(),
      await asset(TEAM),
      await asset(),
      await asset(),
    ];
    await nextDay();
    await ok("PUT", `/api/v1/ai-assets/${mended}`, TEAM);
    await ok("PATCH", `/api/v1/ai-assets/${retired}/lifecycle`, { status: "retired", reason });
    await nextDay();
    await ok("PUT", `/api/v1/ai-assets/${worse}`, { team: null });
    expect((await ask("DELETE", `/api/v1/ai-assets/${removed}`)).status).toBe(204);
    const later = await asset();
    await nextDay();
    const answer = await backTest(policyId, { days: 3 });
    expect(answer).toMatchObject({ from: "2026-01-05T00:00:00.000Z", complete: true, asOfNow: [], overRequests: null });
    expect(results(answer)).toEqual([
      ["01-05T00", 0, 0, 0],
      ["01-06T00", 1, 4, 0],
      ["01-07T00", 2, 2, 0],
      ["01-08T00", 1, 3, 0],
      ["01-08T09", 1, 3, 0],
    ]);
    const failing = new Map(answer.overAssets.failing.map((each: { assetId: string }) => [each.assetId, each]));
    expect(new Set(failing.keys())).toEqual(new Set([keeps, mended, worse, removed, retired, later]));
    expect(failing.get(keeps)).toMatchObject({ moments: 4, now: true, ruleKeys: ["holds"] });
    expect(failing.get(removed)).toMatchObject({
      moments: 2,
      now: false,
      firstAt: "2026-01-06T00:00:00.000Z",
      lastAt: "2026-01-07T00:00:00.000Z",
    });
    expect(answer.overAssets.assets.looked).toBe(answer.overAssets.assets.total);
  });

  it("sees records and what stands around them as they were, and says of what no history is kept", async () => {
    const tool = await scene.newTool({ effects: ["read"] });
    const agent = await scene.newAgent({ toolIds: [await assetOf("tools", tool)] });
    const policyId = await policy("spec.tools.all(t, !('destructive' in t.effects)) && !spec.identityShared", {
      assetTypes: ["agent"],
      expression: `asset.id == "${await assetOf("agents", agent)}"`,
    });
    await nextDay();
    await ok("PUT", `/api/v1/ai/tools/${tool}`, { configuration: { effects: ["destructive"] } });
    await nextDay();
    const answer = await backTest(policyId, { days: 2 });
    expect(answer.asOfNow).toEqual(["spec.identityShared"]);
    expect(results(answer)).toEqual([
      ["01-05T00", 0, 0, 0],
      ["01-06T00", 1, 0, 0],
      ["01-07T00", 0, 1, 0],
      ["01-07T09", 0, 1, 0],
    ]);
  });

  it("finds deleted records, and what stood around others, by what they belonged to", async () => {
    const serverId = await assetOf("mcp-servers", await scene.newMcpServer());
    const exposed = () => scene.newTool({ origin: "mcp", serverId, toolName: scene.unique(), effects: ["read"] });
    const [tool, other] = [await exposed(), await exposed()];
    const agent = await scene.newAgent({ mcpServerIds: [serverId] });
    const selector = { assetTypes: ["agent"], expression: `asset.id == "${await assetOf("agents", agent)}"` };
    const policyId = await policy(
      "size(spec.tools) == 2 && !spec.tools.exists(t, 'destructive' in t.effects)",
      selector,
    );
    await nextDay();
    await ok("PUT", `/api/v1/ai/tools/${tool}`, { configuration: { effects: ["destructive"] } });
    await nextDay();
    await ok("PUT", `/api/v1/ai/tools/${tool}`, { configuration: { effects: ["write"] } });
    await nextDay();
    for (const path of [`tools/${tool}`, `tools/${other}`, `agents/${agent}`])
      expect((await ask("DELETE", `/api/v1/ai/${path}`)).status, path).toBe(204);
    expect(results(await backTest(policyId, { days: 4 }))).toEqual([
      ["01-04T00", 0, 0, 0],
      ["01-05T00", 0, 0, 0],
      ["01-06T00", 1, 0, 0],
      ["01-07T00", 0, 1, 0],
      ["01-08T00", 1, 0, 0],
      ["01-08T09", 0, 0, 0],
    ]);
  });

  it("tries other rules in place of its own, and refuses those that do not compile", async () => {
    const policyId = await policy("asset.hasTeam");
    await asset();
    const rules = [{ key: "other", assert: "size(asset.name) > int(params.least)", message: "Short." }];
    const tried = await backTest(policyId, { days: 1, rules, params: { least: 500 } });
    expect(tried.overAssets.failing).toMatchObject([{ ruleKeys: ["other"] }]);
    expect(tried.digest).not.toBe((await ok("GET", `${GOVERNANCE}/policies/${policyId}`)).digest);
    const broken = [{ key: "other", assert: "asset.nothing", message: "Never." }];
    expect(await ask("POST", `${GOVERNANCE}/policies/${policyId}/back-test`, { rules: broken })).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: "/rules/0/assert", code: "unknown_name" }] },
    });
  });

  it("does not guess what was erased", async () => {
    const policyId = await policy("asset.hasTeam");
    const id = await asset();
    await nextDay();
    await ok("PUT", `/api/v1/ai-assets/${id}`, TEAM);
    await erase({ subjectId: id });
    await nextDay();
    expect(results(await backTest(policyId, { days: 2 }))).toEqual([
      ["01-05T00", 0, 0, 0],
      ["01-06T00", 0, 0, 1],
      ["01-07T00", 1, 0, 0],
      ["01-07T09", 1, 0, 0],
    ]);
  });

  it("does not guess at records that were erased, nor at those of others that stand in a snapshot", async () => {
    const tool = await scene.newTool({ effects: ["read"] });
    const agent = await scene.newAgent({ toolIds: [await assetOf("tools", tool)] });
    const selector = { assetTypes: ["agent"], expression: `asset.id == "${await assetOf("agents", agent)}"` };
    const ofRecord = await policy("spec.hasLimits", selector);
    const ofTools = await policy("spec.tools.all(t, !('destructive' in t.effects))", selector);
    const tame = "!('destructive' in item.effects)";
    const ofItems = await scene.newPolicy("posture", {
      selector,
      rules: [{ key: "tame", forEach: "spec.tools", locus: "item.id", assert: tame, message: "It destroys." }],
      tests: [],
    });
    const ofAsset = await policy("asset.hasOwner", selector);
    await nextDay();
    await ok("PUT", `/api/v1/ai/agents/${agent}`, { configuration: { limits: { maxIterations: 5 } } });
    await nextDay();
    await ok("PUT", `/api/v1/ai/tools/${tool}`, { configuration: { effects: ["destructive"] } });
    const at = async (id: string) =>
      (await backTest(id, { days: 2 })).overAssets.moments.map((moment: Record<string, unknown>) =>
        ["pass", "fail", "unknown"].map((name) => moment[name]),
      );
    const [none, pass, fail, unknown] = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    expect(await at(ofRecord)).toEqual([none, fail, pass, pass]);
    expect(await at(ofTools)).toEqual([none, pass, pass, fail]);
    expect(await at(ofItems)).toEqual([none, pass, pass, fail]);
    await erase({ subjectId: agent });
    expect(await at(ofRecord)).toEqual([none, unknown, pass, pass]);
    await erase({ subjectId: tool });
    expect((await at(ofTools)).map(([passing, failing]: number[]) => [passing, failing])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 1],
    ]);
    expect(await at(ofItems)).toEqual(await at(ofTools));
    expect((await at(ofAsset)).map(([, failing]: number[]) => failing)).toEqual([0, 1, 1, 1]);
  });

  it("knows that there was something that is deleted and erased", async () => {
    const policyId = await policy("asset.hasTeam");
    const id = await asset();
    await nextDay();
    expect((await ask("DELETE", `/api/v1/ai-assets/${id}`)).status).toBe(204);
    await erase({ subjectId: id });
    const answer = await backTest(policyId, { days: 1 });
    expect(results(answer)).toEqual([
      ["01-05T00", 0, 0, 0],
      ["01-06T00", 0, 0, 1],
      ["01-06T09", 0, 0, 0],
    ]);
    expect(answer.complete).toBe(true);
  });

  it("writes nothing", async () => {
    const policyId = await policy("asset.hasTeam");
    const before = (await ok("GET", "/api/v1/ai/activity?size=1")).totalItems;
    await backTest(policyId);
    expect((await ok("GET", "/api/v1/ai/activity?size=1")).totalItems).toBe(before);
  });
});

describe("a runtime policy, tried on decisions that were taken", () => {
  /** The world itself has logged one decision. */
  const OWN = 1;
  /** The id of an asset with one decision in the environment `test` and one in `staging`. */
  async function lookedAtTwice(): Promise<string> {
    const id = await scene.newAsset({ environment: "test" });
    await decide("look", {}, { type: "application", id });
    await ok("PUT", `/api/v1/ai-assets/${id}`, { environment: "staging" });
    await decide("look", {}, { type: "application", id });
    return id;
  }
  const rule = (effect: string, condition: string) => ({ key: effect, effect, if: condition, message: "So it is." });
  const policy = (...rules: object[]) => scene.newPolicy("runtime", { rules, tests: [] }, scene.spare);

  it("tells what would have come out stricter or looser", async () => {
    const key = scene.unique().toLowerCase();
    const own = await scene.newPolicy("runtime", {
      key,
      status: "active",
      rules: [rule("deny", 'action.name == "pay"'), rule("allow", 'action.name == "read"')],
      tests: [{ name: "quiet", input: { action: { name: "x" } }, expect: "none" }],
    });
    for (const name of ["pay", "read", "unheard-of"]) await decide(name);
    const other = await policy(rule("deny", 'action.name == "read"'), rule("allow", 'action.name != "read"'));
    const answer = (await backTest(other)).overRequests;
    expect(answer).toMatchObject({ decisions: OWN + 3, stricter: 1, looser: 1, same: OWN + 1, unknown: 0 });
    expect(answer.says).toMatchObject({ deny: 1, allow: OWN + 2 });
    expect(answer.examples).toMatchObject([
      { action: { name: "unheard-of" }, was: "deny", says: "allow", ruleKeys: ["allow"] },
      { action: { name: "read" }, was: "allow", says: "deny", ruleKeys: ["deny"] },
    ]);
    const eased = (await backTest(own, { rules: [rule("warn", 'action.name == "pay"')] })).overRequests;
    expect(eased).toMatchObject({ looser: 1, stricter: 0, examples: [{ action: { name: "pay" }, was: "deny" }] });
  });

  it("knows of a request what was logged, and says where that is not enough", async () => {
    await decide("pay", { properties: { amount: 500 } });
    const set = await world.send("POST", "/api/v1/support/config", {
      token: world.provider.owner.token,
      body: { name: "decisions.loggedFields", configuration: { value: ["action.properties.amount"] }, reason },
    });
    expect(set.status).toBeLessThan(300);
    await decide("pay", { properties: { amount: 500 } });
    await decide("pay", { properties: { amount: 5 } });
    const large = await policy(rule("deny", "action.properties.amount > 100"));
    expect((await backTest(large)).overRequests).toMatchObject({
      decisions: OWN + 3,
      unknown: OWN + 1,
      says: { deny: 1, none: 1, unknown: OWN + 1 },
    });
    const certain = await policy(
      rule("deny", 'action.name == "pay"'),
      rule("require_approval", "action.properties.amount > 100"),
    );
    expect((await backTest(certain)).overRequests).toMatchObject({ unknown: OWN, says: { deny: 3 } });
  });

  it("sees the assets that were asked about as they were then", async () => {
    await lookedAtTwice();
    const ofTests = await policy(rule("warn", 'asset.environment == "test"'));
    // A resource that is no asset has no environment. That is an error, as in a live decision.
    expect((await backTest(ofTests)).overRequests.says).toMatchObject({ warn: 1, none: 1, error: OWN });
  });

  it("does not guess what an asset was whose events were erased", async () => {
    const id = await lookedAtTwice();
    const { items } = await ok("GET", `/api/v1/ai/activity/${id}?size=50`);
    const changes = items.filter(({ type }: { type: string }) => type.endsWith("asset.updated.v1"));
    await erase({ eventIds: changes.map((event: { id: string }) => event.id) });
    const ofTests = await policy(rule("warn", 'has(asset.environment) && asset.environment == "test"'));
    expect((await backTest(ofTests)).overRequests.says).toMatchObject({ warn: 0, none: OWN + 1, unknown: 1 });
  });

  it("goes back no further than the days that are asked for, and never into another tenant's", async () => {
    await decide("old");
    for (let day = 0; day < 3; day += 1) await nextDay();
    await decide("new");
    await world.b.signInToSpare();
    await world.b.send("POST", "/api/v1/ai/policies/evaluate", {
      token: world.b.spare.token,
      body: { subject: { type: "user", id: "x" }, action: { name: "theirs" }, resource: { type: "thing", id: "y" } },
    });
    const all = await policy(rule("allow", "size(action.name) > 0"));
    const answer = await backTest(all, { days: 1 });
    expect(answer.overRequests.examples).toMatchObject([{ action: { name: "new" } }]);
    expect(answer.overRequests.decisions).toBe(1);
    expect((await backTest(all, { days: 30 })).overRequests.decisions).toBe(OWN + 2);
  });
});

describe("a back-test that takes long", () => {
  let now: number;
  /** From here on, time advances only when a test advances it. */
  const holdTime = () => {
    now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
  };
  afterEach(() => vi.restoreAllMocks());

  it("stops between two decisions, and says back to which it came", async () => {
    const rule = { key: "all", effect: "allow", if: "size(action.name) > 0", message: "It may." };
    const policyId = await scene.newPolicy("runtime", { rules: [rule], tests: [] }, scene.spare);
    const times: string[] = [];
    for (let at = 0; at < 8; at += 1) {
      world.clock.advance(1_000);
      times.unshift(new Date(world.clock.now()).toISOString());
      await decide(`deed ${at}`);
    }
    holdTime();
    const { about } = RequestValues.prototype;
    vi.spyOn(RequestValues.prototype, "about").mockImplementation(function (this: RequestValues, asset) {
      now += LOOKING_MS / 5;
      return about.call(this, asset);
    });
    const answer = await backTest(policyId);
    expect(answer).toMatchObject({ complete: false, from: times[5], overRequests: { decisions: 6 } });
  });

  it("counts the time that it takes to go back", async () => {
    const policyId = await scene.newPolicy("posture", { tests: [] }, scene.spare);
    holdTime();
    const { batches } = History.prototype;
    vi.spyOn(History.prototype, "batches").mockImplementation(async function* (this: History) {
      yield* batches.call(this);
      now += LOOKING_MS;
    });
    const answer = await backTest(policyId);
    expect(answer).toMatchObject({ complete: false, from: answer.overAssets.moments[0].at });
    expect(answer.overAssets.assets.looked).toBe(0);
    expect(answer.overAssets.assets.total).toBeGreaterThan(0);
  });
});

describe("the history that a back-test goes back over", () => {
  /** One event per second, numbered from `oldest` to `newest`. The number is also its time in seconds. */
  const chain = (oldest: number, newest: number) => {
    const timeOf = (sequence: number) => new Date(sequence * 1_000).toISOString();
    const events = async ({ size, before = newest + 1 }: EventQuery) => {
      const from = Math.max(oldest, before - size);
      const list = Array.from({ length: before - from }, (_, index) => {
        const sequence = before - 1 - index;
        return { sequence, attributes: JSON.stringify({ time: timeOf(sequence) }) } as StoredEvent;
      });
      return { events: list, total: { count: 0, exact: true }, ...(from > oldest ? { next: from } : {}) };
    };
    return { ctx: { db: { events } } as unknown as ReadContext, timeOf };
  };
  const reported = async (history: History) => {
    let count = 0;
    for await (const batch of history.batches()) count += batch.length;
    return count;
  };

  it("ends at the moment that is asked for", async () => {
    const { ctx, timeOf } = chain(1, 5_000);
    const history = new History(ctx, timeOf(3_001));
    expect([await reported(history), history.since]).toEqual([2_000, timeOf(3_001)]);
  });

  it("is whole where it reaches the first event of all, and not where events before were pruned", async () => {
    const whole = chain(1, 2_500);
    const all = new History(whole.ctx, "1960-01-01T00:00:00.000Z");
    expect([await reported(all), all.since]).toEqual([2_500, all.asked]);
    const pruned = chain(501, 2_500);
    const rest = new History(pruned.ctx, "1960-01-01T00:00:00.000Z");
    expect([await reported(rest), rest.since]).toEqual([2_000, pruned.timeOf(501)]);
  });

  it("gives others in this process their turn after each part, whatever the store does", async () => {
    const { ctx } = chain(1, 5_000);
    let [turns, isOver] = [0, false];
    const next = () => {
      turns += 1;
      if (!isOver) setImmediate(next);
    };
    setImmediate(next);
    await reported(new History(ctx, "1960-01-01T00:00:00.000Z"));
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it("has a bound, and says how far it went", async () => {
    const { ctx, timeOf } = chain(1, MOST_EVENTS + 10);
    const history = new History(ctx, "1960-01-01T00:00:00.000Z");
    expect([await reported(history), history.since]).toEqual([MOST_EVENTS, timeOf(11)]);
  });
});
