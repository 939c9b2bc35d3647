import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { findingsOf } from "../../helpers/findings.js";
import { createWorld } from "../../helpers/world.js";

const RUNS = "/api/v1/ai-governance/evaluations/runs";
/** How many requests a job looks at in one go. */
const MOST_ASKED = 200;
const ofAccess = { source: "access", policyId: null, policyKey: "reeve/access", policyRevision: null } as const;

let world: World;
let at: ReturnType<typeof findingsOf>;
beforeEach(async () => {
  world = await createWorld();
  at = findingsOf(world);
});

const runs = async () => (await at.ask("GET", `${RUNS}?size=100`)).json.items as { trigger: string }[];
const asked = async () => (await runs()).filter(({ trigger }) => trigger === "request").length;
const ticks = async (times: number) => {
  for (let n = 0; n < times; n += 1) {
    world.clock.advance(60_000);
    await world.controlPlane.tick();
  }
};

describe("a claimed fix of a finding that no policy found", () => {
  it("asks for no evaluation, because none looks at it", async () => {
    const { id } = await at.found(ofAccess);
    expect((await at.review(id, { action: "claim_fixed" })).json.after).toBe("fix_claimed");
    await ticks(3);
    expect(await at.read(id)).toMatchObject({ status: "fix_claimed", reevaluationRequestedAt: null });
    expect(await asked()).toBe(0);
  });

  it("that asked for one in an older version is put right, and keeps out no claim of a policy's finding", async () => {
    const policyId = await world.a.newPolicy("posture", {
      status: "observe",
      rules: [{ key: "team", assert: "asset.hasTeam", message: "No team." }],
      selector: { expression: 'asset.name != "elsewhere"' },
      tests: [{ name: "elsewhere", input: { asset: { name: "elsewhere" } }, expect: "skip" }],
    });
    const assetId = await world.a.newAsset();
    const old: string[] = [];
    for (let n = 0; n < MOST_ASKED; n += 1) {
      const { id } = await at.found({ ...ofAccess, locus: `grant ${n}` }, assetId);
      await at.rewrite(id, { workflow: "fix_claimed", reevaluationRequestedAt: at.inDays(-1) });
      old.push(id);
    }
    const other = await world.a.newAsset();
    await at.ask("POST", "/api/v1/ai-governance/evaluations/run", { scope: { assetIds: [other] } });
    const [ours] = await at.ids(`?policyId=${policyId}&assetId=${other}`);
    await at.review(ours as string, { action: "claim_fixed" });
    await ticks(3);
    expect(await at.read(ours as string)).toMatchObject({
      ...{ status: "open", refutedFixes: 1, reevaluationRequestedAt: null },
    });
    expect(await asked()).toBe(1);
    for (const id of [old[0], old.at(-1)] as string[])
      expect(await at.read(id)).toMatchObject({ status: "fix_claimed", reevaluationRequestedAt: null });
  });
});
