import type { Scene, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const GOVERNANCE = "/api/v1/ai-governance";
const HOUR = 3_600_000;
const reason = "because a test wants it so";

let world: World;
let scene: Scene;
beforeEach(async () => {
  // The clock advances by days, so tokens have their longest lifetime.
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
});

const ask = (method: string, path: string, body?: object) =>
  scene.send(method, path, { token: scene.owner.token, ...(body ? { body } : {}) });
const run = async (body: object = {}) => {
  const { status, json } = await ask("POST", `${GOVERNANCE}/evaluations/run`, body);
  expect(status, JSON.stringify(json)).toBe(201);
  return json;
};
const findingsOf = async (policyId: string, more = "") =>
  (await ask("GET", `${GOVERNANCE}/findings?size=100&policyId=${policyId}${more}`)).json.items;
const lifecycle = (id: string, status: string) => ask("PATCH", `/api/v1/ai-assets/${id}/lifecycle`, { status, reason });

/** A policy under observation or in force, with one passing and one failing test. */
async function policy(assert: string, more: Record<string, unknown> = {}): Promise<string> {
  return scene.newPolicy("posture", {
    key: scene.unique().toLowerCase(),
    status: "observe",
    selector: { expression: 'asset.provider == "tested"' },
    rules: [{ key: "holds", assert, message: "{asset.name} fails." }],
    tests: [{ name: "elsewhere", input: { asset: { provider: "another" } }, expect: "skip" }],
    ...more,
  });
}
const asset = (more: object = {}) => scene.newAsset({ provider: "tested", ...more });
/** What another system has seen, which only an import says. */
const imported = async (more: object) => {
  const items = [{ externalRef: { id: scene.unique() }, provider: "tested", ...more }];
  const { status, text } = await ask("POST", "/api/v1/ai-assets/import", { items });
  if (status !== 200) throw new Error(text);
};
const hasTeam = "asset.hasTeam";
const TEAM = { team: { type: "team", id: "platform" } };

describe("a run", () => {
  it("opens what it finds, and done again finds the same and changes nothing but when it was seen", async () => {
    const policyId = await policy(hasTeam);
    const [bad, good] = [await asset(), await asset(TEAM)];
    const first = await run();
    expect(first).toMatchObject({
      status: "completed",
      trigger: "manual",
      mode: "incremental",
      engine: expect.stringMatching(/^cel-js/),
      policySetDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      counts: { evaluated: 2, pass: 1, fail: 1, error: 0, created: 1, resolved: 0 },
    });
    expect(first.progress.done).toBe(first.progress.total);
    const [finding, ...others] = await findingsOf(policyId);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      assetId: bad,
      ruleKey: "holds",
      status: "open",
      detection: "present",
      occurrences: 1,
    });
    expect(finding.evidence.values).toEqual({ "asset.hasTeam": false });
    expect(await findingsOf(policyId, `&assetId=${good}`)).toEqual([]);

    world.clock.advance(HOUR);
    const again = await run();
    expect(again.counts).toMatchObject({ skippedUnchanged: 2, evaluated: 0, created: 0, resolved: 0, updated: 0 });
    const full = await run({ mode: "full" });
    expect(full.counts).toMatchObject({ skippedUnchanged: 0, evaluated: 2, created: 0, resolved: 0, updated: 0 });
    const [seen] = await findingsOf(policyId);
    const { version: _v, updatedAt: _u, lastSeenAt, occurrences, ...rest } = seen;
    expect([occurrences, lastSeenAt > finding.lastSeenAt]).toEqual([2, true]);
    expect({ ...finding, ...rest }).toEqual(finding);
  });

  it("resolves what is mended, and a relapse is a new episode of the same finding", async () => {
    const policyId = await policy(hasTeam);
    const id = await asset();
    await run();
    const [opened] = await findingsOf(policyId);
    await ask("PUT", `/api/v1/ai-assets/${id}`, TEAM);
    expect((await run()).counts).toMatchObject({ evaluated: 1, resolved: 1, created: 0 });
    expect((await findingsOf(policyId))[0]).toMatchObject({ id: opened.id, status: "resolved", detection: "absent" });
    await ask("PUT", `/api/v1/ai-assets/${id}`, { team: null });
    expect((await run()).counts).toMatchObject({ reopened: 1, created: 0 });
    expect(await findingsOf(policyId)).toMatchObject([
      { id: opened.id, status: "open", regressionCount: 1, episodeCount: 2 },
    ]);
  });

  it("takes an error for neither a pass nor a failure", async () => {
    const policyId = await policy("has(asset.metadata.days) && asset.metadata.days > 3");
    const id = await asset({ metadata: { days: 2 } });
    await run();
    await ask("PATCH", `/api/v1/ai-assets/${id}/metadata`, { metadata: { days: "many" } });
    const broken = await run();
    expect(broken).toMatchObject({
      status: "completed_with_errors",
      counts: { error: 1, resolved: 0, pass: 0, fail: 0 },
      errors: [{ assetId: id, message: expect.any(String) }],
    });
    expect(await findingsOf(policyId)).toMatchObject([{ status: "open", detection: "unknown", stale: true }]);
    await ask("PATCH", `/api/v1/ai-assets/${id}/metadata`, { metadata: { days: 4 } });
    expect((await run()).counts).toMatchObject({ resolved: 1 });
  });

  it("asks rules that read the time again, though nothing else has changed", async () => {
    const policyId = await policy("asset.idleDays < 3");
    const longAgo = new Date(world.clock.now() - 60 * HOUR).toISOString();
    await imported({ lastSeenAt: longAgo });
    expect((await run()).counts).toMatchObject({ evaluated: 1, pass: 1 });
    world.clock.advance(20 * HOUR);
    expect((await run()).counts).toMatchObject({ evaluated: 1, fail: 1, created: 1 });
    expect(await findingsOf(policyId)).toHaveLength(1);
  });

  it("tells the items of a list apart by their locus", async () => {
    const serverId = await scene.newMcpServer({ provider: "tested" });
    const server = (await ask("GET", `/api/v1/ai/mcp-servers/${serverId}`)).json;
    const tools = ["one", "two"].map((toolName) => ({ origin: "mcp", serverId: server.assetId, toolName }));
    const [first] = [await scene.newTool(tools[0]), await scene.newTool(tools[1])];
    const policyId = await policy("true", {
      selector: { assetTypes: ["mcp_server"] },
      rules: [
        {
          key: "approved",
          forEach: "spec.tools",
          locus: "item.name",
          assert: "item.requiresApproval",
          message: "{item.name} needs nobody's consent.",
        },
      ],
      tests: [{ name: "none", input: { asset: {}, spec: { tools: [] } }, expect: "skip" }],
    });
    await run({ scope: { assetTypes: ["mcp_server"] } });
    const found = await findingsOf(policyId);
    expect(found.map(({ locus }: { locus: string }) => locus).sort()).toEqual(["one", "two"]);
    expect((await ask("PUT", `/api/v1/ai/tools/${first}`, { requiresApproval: true })).status).toBe(200);
    expect((await run()).counts).toMatchObject({ resolved: 1 });
    const open = await findingsOf(policyId, "&status=open");
    expect(open.map(({ locus }: { locus: string }) => locus)).toEqual(["two"]);
  });

  it("opens what was dismissed of one item when another comes by the same locus", async () => {
    const tool = async () => {
      const { json } = await ask("GET", `/api/v1/ai/mcp-servers/${await scene.newMcpServer()}`);
      return scene.newTool({ origin: "mcp", serverId: json.assetId, toolName: "search" });
    };
    const known = await tool();
    const toolsOf = async (ids: readonly string[]) =>
      (await ask("PUT", `/api/v1/ai/agents/${agentId}`, { toolIds: ids })).status;
    const agentId = await scene.newAgent({ toolIds: [known] });
    const policyId = await policy("true", {
      severity: "low",
      selector: { assetTypes: ["agent"] },
      rules: [
        {
          key: "approved",
          forEach: "spec.tools",
          locus: "item.name",
          assert: "item.requiresApproval",
          message: "{item.name} needs nobody's consent.",
        },
      ],
      tests: [{ name: "none", input: { asset: {}, spec: { tools: [] } }, expect: "skip" }],
    });
    const dismissed = async () => (await findingsOf(policyId, "&status=dismissed")).length;
    await run();
    const [finding] = await findingsOf(policyId);
    const dismiss = { action: "dismiss", reasonCode: "not_applicable", reason };
    await ask("POST", `${GOVERNANCE}/findings/${finding.id}/review-actions`, dismiss);
    expect([await run(), await dismissed()]).toMatchObject([{}, 1]);
    expect(await toolsOf([known, await tool()])).toBe(200);
    expect((await run()).counts).toMatchObject({ voided: 1 });
    expect(await findingsOf(policyId)).toMatchObject([{ id: finding.id, status: "open", locus: "search" }]);
    await ask("POST", `${GOVERNANCE}/findings/${finding.id}/review-actions`, dismiss);
    await run({ configuration: { mode: "full" } });
    expect(await dismissed()).toBe(1);
  });

  it("sees what stands around an agent, and who runs as an identity", async () => {
    const assetOf = async (family: string, id: string) => (await ask("GET", `/api/v1/ai/${family}/${id}`)).json.assetId;
    const identityId = await assetOf("identities", await scene.newIdentity());
    const modelId = await assetOf("models", await scene.newModel({ hosting: "saas" }));
    const toolId = await assetOf("tools", await scene.newTool({ effects: ["destructive"] }));
    const serverId = await assetOf("mcp-servers", await scene.newMcpServer());
    await scene.newTool({ origin: "mcp", serverId, toolName: "offered" });
    const uses = { identityId, modelIds: [modelId], toolIds: [toolId], mcpServerIds: [serverId] };
    const [busy, idle] = [await scene.newAgent(uses), await scene.newAgent({ identityId })];
    const rule = (key: string, assert: string) => ({ key, assert, message: key });
    const tests = [{ name: "other", input: { asset: { assetType: "tool" } }, expect: "skip" }];
    const ofAgents = await policy("true", {
      selector: { assetTypes: ["agent"] },
      rules: [
        rule("alone", "!spec.identityShared"),
        rule("inside", "!spec.externalModel && spec.models.all(m, m.hosting != 'saas')"),
        rule("tame", "spec.tools.all(t, !('destructive' in t.effects))"),
        rule("offered", "spec.tools.all(t, t.name != 'offered')"),
      ],
      tests,
    });
    const ofIdentities = await policy("true", {
      selector: { assetTypes: ["identity"] },
      rules: [rule("few", "spec.agentCount < 2")],
      tests,
    });
    await run();
    const keysOn = async (assetId: string) =>
      (await findingsOf(ofAgents, `&assetId=${assetId}`)).map(({ ruleKey }: { ruleKey: string }) => ruleKey).sort();
    expect(await keysOn(await assetOf("agents", busy))).toEqual(["alone", "inside", "offered", "tame"]);
    expect(await keysOn(await assetOf("agents", idle))).toEqual(["alone"]);
    expect(await findingsOf(ofIdentities)).toMatchObject([{ assetId: identityId, ruleKey: "few" }]);
  });

  it("is narrowed by an expression, and says of which assets it had no answer", async () => {
    const policyId = await policy(hasTeam);
    const [meant, other] = [await asset({ metadata: { team: "blue" } }), await asset({ metadata: { team: "red" } })];
    const unclear = await asset();
    const scope = { expression: 'asset.provider == "tested" && asset.metadata.team == "blue"' };
    const narrowed = await run({ scope });
    expect(narrowed).toMatchObject({
      status: "completed_with_errors",
      counts: { assets: 1, evaluated: 1, fail: 1, error: 1, created: 1 },
      errors: [{ assetId: unclear, policyKey: null, message: expect.stringMatching(/^Scope: /) }],
    });
    expect(await findingsOf(policyId)).toMatchObject([{ assetId: meant }]);
    expect((await run()).counts).toMatchObject({ created: 2 });
    expect(await findingsOf(policyId, `&assetId=${other}`)).toHaveLength(1);
    // Assets outside of the scope are not evaluated, so their findings stay open.
    expect((await run({ scope, mode: "full" })).counts).toMatchObject({ evaluated: 1, resolved: 0, closed: 0 });
    expect(
      await ask("POST", `${GOVERNANCE}/evaluations/run`, { scope: { expression: "asset.nothing" } }),
    ).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: "/scope/expression", code: "unknown_name" }] },
    });
  });

  it("only counts when it is dry", async () => {
    const policyId = await policy(hasTeam);
    await asset();
    expect(await run({ dryRun: true })).toMatchObject({ dryRun: true, counts: { fail: 1, created: 1 } });
    expect(await findingsOf(policyId)).toEqual([]);
    expect((await run()).counts).toMatchObject({ created: 1, skippedUnchanged: 0 });
  });

  it("keeps to its scope", async () => {
    const [one, other] = [await policy(hasTeam), await policy("asset.hasTeam && asset.hasOwner")];
    const [id, another] = [await asset({ environment: "test" }), await asset({ environment: "staging" })];
    const counts = { evaluated: 1, created: 1 };
    expect((await run({ scope: { assetIds: [id], policyIds: [one] } })).counts).toMatchObject(counts);
    expect(await findingsOf(one, `&assetId=${another}`)).toEqual([]);
    expect(await findingsOf(other)).toEqual([]);
    expect((await run({ scope: { environments: ["test"], policyIds: [other] } })).counts).toMatchObject(counts);
    const foreign = await world.b.newAsset();
    const refused = await ask("POST", `${GOVERNANCE}/evaluations/run`, { scope: { assetIds: [id, foreign] } });
    expect(refused).toMatchObject({
      status: 400,
      json: { code: "invalid_reference", errors: [{ pointer: "/scope/assetIds/1" }] },
    });
  });
});

describe("findings", () => {
  it("of a gating policy hold back from production once it is in force", async () => {
    const policyId = await policy(hasTeam, { gate: true });
    await asset();
    await run();
    expect((await findingsOf(policyId))[0].gate).toBe(false);
    await scene.activatePolicy(policyId);
    await world.controlPlane.tick();
    expect((await findingsOf(policyId))[0].gate).toBe(true);
  });

  it("follow what their policy says of itself in any run, and not only in the one that its change brings", async () => {
    const policyId = await policy(hasTeam, { gate: true, severity: "low" });
    await asset();
    await run();
    await ask("PUT", `${GOVERNANCE}/policies/${policyId}`, { severity: "high" });
    await scene.activatePolicy(policyId);
    const [waiting] = (await ask("GET", `${GOVERNANCE}/evaluations/runs?status=queued`)).json.items;
    await ask("POST", `${GOVERNANCE}/evaluations/runs/${waiting.id}/cancel`);
    expect((await run()).counts).toMatchObject({ updated: 1 });
    expect((await findingsOf(policyId))[0]).toMatchObject({ gate: true, severity: "high" });
  });

  it("take the new name of their policy by the run that its change brings", async () => {
    const policyId = await policy(hasTeam, { name: "Teams" });
    await asset();
    await world.controlPlane.tick();
    expect(await findingsOf(policyId)).toMatchObject([{ title: "Teams" }]);
    const name = "Every asset has a team";
    expect((await ask("PUT", `${GOVERNANCE}/policies/${policyId}`, { name })).status).toBe(200);
    const waiting = (await ask("GET", `${GOVERNANCE}/evaluations/runs?status=queued`)).json.items;
    expect(waiting).toMatchObject([{ trigger: "change", scope: { policyIds: [policyId] } }]);
    await world.controlPlane.tick();
    expect(await findingsOf(policyId)).toMatchObject([{ title: name }]);
  });

  it("that are found again say so once a day, however often that happens", async () => {
    const policyId = await policy(hasTeam);
    const id = await asset();
    await run();
    const [first] = await findingsOf(policyId);
    const foundAgain = async (hours: number) => {
      world.clock.advance(hours * HOUR);
      scene.actors.owner = await scene.signIn(scene.owner.userId, scene.owner);
      await ask("PATCH", `/api/v1/ai-assets/${id}/metadata`, { metadata: { at: world.clock.now() } });
      expect((await run()).counts).toMatchObject({ evaluated: 1, fail: 1, created: 0 });
      return (await findingsOf(policyId))[0];
    };
    expect(await foundAgain(23)).toEqual(first);
    const aDayLater = await foundAgain(1);
    expect(aDayLater.lastSeenAt).toBe(new Date(world.clock.now()).toISOString());
    expect(await foundAgain(23)).toEqual(aDayLater);
  });

  it("are closed when their policy goes out of force", async () => {
    const policyId = await policy(hasTeam);
    await asset();
    await run();
    await ask("PUT", `${GOVERNANCE}/policies/${policyId}`, { status: "disabled", reason });
    await world.controlPlane.tick();
    expect(await findingsOf(policyId)).toMatchObject([{ status: "closed", closedReason: "policy_disabled" }]);
    await ask("PUT", `${GOVERNANCE}/policies/${policyId}`, { status: "observe" });
    await world.controlPlane.tick();
    expect(await findingsOf(policyId)).toMatchObject([{ status: "open", closedReason: null, episodeCount: 1 }]);
  });

  it.each(["retired", "deleted"] as const)("are closed when their asset is %s", async (how) => {
    const policyId = await policy(hasTeam);
    const id = await asset();
    await run();
    if (how === "retired") expect((await lifecycle(id, "retired")).status).toBe(200);
    else expect((await ask("DELETE", `/api/v1/ai-assets/${id}`)).status).toBe(204);
    expect(await findingsOf(policyId)).toMatchObject([{ status: "closed", closedReason: `asset_${how}` }]);
    expect((await run({ mode: "full" })).counts).toMatchObject({ evaluated: 0, created: 0, closed: 0 });
  });

  it("are closed when the policy is no longer about the asset", async () => {
    const policyId = await policy(hasTeam);
    const id = await asset();
    await run();
    await ask("PUT", `/api/v1/ai-assets/${id}`, { provider: "another" });
    expect((await run()).counts).toMatchObject({ closed: 1 });
    expect(await findingsOf(policyId)).toMatchObject([{ status: "closed", closedReason: "out_of_scope" }]);
  });
});

describe("a larger run", () => {
  const imported = async (length: number) => {
    const items = Array.from({ length }, (_, n) => ({
      assetType: "other",
      provider: "tested",
      name: `imported ${n}`,
      externalRef: { id: `imported-${n}` },
    }));
    const principal = await world.controlPlane.principalOf(scene.tenantId, scene.owner.userId);
    expect((await world.controlPlane.importAssets(principal, items)).created).toBe(length);
  };
  /** More pairs than a run completes within its request. */
  const many = async () => {
    await imported(260);
    return [
      await policy(hasTeam),
      await policy("asset.hasSponsor"),
      await policy("asset.hasTeam"),
      await policy("true"),
    ];
  };

  it("waits, goes on as time passes, and tells how far it is", async () => {
    const [policyId = ""] = await many();
    const queued = await run({ mode: "full" });
    expect(queued).toMatchObject({ status: "queued", startedAt: null, progress: { done: 0 } });
    expect(await ask("POST", `${GOVERNANCE}/evaluations/run`, { mode: "full" })).toMatchObject({
      status: 409,
      json: { code: "already_exists", detail: "A run with the same scope and mode waits already." },
    });
    await world.controlPlane.tick();
    const done = (await ask("GET", `${GOVERNANCE}/evaluations/runs/${queued.id}`)).json;
    expect(done).toMatchObject({ status: "completed", counts: { evaluated: 260 * 4, fail: 260 * 3, pass: 260 } });
    expect(done.progress.done).toBe(done.progress.total);
    const { totalItems } = (await ask("GET", `${GOVERNANCE}/findings?policyId=${policyId}&size=1`)).json;
    expect(totalItems).toBe(260);
  });

  it("that waits keeps nobody from changing the policies it is about", async () => {
    const policyIds = await many();
    const [changed] = (await ask("GET", `${GOVERNANCE}/evaluations/runs?status=queued`)).json.items;
    await ask("POST", `${GOVERNANCE}/evaluations/runs/${changed.id}/cancel`);
    expect(await run({ scope: { policyIds } })).toMatchObject({ status: "queued", trigger: "manual" });
    for (const id of policyIds) {
      expect((await ask("PUT", `${GOVERNANCE}/policies/${id}`, { severity: "low" })).status).toBe(200);
    }
    const waiting = (await ask("GET", `${GOVERNANCE}/evaluations/runs?status=queued`)).json.items;
    expect(waiting).toMatchObject([
      { trigger: "change", scope: { policyIds } },
      { trigger: "manual", scope: { policyIds } },
    ]);
  });

  it("is stopped by those who run it, and then found nothing more", async () => {
    await many();
    const queued = await run({ mode: "full" });
    const path = `${GOVERNANCE}/evaluations/runs/${queued.id}`;
    expect((await ask("POST", `${path}/cancel`)).json).toMatchObject({ status: "cancelled" });
    await world.controlPlane.tick();
    expect((await ask("GET", path)).json).toMatchObject({ status: "cancelled", counts: { evaluated: 0 } });
    expect(await ask("POST", `${path}/cancel`)).toMatchObject({ status: 200, json: { status: "cancelled" } });
  });

  it("does no more in a part than others can wait for, and leaves nothing out between parts", async () => {
    await imported(110);
    const rules = Array.from({ length: 50 }, (_, n) => ({ key: `r${n}`, assert: hasTeam, message: "It has none." }));
    const policyId = await policy(hasTeam, { rules });
    // More than 5,000 failures take two parts, though in one transaction.
    const all = await run({ scope: { policyIds: [policyId] } });
    expect(all).toMatchObject({ status: "completed", counts: { evaluated: 110, fail: 5_500, created: 5_500 } });
    expect(all.progress.done).toBe(all.counts.assets);
    const assetIds = (await ask("GET", "/api/v1/ai-assets?provider=tested&size=100")).json.items.map(
      ({ id }: { id: string }) => id,
    );
    const again = await run({ mode: "full", scope: { assetIds, policyIds: [policyId] } });
    expect(again).toMatchObject({
      progress: { done: 100, total: 100 },
      counts: { assets: 100, evaluated: 100, created: 0, resolved: 0, closed: 0 },
    });
  });

  it("is done by one worker at a time, each part once", async () => {
    await many();
    const queued = await run({ mode: "full" });
    await Promise.all(Array.from({ length: 4 }, () => world.controlPlane.tick()));
    const runs = (await ask("GET", `${GOVERNANCE}/evaluations/runs`)).json.items;
    expect(runs.find(({ id }: { id: string }) => id === queued.id)).toMatchObject({
      status: "completed",
      counts: { evaluated: 260 * 4 },
    });
    // Runs overlap, so any of them may detect a finding first. None is created twice.
    const all = (what: string) =>
      runs.reduce((sum: number, { counts }: { counts: Record<string, number> }) => sum + (counts[what] ?? 0), 0);
    expect({ created: all("created"), updated: all("updated") }).toEqual({ created: 260 * 3, updated: 0 });
    expect((await ask("GET", `${GOVERNANCE}/findings?size=1`)).json.totalItems).toBe(260 * 3 + 1);
  });
});

describe("time", () => {
  it("brings a run over everything every hour, where there is something to evaluate by", async () => {
    const runs = async () =>
      (await ask("GET", `${GOVERNANCE}/evaluations/runs?size=100`)).json.items.filter(
        ({ trigger }: { trigger: string }) => trigger !== "manual",
      );
    await world.controlPlane.tick();
    expect(await runs()).toEqual([]);
    await policy(hasTeam);
    await asset();
    await world.controlPlane.tick();
    world.clock.advance(HOUR);
    await world.controlPlane.tick();
    const triggers = (await runs()).map(({ trigger, status }: Record<string, string>) => `${trigger} ${status}`);
    expect(triggers).toEqual(["schedule completed", "schedule completed", "change completed"]);
  });
});

describe("the dashboard", () => {
  it("tells how assets, findings, exemptions and policies stand, from what is stored", async () => {
    const summary = async (more = "") => (await ask("GET", `${GOVERNANCE}/dashboard/summary${more}`)).json;
    const before = await summary();
    const policyId = await policy(hasTeam, { severity: "high" });
    const key = (await ask("GET", `${GOVERNANCE}/policies/${policyId}`)).json.key;
    const [first] = [await asset({ owner: null, environment: "unknown", riskTier: "limited" }), await asset()];
    const { id: runId } = await run();
    world.clock.advance(2 * HOUR);
    await ask("PUT", `/api/v1/ai-assets/${first}`, TEAM);
    const last = await run();
    const after = await summary();
    expect(after.findings.matrix.open.high).toBe((before.findings.matrix.open?.high ?? 0) + 1);
    expect(after.findings.matrix.resolved.high).toBe((before.findings.matrix.resolved?.high ?? 0) + 1);
    expect(after.findings.total).toBe(before.findings.total + 2);
    expect(after.flow).toMatchObject({ last7Days: { opened: 2, resolved: 1 }, meanHoursToResolve: 2 });
    expect(after.lastRun).toMatchObject({ id: last.id, status: "completed" });
    expect(last.id).not.toBe(runId);
    expect(after.topPolicies).toContainEqual({ policyKey: key, open: 1 });
    expect(after.assets.total).toBe(before.assets.total + 2);
    expect(after.assets.byRiskTier.limited).toBe((before.assets.byRiskTier.limited ?? 0) + 1);
    expect(after.dataQuality.withoutOwner).toBe(before.dataQuality.withoutOwner + 1);
    expect(after.policies.observe).toBe((before.policies.observe ?? 0) + 1);
    expect(await summary(`?policyId=${policyId}&status=resolved`)).toMatchObject({
      findings: { total: 1, exact: true, matrix: { resolved: { high: 1 } } },
    });
    const others = (await world.b.send("GET", `${GOVERNANCE}/dashboard/summary`, { token: world.b.owner.token })).json;
    expect(others.topPolicies).not.toContainEqual({ policyKey: key, open: 1 });
    expect(others.flow.last7Days.opened).toBe(0);
  });
});
