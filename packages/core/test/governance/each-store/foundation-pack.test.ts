import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { FOUNDATION } from "#families/governance/packs/install/foundation.js";
import { builtinFrameworks } from "#frameworks/index.js";
import { gatesOf } from "../../helpers/gates.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let at: ReturnType<typeof gatesOf>;
beforeEach(async () => {
  world = await createWorld();
  at = gatesOf(world);
  await at.done("POST", "/api/v1/ai-governance/policy-packs/foundation/install");
});

/** The counts of results of a policy of the pack, after a run. */
async function results(key: string) {
  await at.run({ mode: "full" });
  const { inputs } = await at.done("GET", "/api/v1/ai/compliance/report");
  const { pass, fail, error, skip } = inputs.standings.find(
    ({ policyKey }: { policyKey: string }) => policyKey === key,
  );
  return { pass, fail, error, skip };
}
type Counts = Awaited<ReturnType<typeof results>>;
const NONE = { pass: 0, fail: 0, error: 0, skip: 0 };

/** What `add` adds to the results of a policy. */
async function added(key: string, add: () => Promise<unknown>): Promise<Counts> {
  const before = await results(key);
  await add();
  const after = await results(key);
  const names = Object.keys(NONE) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as Counts;
}

describe("G3 what the door of a record is told", () => {
  it("of risk and data is what rules read of the asset", async () => {
    const governed = { riskTier: "prohibited", dataClassification: "restricted" };
    expect(await added("no-prohibited-use", () => world.a.newAgent(governed))).toEqual({ ...NONE, fail: 1 });
    const { assetId } = await at.done("GET", `/api/v1/ai/models/${await world.a.newModel({ hosting: "saas" })}`);
    const agent = () => world.a.newAgent({ ...governed, modelIds: [assetId] });
    expect(await added("restricted-data-external-model", agent)).toEqual({ ...NONE, fail: 1 });
  });
});

describe("G14 a policy of the foundation pack", () => {
  it("takes an unknown end of a model of somebody else for unknown, and for nothing with a model of our own", async () => {
    const models = async () => {
      await world.a.newModel({ hosting: "saas", providerRetirementAt: null });
      await world.a.newModel({ hosting: "self_hosted", providerRetirementAt: null });
    };
    expect(await added("not-past-retirement", models)).toEqual({ ...NONE, error: 1, skip: 1 });
  });

  it("passes no identity without a credential, and skips it", async () => {
    const identity = () => world.a.newIdentity({ credentialIssuedAt: null });
    expect(await added("credential-age", identity)).toEqual({ ...NONE, skip: 1 });
  });

  it("does not take a model for our own that nobody knows the host of", async () => {
    const model = await world.a.newModel({ hosting: null });
    const { assetId } = await at.done("GET", `/api/v1/ai/models/${model}`);
    const agent = () => world.a.newAgent({ dataClassification: "restricted", modelIds: [assetId] });
    expect(await added("restricted-data-external-model", agent)).toEqual({ ...NONE, error: 1 });
  });

  it("says nothing of discovery where nothing was discovered", async () => {
    await world.a.newAsset();
    const { pass, skip } = await results("no-shadow");
    expect([pass, skip > 0]).toEqual([0, true]);
  });

  it("finds what is prohibited and in use, and is evidence for each practice of Article 5", async () => {
    await world.a.newAsset({ riskTier: "prohibited" });
    await world.a.newAsset();
    expect(await results("no-prohibited-use")).toMatchObject({ fail: 1, pass: 0 });
    const { frameworks } = await at.done("GET", "/api/v1/ai/compliance/report");
    const act = frameworks.find(({ framework }: { framework: string }) => framework === "eu-ai-act-2024-1689");
    const practices = act.controls.filter(({ controlId }: { controlId: string }) =>
      /^5\(1\)\([a-h]\)$/.test(controlId),
    );
    expect(practices.map(({ state }: { state: string }) => state)).toEqual(Array(8).fill("non_compliant"));
  });

  it("says what a pass shows, and names controls that frameworks have", async () => {
    const known = (await builtinFrameworks()).flatMap(({ key, controls }) => controls.map(({ id }) => `${key}:${id}`));
    for (const { key, description, rules } of FOUNDATION.policies) {
      expect([key, description]).toEqual([key, expect.stringMatching(/^A pass shows that /)]);
      expect([key, rules.flatMap(({ controls }) => controls).filter((control) => !known.includes(control))]).toEqual([
        key,
        [],
      ]);
    }
  });
});
