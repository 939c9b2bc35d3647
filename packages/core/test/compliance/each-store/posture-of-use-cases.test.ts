import { newAdoption, newAssessment, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import { sendAsSeen } from "../../helpers/seen.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai/compliance";
const FRAMEWORK = "use-cases";
const LABEL = "use-case=claims";
const REASON = "because a test wants it so";

let world: World;
let mild: string;
let bad: string;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  const { a } = world;
  await ask("PUT", `${PATH}/frameworks/${FRAMEWORK}`, {
    ...{ name: "Use cases", publisher: "Us", edition: "1" },
    controls: [
      { id: "R", title: "Has a team", kind: "automated" },
      { id: "P", title: "Was looked at", kind: "manual" },
      { id: "D", title: "For data sets", kind: "manual", applicability: "estate.assetType.dataset > 0" },
    ],
  });
  await ask("PUT", `${PATH}/frameworks/${FRAMEWORK}/adoption`, { roles: [] });
  const labelled = { provider: "judged", labels: { "use-case": "claims" } };
  mild = await a.newAsset({ ...labelled, team: { type: "team", id: "platform" } });
  bad = await a.newAsset(labelled);
  const loans = { provider: "judged", labels: { "use-case": "loans" } };
  for (const team of [null, { type: "team", id: "platform" }, null]) await a.newAsset({ ...loans, team });
  await a.newAsset({ provider: "judged", assetType: "dataset" });
  await a.newPolicy("posture", {
    ...{ key: "judged-team", severity: "low", status: "observe" },
    selector: { expression: 'asset.provider == "judged"' },
    rules: [{ key: "has-team", assert: "asset.hasTeam", message: "It has no team.", controls: [`${FRAMEWORK}:R`] }],
    tests: [{ name: "elsewhere", input: { asset: { provider: "another" } }, expect: "skip" }],
  });
  await ask("POST", "/api/v1/ai-governance/evaluations/run");
});

async function ask(method: string, path: string, body?: object, who = world.a.owner) {
  return world.send(method, path, { token: who.token, ...(body ? { body } : {}) });
}
/** Assesses as a four-eyes approver. */
const decide = async (id: string, status: string) => {
  const sending = { token: world.a.actors.admin.token, body: { status, reason: REASON } };
  const answer = await sendAsSeen(world, "PUT", `${PATH}/${id}`, sending);
  expect(answer.status, answer.text).toBe(200);
};
const posture = (query: string, who = world.a.owner) => ask("GET", `${PATH}/posture?${query}`, undefined, who);
const ofLabel = async (label = LABEL) => {
  const answer = await posture(`label=${encodeURIComponent(label)}`);
  expect(answer.status, answer.text).toBe(200);
  const [framework] = answer.json.items as { topGaps: { controlId: string; state: string; openFindings: number }[] }[];
  const gap = (id: string) => framework?.topGaps.find(({ controlId }) => controlId === id);
  return { assets: answer.json.assets, framework, gap };
};

describe("the posture of a use case", () => {
  it("G-M1 sums the results and findings of the assets with its label, and of no others", async () => {
    const { assets, framework, gap } = await ofLabel();
    expect(assets).toBe(2);
    expect(gap("R")).toMatchObject({ state: "partial", openFindings: 1 });
    // Partial, not non-compliant, because the rule passes for the second of three.
    expect((await ofLabel("use-case=loans")).gap("R")).toMatchObject({ state: "partial", openFindings: 2 });
    // The data set stands elsewhere, so what is about data sets is about nothing here.
    expect(framework).toMatchObject({ notApplicable: 1, applicable: 2 });
    expect((await posture("")).json).toMatchObject({ assets: null });
    const alone = (await posture(`assetId=${mild}`)).json;
    expect([alone.assets, alone.items[0].compliant]).toEqual([1, 1]);
  });

  it("is as fresh as the last run over all, also where that found nothing changed", async () => {
    world.clock.advance(3_600_000);
    const freshness = async () => {
      const { items } = (await posture(`label=${encodeURIComponent(LABEL)}`)).json;
      return items[0].evidenceFreshness.oldestEvaluation;
    };
    const before = await freshness();
    await ask("POST", "/api/v1/ai-governance/evaluations/run");
    expect(await freshness()).toBe(new Date(world.clock.now()).toISOString());
    expect(before < (await freshness())).toBe(true);
  });

  it("G-M1 counts an assessment once each of its assets has one, and then the lowest", async () => {
    const assess = async (assetId: string, status: string) => {
      const id = await newAssessment(world.a, { assetId, framework: FRAMEWORK, controlId: "P" });
      await decide(id, status);
      return id;
    };
    await assess(mild, "compliant");
    expect((await ofLabel()).gap("P")).toMatchObject({ state: "not_assessed" });
    const id = await assess(bad, "partial");
    expect((await ofLabel()).gap("P")).toMatchObject({ state: "partial" });
    await decide(id, "not_applicable");
    expect((await ofLabel()).framework).toMatchObject({ compliant: 1, partial: 1 });
  });

  it("G-M1 leaves retired assets out, and is of the tenant alone", async () => {
    await ask("PATCH", `/api/v1/ai-assets/${bad}/lifecycle`, { status: "retired", reason: REASON });
    const { assets, framework } = await ofLabel();
    expect([assets, framework]).toMatchObject([1, { compliant: 2, partial: 0 }]);
    const label = `label=${encodeURIComponent(LABEL)}`;
    await newAdoption(world.b);
    expect((await posture(label, world.b.owner)).text).not.toContain(FRAMEWORK);
    expect((await posture(label, world.b.owner)).status).toBe(404);
    expect((await posture("label=use-case%3Dunknown")).status).toBe(404);
  });

  it("is refused of an asset and a label at once, and of more than 200 assets", async () => {
    const both = await posture(`assetId=${mild}&label=x`);
    expect(both).toMatchObject({ status: 400, json: { errors: [{ pointer: "/label" }] } });
    const assets = collections.find(({ name }) => name === "ai_assets") as (typeof collections)[number];
    const tenant = world.store.forTenant(world.a.tenantId);
    const template = (await tenant.get(assets, mild))?.value as { id: string; version: number; createdAt: string };
    const among = { version: 1, labels: { many: "yes" }, externalRef: null, record: null };
    const many = Array.from({ length: 201 }, (_, at) => ({
      ...template,
      ...among,
      id: `ast_7${String(at).padStart(25, "0")}`,
    }));
    const retired = { ...template, ...among, status: "retired", id: "ast_7ZZZZZZZZZZZZZZZZZZZZZZZZZ" };
    await tenant.insertMany(assets, [...many.slice(0, 200), retired]);
    expect((await ofLabel("many")).assets).toBe(200);
    await tenant.insertMany(assets, many.slice(200));
    const refused = await posture("label=many");
    expect(refused).toMatchObject({ status: 400, json: { errors: [{ pointer: "/label" }] } });
  });
});
