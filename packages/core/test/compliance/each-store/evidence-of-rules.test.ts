import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY, REASON } from "../../helpers/findings.js";
import { gatesOf, POLICIES } from "../../helpers/gates.js";
import { createWorld } from "../../helpers/world.js";

const FRAMEWORK = "/api/v1/ai/compliance/frameworks/ours";

let world: World;
let at: ReturnType<typeof gatesOf>;
let policyId: string;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  at = gatesOf(world);
  policyId = await at.policy("asset.hasOwner", {
    key: "owned",
    severity: "high",
    selector: { assetTypes: ["dataset"] },
    tests: [{ name: "elsewhere", input: { asset: { assetType: "tool" } }, expect: "skip" }],
  });
  const controls = [{ id: "C 1", title: "One", kind: "automated", policyRules: ["owned"] }];
  await at.done("PUT", FRAMEWORK, { name: "Ours", publisher: "Us", edition: "1", controls });
});

const dataset = (more: object = {}) => world.a.newAsset({ assetType: "dataset", ...more });
/** The control that rests on the policy, by a report as of now. */
async function control() {
  await world.a.signInToSpare();
  const { frameworks } = await at.done("GET", "/api/v1/ai/compliance/report", undefined, world.a.spare);
  const [found] = frameworks.find(({ framework }: { framework: string }) => framework === "ours").controls;
  return found as { state: string; reasons: string[]; rules: { stale: string[]; unevaluated: number } };
}
const later = async (days: number) => {
  world.clock.advance(days * DAY);
  await world.a.signInToSpare();
};
const run = (body: object = {}) => at.done("POST", "/api/v1/ai-governance/evaluations/run", body, world.a.spare);

describe("G7 what rules have found", () => {
  it("is evidence once a run has asked all assets, and no more after the days that were settled for", async () => {
    const assetId = await dataset();
    expect(await control()).toMatchObject({
      state: "not_assessed",
      reasons: ["nothing_evaluated", "assets_not_evaluated", "evaluation_stale"],
    });
    await run({ scope: { assetIds: [assetId] } });
    expect(await control()).toMatchObject({ state: "not_assessed", rules: { stale: ["owned/holds"] } });
    await run();
    expect(await control()).toMatchObject({ state: "compliant", reasons: ["rules_pass"] });
    await later(6);
    expect((await control()).state).toBe("compliant");
    await run({ scope: { assetIds: [assetId] }, mode: "full" });
    await later(2);
    expect(await control()).toMatchObject({ state: "not_assessed", reasons: ["evaluation_stale"] });
    await run();
    expect((await control()).state).toBe("compliant");
    await at.done("PATCH", "/api/v1/tenant/settings", { evaluationDays: 1 }, world.a.spare);
    await later(2);
    expect((await control()).state).toBe("not_assessed");
  });

  it("does not speak for assets that were never evaluated, nor for retired ones", async () => {
    await dataset();
    await run();
    const added = await dataset({ owner: null });
    await world.a.newAsset();
    expect(await control()).toMatchObject({
      state: "partial",
      reasons: ["assets_not_evaluated"],
      rules: { unevaluated: 1 },
    });
    await at.done("PATCH", `/api/v1/ai-assets/${added}/lifecycle`, { status: "retired", reason: REASON });
    expect((await control()).state).toBe("compliant");
    await at.done("PATCH", `/api/v1/ai-assets/${added}/lifecycle`, { status: "registered" });
    expect((await control()).rules.unevaluated).toBe(1);
    await run();
    expect((await control()).state).toBe("non_compliant");
  });

  it("does not speak for rules that have changed since, and shows known failures however old", async () => {
    await dataset();
    await run();
    const rules = [{ key: "holds", assert: "asset.hasTeam", message: "x" }];
    await at.done("PUT", `${POLICIES}/${policyId}`, { rules });
    expect(await control()).toMatchObject({ state: "not_assessed", reasons: ["evaluation_stale"] });
    await run();
    expect((await control()).state).toBe("non_compliant");
    await later(400);
    expect(await control()).toMatchObject({ state: "non_compliant", reasons: ["rules_fail", "evaluation_stale"] });
  });

  it("is no pass where nothing is what the rules are about", async () => {
    await world.a.newAsset();
    await run();
    expect(await control()).toMatchObject({
      state: "not_assessed",
      reasons: ["nothing_evaluated"],
      rules: { stale: [] },
    });
  });
});
