import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import type { Finding } from "../src/families/findings/index.js";
import { DAY, findingsOf, REASON } from "./support/findings.js";
import { createWorld } from "./support/world.js";

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

const asset = (more: object = {}) => world.a.newAsset({ provider: "tested", ...more });
const run = async (scope: object = {}) => {
  const answer = await at.ask("POST", `${GOVERNANCE}/evaluations/run`, { configuration: { mode: "full", scope } });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.counts;
};
const on = async (assetId: string): Promise<Finding> =>
  (await at.ask("GET", `${GOVERNANCE}/findings?policyId=${policyId}&assetId=${assetId}`)).json.items[0];

describe("an evaluation", () => {
  it("finds exempted what an exemption in force takes in, whatever has been there before", async () => {
    await asset();
    await run();
    const selector = { environments: ["staging"], expression: 'asset.provider == "tested"' };
    const officer = world.a.actors.governance_officer;
    const { id, matchedFindings } = await at.approved({ scope: { policyKey: key, selector } }, officer);
    expect(matchedFindings).toBe(0);
    const [staged, other] = [await asset({ environment: "staging" }), await asset()];
    await run();
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
    expect(await on(id)).toMatchObject({ status: "fix_claimed", reevaluationRequestedAt: null, occurrences: 2 });
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

  it.each([
    ["at once", undefined],
    ["after the other", true],
  ])("hands findings over to a policy that takes the key of a deleted one, both evaluated %s", async (_how, apart) => {
    const id = await asset();
    await run();
    for (const status of ["disabled", "archived"])
      await at.ask("PUT", `${GOVERNANCE}/policies/${policyId}`, { status, reason: REASON });
    expect((await at.ask("DELETE", `${GOVERNANCE}/policies/${policyId}`)).status).toBe(204);
    policyId = await newPolicy();
    if (apart) await run({ policyIds: [policyId] });
    await run();
    expect(await on(id)).toMatchObject({ status: "open", policyId, episodeCount: 1 });
    await world.controlPlane.tick();
    expect(await on(id)).toMatchObject({ status: "open", policyId, episodeCount: 1 });
    await at.ask("PUT", `/api/v1/ai-assets/${id}`, { team: { type: "team", id: "platform" } });
    expect(await run()).toMatchObject({ resolved: 1, closed: 0 });
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
