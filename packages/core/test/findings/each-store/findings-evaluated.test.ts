import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { type Finding, findings, raisedBy } from "#families/findings/index.js";
import { DAY, findingsOf, REASON } from "../../helpers/findings.js";
import { createWorld } from "../../helpers/world.js";

const GOVERNANCE = "/api/v1/ai-governance";

let world: World;
let at: ReturnType<typeof findingsOf>;
let key: string;
let policyId: string;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  at = findingsOf(world);
  key = world.a.unique().toLowerCase();
  policyId = await newPolicy();
});

const newPolicy = () =>
  world.a.newPolicy("posture", {
    key,
    status: "observe",
    severity: "high",
    selector: { expression: 'asset.provider == "tested"' },
    rules: [{ key: "teamed", assert: "asset.hasTeam", message: "{asset.name} has no team." }],
    tests: [{ name: "elsewhere", input: { asset: { provider: "another" } }, expect: "skip" }],
  });

async function removePolicy(): Promise<void> {
  for (const status of ["disabled", "archived"])
    await at.ask("PUT", `${GOVERNANCE}/policies/${policyId}`, { status, reason: REASON });
  expect((await at.ask("DELETE", `${GOVERNANCE}/policies/${policyId}`)).status).toBe(204);
}

const asset = (more: object = {}) => world.a.newAsset({ provider: "tested", ...more });
const run = async (scope: object = {}) => {
  const answer = await at.ask("POST", `${GOVERNANCE}/evaluations/run`, { configuration: { mode: "full", scope } });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.counts;
};
const on = async (assetId: string): Promise<Finding> =>
  (await at.ask("GET", `${GOVERNANCE}/findings?policyId=${policyId}&assetId=${assetId}`)).json.items[0];

const SCOPES = [
  ["one finding", ({ fingerprint }: Finding) => ({ fingerprint })],
  ["an asset", ({ policyKey, assetId }: Finding) => ({ policyKey, assetId })],
  ["a selector", ({ policyKey }: Finding) => ({ policyKey, selector: {} })],
] as const;

describe("an evaluation", () => {
  it("finds exempted what an exemption in force takes in, whatever has been there before", async () => {
    await asset();
    await run();
    const selector = { environments: ["staging"], expression: 'asset.provider == "tested"' };
    const officer = world.a.actors.governance_officer;
    const [staged, other] = [await asset({ environment: "staging" }), await asset()];
    const { id, matchedFindings } = await at.approved({ scope: { policyKey: key, selector } }, officer);
    expect(matchedFindings).toBe(0);
    const late = await asset({ environment: "staging" });
    await run();
    expect((await on(late)).status).toBe("open");
    expect(await on(staged)).toMatchObject({ status: "exempted", exemptionId: id });
    expect((await on(other)).status).toBe("open");
    await at.revoke(id);
    expect((await on(staged)).status).toBe("open");
    expect(await run()).toMatchObject({ updated: 0, exempted: 0 });
  });

  it("exempts no more what has left a selector", async () => {
    const staged = await asset({ environment: "staging" });
    await run();
    const selector = { environments: ["staging"] };
    await at.approved({ scope: { policyKey: key, selector } }, world.a.actors.governance_officer);
    expect((await on(staged)).status).toBe("exempted");
    await at.ask("PUT", `/api/v1/ai-assets/${staged}`, { environment: "test" });
    await run();
    expect((await on(staged)).status).toBe("open");
  });

  it("keeps a dismissal, and resolves what was claimed to be fixed only where it is", async () => {
    const id = await asset();
    await run();
    const finding = await on(id);
    await at.review(finding.id, { action: "claim_fixed" });
    await run();
    expect(await on(id)).toMatchObject({ status: "open", reevaluationRequestedAt: null, occurrences: 2 });
    await at.review(finding.id, { action: "claim_fixed" });
    await at.ask("PUT", `/api/v1/ai-assets/${id}`, { team: { type: "team", id: "platform" } });
    await run();
    expect(await on(id)).toMatchObject({ status: "resolved", verifiedFix: true });
    await at.ask("PUT", `/api/v1/ai-assets/${id}`, { team: null });
    await run();
    expect(await on(id)).toMatchObject({ status: "open", regressed: true, regressionCount: 1, episodeCount: 2 });
    const wish = { action: "dismiss", reasonCode: "not_applicable", reason: REASON };
    await at.review(finding.id, wish, world.a.actors.approver);
    await at.review(finding.id, wish);
    await run();
    expect(await on(id)).toMatchObject({ status: "dismissed", occurrences: 4 });
    expect(finding.id).toBe((await on(id)).id);
  });

  it("opens what was dismissed under a lowered severity when evaluations find it graver", async () => {
    const { governance_officer: officer, approver } = world.a.actors;
    const id = await asset({ environment: "production" });
    await run();
    const { id: findingId, severity } = await on(id);
    const lower = { action: "override_severity", severity: "low", reason: REASON };
    for (const who of [officer, approver]) await at.review(findingId, lower, who);
    const wish = { action: "dismiss", reasonCode: "not_applicable", reason: REASON };
    for (const who of [officer, approver]) await at.review(findingId, wish, who);
    await run();
    expect(await on(id)).toMatchObject({ status: "dismissed", effectiveSeverity: "low", severity });
    await at.ask("PUT", `/api/v1/ai-assets/${id}`, { riskTier: "high" });
    expect(await run()).toMatchObject({ voided: 1 });
    expect(await on(id)).toMatchObject({
      ...{ status: "open", dismissal: null, severityOverride: null, raised: true },
      effectiveSeverity: raisedBy(severity, true),
    });
  });

  it("is as late as it was when its asset leaves what the policy is about and comes back", async () => {
    const id = await asset();
    await run();
    const { id: findingId } = await on(id);
    await at.review(findingId, { action: "claim_fixed" }, world.a.actors.operator);
    world.clock.advance(60 * DAY);
    await world.controlPlane.tick();
    world.a.actors.owner = await world.a.signIn(world.a.owner.userId, world.a.owner);
    const relabel = (provider: string) => at.ask("PUT", `/api/v1/ai-assets/${id}`, { provider });
    const before = await on(id);
    expect(before).toMatchObject({ slaBreached: true, slaBreachedAt: before.dueAt });
    for (const provider of ["another", "tested"]) {
      expect((await relabel(provider)).status).toBe(200);
      await run();
    }
    const { involved, dueAt, slaBreachedAt, episodes } = before;
    expect(await on(id)).toMatchObject({
      slaBreached: true,
      involved,
      dueAt,
      slaBreachedAt,
      episodes,
      episodeCount: 1,
    });
  });

  it("G6 takes back a claimed fix that it refutes, counts it, and tells so with a warning", async () => {
    const id = await asset();
    await run();
    const { id: findingId } = await on(id);
    for (const refutedFixes of [1, 2]) {
      await at.review(findingId, { action: "claim_fixed" });
      expect(await run()).toMatchObject({ refuted: 1, updated: 0 });
      expect(await on(id)).toMatchObject({ status: "open", workflow: "new", refutedFixes, episodeCount: 1 });
    }
    expect(await run()).toMatchObject({ refuted: 0 });
    const { items } = (await at.ask("GET", `/api/v1/ai/activity/${findingId}`)).json;
    const refuted = items.filter(({ type }: { type: string }) => type === "reeve.finding.fix_refuted.v1");
    expect(refuted).toMatchObject([{ severitytext: "WARN" }, { severitytext: "WARN" }]);
    expect(refuted[0].data).toMatchObject({ from: "fix_claimed", to: "open", evaluationRunId: expect.any(String) });
  });

  it("G6 leaves a claim alone while no run has looked, or a run came to no result", async () => {
    const [claimed, other] = [await asset(), await asset()];
    await run();
    const { id: findingId } = await on(claimed);
    await at.review(findingId, { action: "claim_fixed" });
    await run({ assetIds: [other] });
    expect(await on(claimed)).toMatchObject({ status: "fix_claimed", refutedFixes: 0 });
  });

  it("G12 has its findings closed in the transaction that disables its policy, by every read", async () => {
    const ids = [await asset(), await asset(), await asset()] as const;
    await run();
    const exempted = await on(ids[1]);
    await at.approved({ scope: { fingerprint: exempted.fingerprint } });
    await at.review((await on(ids[2])).id, { action: "claim_fixed" });
    await at.ask("PUT", `${GOVERNANCE}/policies/${policyId}`, { status: "disabled", reason: REASON });
    for (const id of ids) expect(await on(id)).toMatchObject({ status: "closed", closedReason: "policy_disabled" });
    for (const status of ["open", "exempted", "fix_claimed"])
      expect(await at.ids(`?status=${status}&policyId=${policyId}`)).toEqual([]);
    const { findings } = (await at.ask("GET", `${GOVERNANCE}/dashboard/summary`)).json;
    expect(JSON.stringify(findings)).not.toContain('"open":3');
    await world.controlPlane.tick();
    for (const id of ids) expect((await on(id)).episodeCount).toBe(1);
    await at.ask("PUT", `${GOVERNANCE}/policies/${policyId}`, { status: "observe" });
    await run();
    expect(await on(ids[0])).toMatchObject({ status: "open", episodeCount: 1 });
    expect(await on(ids[1])).toMatchObject({ status: "exempted", episodeCount: 1 });
  });

  it("G12 has every finding closed in that transaction, however many there are", async () => {
    const id = await asset();
    await run();
    const { id: _id, fingerprint: _fingerprint, ...like } = await on(id);
    const many = Array.from({ length: 2_500 }, (_, place) => {
      const text = String(place).padStart(25, "0");
      return { ...like, id: `fnd_7${text}`, fingerprint: text, version: 1 } as Finding;
    });
    const store = world.store.forTenant(world.a.tenantId);
    for (let from = 0; from < many.length; from += 500) await store.insertMany(findings, many.slice(from, from + 500));
    const open = () => at.ask("GET", `${GOVERNANCE}/findings?policyId=${policyId}&status=open`);
    expect((await open()).json.totalItems).toBeGreaterThanOrEqual(1_000);
    await at.ask("PUT", `${GOVERNANCE}/policies/${policyId}`, { status: "disabled", reason: REASON });
    expect((await open()).json).toMatchObject({ totalItems: 0, items: [] });
    expect((await at.read(many.at(-1)?.id as string)).closedReason).toBe("policy_disabled");
  });

  it.each([
    ["at once", undefined],
    ["after the other", true],
  ])("hands findings over to a policy that takes the key of a deleted one, both evaluated %s", async (_how, apart) => {
    const id = await asset();
    await run();
    await removePolicy();
    policyId = await newPolicy();
    if (apart) await run({ policyIds: [policyId] });
    await run();
    expect(await on(id)).toMatchObject({ status: "open", policyId, episodeCount: 2 });
    await world.controlPlane.tick();
    expect(await on(id)).toMatchObject({ status: "open", policyId, episodeCount: 2 });
    await at.ask("PUT", `/api/v1/ai-assets/${id}`, { team: { type: "team", id: "platform" } });
    expect(await run()).toMatchObject({ resolved: 1, closed: 0 });
  });

  it.each(SCOPES)("exempts by %s under no other policy than was meant", async (_what, scopeOf) => {
    const id = await asset();
    await run();
    const finding = await on(id);
    const [scope, officer] = [scopeOf(finding), world.a.actors.governance_officer];
    const [kept, asked] = [await at.approved({ scope }, officer), await at.requested({ scope }, officer)];
    const ended = await at.approved({ scope, expiresAt: at.inDays(0.01) }, officer);
    expect(await on(id)).toMatchObject({ status: "exempted", covers: [{}, {}] });
    world.clock.advance(DAY / 100);
    await removePolicy();
    expect(await at.read(finding.id)).toMatchObject({ status: "closed", exemptionId: null });
    const statuses = [];
    for (const each of [kept, asked, ended])
      statuses.push((await at.ask("GET", `${GOVERNANCE}/exemptions/${each.id}`)).json.status);
    expect(statuses).toEqual(["lapsed", "lapsed", "expired"]);
    policyId = await newPolicy();
    await run();
    expect(await on(id)).toMatchObject({ id: finding.id, status: "open", covers: [] });
    const approve = await at.ask("PATCH", `${GOVERNANCE}/exemptions/${asked.id}/approve`);
    expect(approve).toMatchObject({ status: 409, json: { code: "invalid_transition" } });
    const renew = (renewalOf: string) =>
      at.ask("POST", `${GOVERNANCE}/exemptions`, { renewalOf, reason: REASON }, officer);
    for (const old of [kept, ended])
      expect(await renew(old.id)).toMatchObject({ status: 400, json: { errors: [{ pointer: "/renewalOf" }] } });
    const again = await at.approved({ scope }, officer);
    expect(again.policyId).toBe(policyId);
    expect(await on(id)).toMatchObject({ status: "exempted", exemptionId: again.id });
  });

  it("leaves the exemptions of another tenant's policy of that key, and asks for none of a policy that is gone", async () => {
    const others = findingsOf(world, world.b);
    const theirs = await world.b.newPolicy("posture", { key });
    const scope = { policyKey: key, assetId: await world.b.newAsset() };
    const exempted = await others.approved({ scope });
    expect(exempted.policyId).toBe(theirs);
    const id = await asset();
    await run();
    const { fingerprint } = await on(id);
    await removePolicy();
    await world.controlPlane.tick();
    expect((await others.ask("GET", `${GOVERNANCE}/exemptions/${exempted.id}`)).json.status).toBe("approved");
    const wish = (what: object) => at.ask("POST", `${GOVERNANCE}/exemptions`, { scope: what, reason: REASON });
    expect(await wish({ fingerprint })).toMatchObject({
      status: 400,
      json: { code: "invalid_reference", errors: [{ pointer: "/scope/fingerprint" }] },
    });
    expect(await wish({ policyKey: key, assetId: id })).toMatchObject({
      status: 400,
      json: { code: "invalid_reference", errors: [{ pointer: "/scope/policyKey" }] },
    });
  });

  it("goes by the due dates that the platform is set up with", async () => {
    const { token } = world.provider.owner;
    const value = { critical: 1, high: 2, medium: 3, low: null, info: null };
    const body = { name: "findings.slaDays", configuration: { value }, reason: REASON };
    const set = await world.send("POST", "/api/v1/support/config", { token, body });
    expect(set.status, set.text).toBe(201);
    world.clock.advance(DAY / 100);
    const id = await asset();
    await run();
    expect((await on(id)).dueAt).toBe(at.inDays(2));
  });
});
