import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { type Finding, OPEN_STATUSES } from "#families/findings/index.js";
import { eventsOf } from "../../helpers/facts.js";
import { FINDINGS, findingsOf, REASON } from "../../helpers/findings.js";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const RUN = "/api/v1/ai-governance/evaluations/run";

let world: World;
let at: ReturnType<typeof findingsOf>;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400, rateLimits: "off" });
  at = findingsOf(world);
});

const ok = async (method: string, path: string, body?: object, who = world.a.owner) => {
  const answer = await at.ask(method, path, body, who);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const run = () => ok("POST", RUN, {});
/** A critical rule for assets of this provider. */
const policy = (rule = "asset.hasTeam", more: object = {}) =>
  world.a.newPolicy("posture", {
    ...{ key: world.a.unique().toLowerCase(), severity: "critical", status: "observe" },
    selector: { expression: 'asset.provider == "cmdb"' },
    rules: [{ key: "fits", assert: rule, message: "{asset.name} does not fit." }],
    tests: [{ name: "elsewhere", input: { asset: { provider: "another" } }, expect: "skip" }],
    ...more,
  });
const items = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ name: `known ${n}`, assetType: "prompt", provider: "cmdb", environment: "test" },
    externalRef: { id: `known-${n}` },
  }));
/** Imports assets as the baseline. Returns their ids. */
async function imported(count: number): Promise<string[]> {
  const answer = await ok("POST", `${ASSETS}/import`, { items: items(count), baseline: true });
  expect(answer).toMatchObject({ created: count, failed: 0 });
  return answer.items.map(({ id }: { id: string }) => id);
}
const ofAsset = async (assetId: string): Promise<Finding[]> =>
  (await ok("GET", `${FINDINGS}?assetId=${assetId}`)).items;
const only = async (assetId: string): Promise<Finding> => {
  const [finding, ...others] = await ofAsset(assetId);
  expect(others).toEqual([]);
  return finding as Finding;
};
const attention = async (): Promise<{ kind: string; count: number; title: string; href: string }[]> =>
  (await ok("GET", "/api/v1/ai/overview?size=100")).attention.items;
const NOT_ELSE = ["findings_critical", "findings_baseline"];

describe("the baseline of an import", () => {
  it("leaves the new finding at the top, and is one line below it", async () => {
    await policy();
    await run();
    const before = (await ok("GET", "/api/v1/ai/overview")).findings;
    const known = await imported(500);
    const added = await world.a.newAsset({ provider: "cmdb" });
    await run();
    const shown = (await attention()).filter(({ kind }) => NOT_ELSE.includes(kind));
    expect(shown).toMatchObject([
      { kind: "findings_critical", severity: "critical", count: 1, title: "1 critical finding is open" },
      { kind: "findings_baseline", severity: "low", count: 500, title: "500 findings of the baseline are open" },
    ]);
    const [fresh, baseline] = await Promise.all(shown.map(({ href }) => ok("GET", href)));
    expect([fresh.totalItems, fresh.items[0]?.assetId, baseline.totalItems]).toEqual([1, added, 500]);
    expect(new Set(known)).toContain(baseline.items[0].assetId);
    // Numbers and posture count it in full.
    const { findings } = await ok("GET", "/api/v1/ai/overview");
    expect(findings.openBySeverity.critical - (before.openBySeverity.critical ?? 0)).toBe(501);
    expect(findings.baseline).toBe(500);
    const dashboard = await ok("GET", "/api/v1/ai-governance/dashboard/summary");
    expect(dashboard.findings).toMatchObject({ baseline: 500, exact: true });
    expect(await ok("GET", `${ASSETS}/${known[0]}`)).toMatchObject({ openFindings: { critical: 1 }, postureScore: 0 });
    const opened = (await eventsOf(world.a)).filter(({ attributes }) => attributes.includes("finding.opened"));
    const said = opened.map(({ data }) => (JSON.parse(String(data)) as { after: Finding }).after.baseline);
    expect(said.filter(Boolean)).toHaveLength(500);
  });

  it("marks the assets that it creates with the moment, and none that were there", async () => {
    const there = await ok("POST", `${ASSETS}/import`, { items: items(1) });
    const [first, second] = (await ok("POST", `${ASSETS}/import`, { items: items(2), baseline: true })).items;
    expect([first.outcome, first.id]).toEqual(["unchanged", there.items[0].id]);
    expect(await ok("GET", `${ASSETS}/${first.id}`)).toMatchObject({ baselineAt: null });
    const now = new Date(world.clock.now()).toISOString();
    expect(await ok("GET", `${ASSETS}/${second.id}`)).toMatchObject({ baselineAt: now });
    await policy();
    await run();
    expect([await only(first.id), await only(second.id)]).toMatchObject([{ baseline: false }, { baseline: true }]);
  });

  it("holds in process as over HTTP", async () => {
    const caller = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
    await world.controlPlane.importAssets(caller, items(1), { baseline: true });
    await policy();
    await run();
    expect((await ok("GET", `${FINDINGS}?baseline=true`)).items).toMatchObject([{ assetName: "known 0" }]);
  });

  it("is what the asset brought along: what a later policy finds only while nobody has changed the asset", async () => {
    const [same, changed] = (await imported(2)) as [string, string];
    await policy();
    await run();
    world.clock.advance(1_000);
    await ok("PUT", `${ASSETS}/${changed}`, { purpose: "Something else." });
    await policy('asset.riskTier != "unclassified"');
    await run();
    const of = async (id: string) => (await ofAsset(id)).map(({ baseline }) => baseline);
    expect([await of(same), await of(changed)]).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it("takes in nothing that a policy finds later under which it had found nothing", async () => {
    const [asset] = (await imported(1)) as [string];
    await policy('asset.environment == "test"');
    await run();
    await ok("PUT", `${ASSETS}/${asset}`, { environment: "staging" });
    await run();
    expect(await only(asset)).toMatchObject({ baseline: false });
  });

  it("opens no gate", async () => {
    const [asset] = (await imported(1)) as [string];
    await policy("asset.hasTeam", { status: "active", gate: true });
    await run();
    expect(await only(asset)).toMatchObject({ baseline: true, gate: true });
    for (const status of ["development", "validation"]) await ok("PATCH", `${ASSETS}/${asset}/lifecycle`, { status });
    const answer = await at.ask("PATCH", `${ASSETS}/${asset}/lifecycle`, { status: "production", reason: REASON });
    expect(answer.json).toMatchObject({ status: 409, code: "transition_guard_failed" });
    expect(answer.text).toContain("fits");
  });
});

describe("a finding of the baseline is one no longer", () => {
  let asset: string;
  let id: string;
  beforeEach(async () => {
    [asset] = (await imported(1)) as [string];
    await policy();
    await run();
    ({ id } = await only(asset));
  });
  const stays = async () => (await at.read(id)).baseline;

  it.each([
    [{ action: "acknowledge" }],
    [{ action: "start_remediation" }],
    [{ action: "claim_fixed" }],
    [{ action: "assign", assignee: { type: "team", id: "claims" } }],
    [{ action: "dismiss", reasonCode: "false_positive", reason: REASON }],
    [{ action: "override_severity", severity: "low", reason: REASON }],
  ])("once somebody decides: %j", async (body) => {
    expect(await stays()).toBe(true);
    expect((await at.review(id, body)).status).toBe(201);
    const { baseline, status } = await at.read(id);
    expect([baseline, OPEN_STATUSES.includes(status)]).toEqual([false, true]);
    expect((await attention()).map(({ kind }) => kind)).not.toContain("findings_baseline");
    expect((await at.review(id, { action: "comment", comment: "x" })).status).toBe(201);
    expect(await stays()).toBe(false);
  });

  it("once an exemption takes it in, also after that ends", async () => {
    const { fingerprint } = await at.read(id);
    const exemption = await at.approved({ scope: { fingerprint }, maxSeverity: "critical" });
    expect(await at.read(id)).toMatchObject({ status: "exempted", baseline: false });
    await at.revoke(exemption.id);
    expect(await at.read(id)).toMatchObject({ status: "open", baseline: false });
  });

  it("once it was resolved and comes back", async () => {
    await ok("PUT", `${ASSETS}/${asset}`, { team: { type: "team", id: "claims" } });
    await run();
    expect(await at.read(id)).toMatchObject({ status: "resolved", baseline: false });
    await ok("PUT", `${ASSETS}/${asset}`, { team: null });
    await run();
    expect(await at.read(id)).toMatchObject({ status: "open", baseline: false });
  });

  it("but stays one when it is seen again, commented or given a ticket", async () => {
    await ok("PUT", `${ASSETS}/${asset}`, { name: "renamed" });
    await run();
    await at.review(id, { action: "comment", comment: "We know." });
    await at.review(id, { action: "link_ticket", ticketRef: "T-1" });
    expect(await stays()).toBe(true);
  });
});

it("a finding of the baseline is one no longer once its severity is raised", async () => {
  const [asset] = (await imported(1)) as [string];
  const policyId = await policy("asset.hasTeam", { severity: "low" });
  await run();
  expect(await only(asset)).toMatchObject({ baseline: true, effectiveSeverity: "low" });
  await ok("PUT", `/api/v1/ai-governance/policies/${policyId}`, { severity: "high" });
  await run();
  expect(await only(asset)).toMatchObject({ baseline: false, effectiveSeverity: "high" });
});
