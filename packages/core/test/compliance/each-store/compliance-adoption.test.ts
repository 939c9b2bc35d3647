import { newAdoption, newAssessment, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { computePosture } from "#families/compliance/posture/compute/compute.js";
import { digestOf } from "#families/compliance/posture/compute/inputs.js";
import { sendAsSeen } from "../../helpers/seen.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai/compliance";
const ACT = "eu-ai-act-2024-1689";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});
const ask = (method: string, path: string, body?: object, who = world.a.owner) =>
  world.send(method, `${PATH}${path}`, { token: who.token, ...(body ? { body } : {}) });
const posture = async (query = "", who = world.a.owner) =>
  (await ask("GET", `/posture?size=100${query}`, undefined, who)).json;
type Item = { framework: string; [name: string]: unknown };
const of = (key: string, { items }: { items: Item[] }) => items.find(({ framework }) => framework === key);
const states = async () => {
  const { frameworks } = (await ask("GET", "/report")).json;
  const { controls } = of(ACT, { items: frameworks }) as unknown as {
    controls: { controlId: string; state: string; reasons: string[] }[];
  };
  return new Map(controls.map((each) => [each.controlId, each]));
};

describe("the adoption of a framework", () => {
  it("G-M4 keeps what binds providers from the score of a deployer", async () => {
    expect((await posture()).items.length).toBeGreaterThan(3);
    const adopted = await ask("PUT", `/frameworks/${ACT}/adoption`, {
      roles: ["deployer", "deployer"],
      scope: "We buy.",
    });
    expect(adopted).toMatchObject({
      status: 200,
      json: { id: ACT, version: 1, roles: ["deployer"], scope: "We buy." },
    });
    const after = await posture();
    expect(after.items.map(({ framework }: Item) => framework)).toEqual([ACT]);
    expect(after.items[0]).toMatchObject({ roles: ["deployer"] });
    const deployer = await states();
    expect(deployer.get("49(1)")).toMatchObject({ state: "not_applicable", reasons: ["other_role"] });
    expect(deployer.get("49(3)")?.state).not.toBe("not_applicable");
    expect(deployer.get("5(1)(a)")?.state).toBe("not_assessed");
    await ask("PUT", `/frameworks/${ACT}/adoption`, { roles: ["deployer", "provider"] });
    expect((await states()).get("49(1)")?.state).not.toBe("not_applicable");
  });

  it("G-M4 counts for the numbers, which can be computed again from the inputs", async () => {
    const report = (await ask("GET", "/report")).json;
    const again = computePosture(report.inputs, report.asOf);
    expect(digestOf(again.inputs)).toBe(report.inputsDigest);
    expect(again.overall).toMatchObject({ notApplicable: report.overall.notApplicable, score: report.overall.score });
  });

  it("is the tenant's alone, stands in the list of frameworks, and holds its framework", async () => {
    expect((await posture("", world.b.owner)).items.length).toBeGreaterThan(3);
    const { items } = (await ask("GET", "/frameworks?size=100")).json;
    expect(items.find(({ key }: { key: string }) => key === ACT).adoption).toMatchObject({
      roles: ["deployer", "provider"],
    });
    const others = (await ask("GET", "/frameworks?size=100", undefined, world.b.owner)).json.items;
    expect(others.find(({ key }: { key: string }) => key === ACT).adoption).toBeNull();
    const own = await newAdoption(world.a);
    expect(await ask("DELETE", `/frameworks/${own}`)).toMatchObject({ status: 409, json: { code: "in_use" } });
    expect((await ask("DELETE", `/frameworks/${own}/adoption`)).status).toBe(204);
    expect((await ask("DELETE", `/frameworks/${own}/adoption`)).status).toBe(404);
    expect((await ask("DELETE", `/frameworks/${own}`)).status).toBe(204);
  });

  it("refuses a role or a framework that is not there", async () => {
    const unknown = await ask("PUT", `/frameworks/${ACT}/adoption`, { roles: ["bystander"] });
    expect(unknown).toMatchObject({ status: 400, json: { code: "invalid_request" } });
    expect((await ask("PUT", "/frameworks/nowhere/adoption", { roles: [] })).status).toBe(404);
  });
});

describe("a posture as of a day", () => {
  it("G-M4 shows what will bind then, and what evidence will have grown too old", async () => {
    const id = await newAssessment(world.a, {
      ...{ assetId: null, framework: ACT, controlId: "4" },
      addEvidence: [{ type: "document", digest: "0".repeat(64), ref: "a shelf" }],
    });
    const attested = await sendAsSeen(world, "PUT", `${PATH}/${id}`, {
      token: world.a.actors.admin.token,
      body: { status: "compliant" },
    });
    expect(attested.json).toMatchObject({ status: "compliant" });
    const now = of(ACT, await posture());
    expect(now).toMatchObject({ compliant: 1 });
    const eve = of(ACT, await posture("&asOf=2027-12-01")) as Item;
    const then = of(ACT, await posture("&asOf=2027-12-02")) as Item;
    expect(eve).toMatchObject({ compliant: 0, evidenceFreshness: { staleCount: 1 } });
    expect(then.upcoming).toBeLessThan(eve.upcoming as number);
    expect((await posture("&asOf=2028-08-02")).items[0]).toMatchObject({ upcoming: 0 });
    expect((await posture("&asOf=2027-12-02")).asOf).toBe("2027-12-02T00:00:00.000Z");
  });

  it("is never of a day that is over", async () => {
    const today = new Date(world.clock.now()).toISOString().slice(0, 10);
    expect((await ask("GET", `/posture?asOf=${today}`)).status).toBe(200);
    const past = await ask("GET", "/posture?asOf=2020-01-01");
    expect(past).toMatchObject({ status: 400, json: { errors: [{ pointer: "/asOf" }] } });
  });
});

describe("the posture of an asset", () => {
  it("G-M1 counts the assessments of the asset, and those of the organisation do not count for it", async () => {
    const assetId = await world.a.newAsset({ riskTier: "high" });
    const only = async () => of(ACT, await posture(`&assetId=${assetId}`));
    expect(await only()).toMatchObject({ score: null, coverage: 0, compliant: 0 });
    const id = await newAssessment(world.a, { assetId, framework: ACT, controlId: "5(2)" });
    await ask("PUT", `/${id}`, { status: "partial" });
    expect(await only()).toMatchObject({ score: 50, partial: 1, compliant: 0 });
    expect(of(ACT, await posture())).toMatchObject({ partial: 0, compliant: 1 });
  });

  it("G-M1 rests on the asset's own results of rules, and on its own findings", async () => {
    const [bad, good] = [
      await world.a.newAsset({ provider: "judged" }),
      await world.a.newAsset({ provider: "judged" }),
    ];
    const team = { team: { type: "team", id: "platform" } };
    await world.send("PUT", `/api/v1/ai-assets/${good}`, { token: world.a.owner.token, body: team });
    await world.a.newPolicy("posture", {
      ...{ key: "team-required", severity: "high", status: "observe" },
      selector: { expression: 'asset.provider == "judged"' },
      rules: [
        { key: "has-team", assert: "asset.hasTeam", message: "{asset.name} has no team.", controls: [`${ACT}:4`] },
      ],
      tests: [{ name: "elsewhere", input: { asset: { provider: "another" } }, expect: "skip" }],
    });
    const run = await world.send("POST", "/api/v1/ai-governance/evaluations/run", { token: world.a.owner.token });
    expect(run.json).toMatchObject({ status: "completed" });
    const gaps = async (assetId: string) => {
      const { topGaps } = of(ACT, await posture(`&assetId=${assetId}`)) as unknown as {
        topGaps: { controlId: string; openFindings: number; state: string }[];
      };
      return topGaps.find(({ controlId }) => controlId === "4");
    };
    expect(await gaps(bad)).toMatchObject({ state: "non_compliant", openFindings: 1 });
    // Rules pass for this one, and people have yet to judge it.
    expect(await gaps(good)).toMatchObject({ state: "partial", openFindings: 0 });
  });

  it("is of an asset of the tenant only", async () => {
    const assetId = await world.a.newAsset();
    expect((await ask("GET", `/posture?assetId=${assetId}`, undefined, world.b.owner)).status).toBe(404);
  });
});
