import { newAssessment, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { computePosture } from "#families/compliance/posture/compute/compute.js";
import { digestOf } from "#families/compliance/posture/compute/inputs.js";
import { sendAsSeen } from "../../helpers/seen.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai/compliance";
const DAY = 86_400_000;
const reason = "because a test wants it so";
type Items = { framework: string }[];

const asker = ({ send, a }: World) => ({
  get: async (path: string, who = a.owner) => (await send("GET", `${PATH}${path}`, { token: who.token })).json,
  put: async (path: string, body: object, who = a.owner) =>
    (await sendAsSeen({ send }, "PUT", `${PATH}${path}`, { token: who.token, body })).json,
});
const of = (framework: string, { items }: { items: Items }) => items.find((each) => each.framework === framework);

/** A framework with two manual controls, and one that nothing assesses. */
const mine = {
  ...{ name: "Ours", publisher: "Us", edition: "1" },
  controls: [
    { id: "C 1", title: "One", kind: "manual", weight: 3, evidence: [{ type: "document", freshnessDays: 30 }] },
    { id: "C 2", title: "Two", kind: "manual" },
    { id: "C 3", title: "Three", kind: "automated", policyRules: ["session-limits"] },
    { id: "C 4", title: "Four", kind: "manual", appliesFrom: "2030-01-01" },
    { id: "C 5", title: "Five", kind: "manual", applicability: "estate.assetType.dataset > 0" },
  ],
};

describe("a posture", () => {
  let world: World;
  let ask: ReturnType<typeof asker>;
  beforeAll(async () => {
    world = await createWorld({ tokenLifetime: 86_400 });
    ask = asker(world);
    await ask.put("/frameworks/ours", mine);
  });
  const assess = (controlId: string, more: object = {}) =>
    newAssessment(world.a, { assetId: null, framework: "ours", controlId, ...more });

  it("of which nothing is known has no score, and says what is missing", async () => {
    const posture = await ask.get("/posture");
    expect(posture).toMatchObject({
      overall: { score: null, coverage: 0, compliant: 0 },
      disclaimer: "This is an evidence summary, not a legal determination.",
    });
    expect(of("ours", posture)).toMatchObject({
      ...{ score: null, coverage: 0, applicable: 3, notAssessed: 3, upcoming: 1, notApplicable: 1 },
      topGaps: [
        { controlId: "C 1", state: "not_assessed", reasons: ["not_judged_by_people"] },
        { controlId: "C 2", state: "not_assessed" },
        { controlId: "C 3", state: "not_assessed", reasons: ["nothing_evaluated", "policy_missing"] },
      ],
    });
  });

  it("follows what people assess, and time takes it away again", async () => {
    const { a, clock } = world;
    const one = await assess("C 1", { addEvidence: [{ type: "document", digest: "0".repeat(64), ref: "a shelf" }] });
    const two = await assess("C 2");
    await ask.put(`/${one}`, { status: "compliant" }, a.actors.admin);
    await ask.put(`/${two}`, { status: "non_compliant" });
    expect(of("ours", await ask.get("/posture"))).toMatchObject({
      ...{ compliant: 1, nonCompliant: 1, notAssessed: 1, score: 75, coverage: 66.6 },
      evidenceFreshness: { staleCount: 0, nextExpiry: new Date(clock.now() + 30 * DAY).toISOString() },
    });
    await ask.put(`/${two}`, { status: "exempted", reason }, a.actors.admin);
    expect(of("ours", await ask.get("/posture"))).toMatchObject({ exempted: 1, nonCompliant: 0, score: 75 });
  });

  it("reads evidence that has grown too old as not assessed, before any tick", async () => {
    const fresh = await createWorld({ tokenLifetime: 86_400 });
    const { get, put } = asker(fresh);
    const until = new Date(fresh.clock.now() + 3_600_000).toISOString();
    await put("/frameworks/ours", mine);
    const id = await newAssessment(fresh.a, {
      ...{ assetId: null, framework: "ours", controlId: "C 1" },
      addEvidence: [{ type: "document", digest: "0".repeat(64), ref: "a shelf", validUntil: until }],
    });
    await put(`/${id}`, { status: "compliant" }, fresh.a.actors.admin);
    expect(of("ours", await get("/posture"))).toMatchObject({ compliant: 1, score: 100 });
    fresh.clock.advance(3_600_000);
    const ours = of("ours", await get("/posture"));
    expect(ours).toMatchObject({
      ...{ compliant: 0, score: null, evidenceFreshness: { staleCount: 1 } },
      topGaps: [{ controlId: "C 1", reasons: ["evidence_stale"] }, {}, {}],
    });
  });

  it("is the tenant's alone, and its frameworks come in pages", async () => {
    const { items, totalItems } = await ask.get("/posture?page=1&size=4");
    expect([items.length, totalItems]).toEqual([2, 6]);
    const other = await ask.get("/posture", world.b.owner);
    expect(of("ours", other)).toBeUndefined();
    expect(other.overall).toMatchObject({ score: null, coverage: 0 });
    expect(JSON.stringify(other)).not.toContain("zqalpha");
  });

  it("counts assets by their numbers: what nobody has classified may be of high risk", async () => {
    const { a, clock, send } = await createWorld({ tokenLifetime: 86_400 });
    // Article 72 applies since August 2026.
    clock.advance(250 * DAY);
    const { username, password } = a.owner;
    const { token } = (await send("POST", "/api/v1/auth/signin", { body: { username, password } })).json;
    const state = async () => {
      const { frameworks } = (await send("GET", `${PATH}/report`, { token })).json;
      const act = frameworks.find((each: { framework: string }) => each.framework === "eu-ai-act-2024-1689");
      return act.controls.find((each: { controlId: string }) => each.controlId === "72(1)").state;
    };
    expect(await state()).toBe("not_assessed");
    const { items } = (await send("GET", "/api/v1/ai-assets?size=100", { token })).json;
    for (const { id } of items) await send("PUT", `/api/v1/ai-assets/${id}`, { token, body: { riskTier: "limited" } });
    expect(await state()).toBe("not_applicable");
  });
});

describe("a posture of rules", () => {
  let world: World;
  let ask: ReturnType<typeof asker>;
  beforeAll(async () => {
    world = await createWorld({ tokenLifetime: 86_400 });
    ask = asker(world);
    await ask.put("/frameworks/ours", mine);
    const assert = "asset.hasTeam";
    await world.a.newPolicy("posture", {
      ...{ key: "team-required", severity: "low", status: "observe" },
      selector: { expression: 'asset.provider == "judged"' },
      rules: [{ key: "has-team", assert, message: "{asset.name} has no team.", controls: ["ours:C 2"] }],
      tests: [{ name: "elsewhere", input: { asset: { provider: "another" } }, expect: "skip" }],
    });
    const control = { title: "A team looks after it", kind: "automated" };
    await ask.put("/frameworks/ours", {
      ...mine,
      controls: [
        { ...control, id: "C 1", policyRules: ["team-required/has-team"] },
        { ...control, id: "C 2" },
        { ...control, id: "C 3", policyRules: ["team-required", "session-limits/session-limits"] },
      ],
    });
  });
  const evaluate = async () => {
    const answer = await world.send("POST", "/api/v1/ai-governance/evaluations/run", { token: world.a.owner.token });
    expect(answer.json).toMatchObject({ status: "completed" });
  };
  const controls = async () => {
    const { frameworks } = await ask.get("/report");
    return (of("ours", { items: frameworks }) as unknown as { controls: Record<string, unknown>[] }).controls;
  };
  const states = async () => (await controls()).map(({ state }) => state);
  const asset = (more: object = {}) => world.a.newAsset({ provider: "judged", ...more });
  const team = { team: { type: "team", id: "platform" } };

  it("knows nothing before a run, and is no better for assets that no rule was asked about", async () => {
    expect(await states()).toEqual(["not_assessed", "not_assessed", "not_assessed"]);
    await evaluate();
    expect(await states()).toEqual(["not_assessed", "not_assessed", "not_assessed"]);
    expect(of("ours", await ask.get("/posture"))).toMatchObject({ score: null, coverage: 0 });
  });

  it("falls by what a run finds, and rises as it is put right: by rules that a control names, or that name it", async () => {
    const bad = await asset();
    await evaluate();
    expect(await controls()).toMatchObject([
      {
        ...{ state: "non_compliant", worth: 0, reasons: ["rules_fail"] },
        rules: { mapped: 1, pass: 0, fail: 1, open: 1, worst: "low" },
      },
      { state: "non_compliant", rules: { open: 1 } },
      {
        state: "non_compliant",
        reasons: ["rules_fail", "policy_missing"],
        rules: { missing: ["session-limits/session-limits"] },
      },
    ]);
    await asset(team);
    await evaluate();
    // Low severity, and passed by another asset.
    expect(await states()).toEqual(["partial", "partial", "partial"]);
    const before = await ask.get("/posture");
    expect(of("ours", before)).toMatchObject({ score: 50, coverage: 100, topGaps: [{ openFindings: 1 }, {}, {}] });
    await world.send("PUT", `/api/v1/ai-assets/${bad}`, { token: world.a.owner.token, body: team });
    expect(await states()).toEqual(["partial", "partial", "partial"]);
    await evaluate();
    // A control with a missing rule is never compliant.
    expect(await states()).toEqual(["compliant", "compliant", "partial"]);
    const after = await ask.get("/posture");
    expect(after.inputsDigest).not.toBe(before.inputsDigest);
    expect(of("ours", after)).toMatchObject({ score: 83.3, evidenceFreshness: { oldestEvaluation: after.asOf } });
  });

  it("is as fresh as the last run, which may have found nothing changed", async () => {
    const freshness = async () => {
      const posture = await ask.get("/posture");
      const { evidenceFreshness } = of("ours", posture) as unknown as { evidenceFreshness: Record<string, string> };
      return [posture.asOf, evidenceFreshness.oldestEvaluation];
    };
    await asset(team);
    await evaluate();
    const [, before] = await freshness();
    world.clock.advance(3_600_000);
    expect((await freshness())[1]).toBe(before);
    await evaluate();
    const [asOf, after] = await freshness();
    expect(after).toBe(asOf);
    expect(after > before).toBe(true);
  });

  it("knows nothing more of rules that are out of force, and nothing of another tenant's", async () => {
    const { a, b, send } = world;
    const { items } = (await send("GET", "/api/v1/ai-governance/policies?size=100", { token: a.owner.token })).json;
    const { id } = items.find(({ key }: { key: string }) => key === "team-required");
    expect(JSON.stringify(await ask.get("/report", b.owner))).not.toContain("team-required");
    await send("PUT", `/api/v1/ai-governance/policies/${id}`, {
      token: a.owner.token,
      body: { status: "disabled", reason },
    });
    expect(await controls()).toMatchObject([
      { state: "not_assessed", reasons: ["nothing_evaluated", "policy_not_evaluated"] },
      { state: "not_assessed" },
      { state: "not_assessed" },
    ]);
  });
});

describe("a trend", () => {
  it("has one point a day from the tick on, once anything is known, and the point of now", async () => {
    const world = await createWorld({ tokenLifetime: 86_400 });
    const { a, clock, controlPlane } = world;
    const { get, put } = asker(world);
    const trend = async () => (await get("/posture")).overall.trend;
    await controlPlane.tick();
    expect(await trend()).toHaveLength(1);
    const id = await newAssessment(a, { assetId: null, controlId: "GOVERN 1.2" });
    await put(`/${id}`, { status: "partial" });
    clock.advance(9 * 3_600_000);
    await controlPlane.tick();
    // This process has cached that the day is done. On the next day, whichever ticks first stores the posture.
    expect(await trend()).toHaveLength(1);
    clock.advance(9 * 3_600_000);
    await Promise.all([controlPlane.tick(), controlPlane.tick(), controlPlane.tick()]);
    const points = await trend();
    expect(points.map(({ score }: { score: number }) => score)).toEqual([50, 50]);
    expect(points[0].at.slice(0, 10)).toBe("2026-01-06");
    expect((await get("/posture", world.b.owner)).overall.trend).toHaveLength(1);
  });

  it("has the point of a day on which rules alone have assessed something", async () => {
    const world = await createWorld({ tokenLifetime: 86_400 });
    const { a, clock, controlPlane, send } = world;
    const { get, put } = asker(world);
    const ofPeople = async () => (await get("?assetId=tenant")).items;
    for (const { id } of await ofPeople()) await sendAsSeen(world, "DELETE", `${PATH}/${id}`, { token: a.owner.token });
    expect(await ofPeople()).toEqual([]);
    await put("/frameworks/ours", mine);
    await a.newPolicy("posture", {
      ...{ key: "team-required", severity: "low", status: "observe" },
      selector: { expression: 'asset.provider == "judged"' },
      rules: [{ key: "has-team", assert: "asset.hasTeam", message: "No team.", controls: ["ours:C 2"] }],
      tests: [{ name: "elsewhere", input: { asset: { provider: "another" } }, expect: "skip" }],
    });
    await a.newAsset({ provider: "judged" });
    await send("POST", "/api/v1/ai-governance/evaluations/run", { token: a.owner.token });
    clock.advance(18 * 3_600_000);
    await controlPlane.tick();
    const { trend } = (await get("/posture")).overall;
    expect(trend.map(({ score }: { score: number }) => score)).toEqual([0, 0]);
  });
});

describe("a report", () => {
  let world: World;
  let ask: ReturnType<typeof asker>;
  const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;
  beforeAll(async () => {
    world = await createWorld({ tokenLifetime: 86_400 });
    ask = asker(world);
    const controls = [{ id: "<C 1>", title: HOSTILE, kind: "manual", guidance: HOSTILE }];
    await ask.put("/frameworks/ours", { ...mine, name: HOSTILE, publisher: HOSTILE, source: HOSTILE, controls });
    const id = await newAssessment(world.a, { assetId: null, controlId: "GOVERN 1.2" });
    await ask.put(`/${id}`, { status: "partial" });
  });
  const page = () => world.send("GET", `${PATH}/report?format=html`, { token: world.a.owner.token });

  it("has numbers that follow from the inputs that stand in it", async () => {
    const report = await ask.get("/report?format=json");
    const again = computePosture(report.inputs, report.asOf);
    expect(digestOf(again.inputs)).toBe(report.inputsDigest);
    expect(digestOf(report.inputs)).toBe(report.inputsDigest);
    expect({ ...again.overall, trend: report.overall.trend }).toEqual(report.overall);
    expect(again.frameworks.map(({ controls }) => controls.map(({ state }) => state))).toEqual(
      report.frameworks.map(({ controls }: { controls: { state: string }[] }) => controls.map(({ state }) => state)),
    );
    const posture = await ask.get("/posture");
    expect([posture.inputsDigest, posture.overall]).toEqual([report.inputsDigest, report.overall]);
  });

  it("is a page that needs nothing from elsewhere and runs nothing", async () => {
    const { status, text, headers } = await page();
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(text).not.toMatch(/<script|<img|<link|<iframe|<object|onerror=['"]|style="|javascript:/i);
    expect(
      [...text.matchAll(/(?:src|href|xlink:href)="([^"]*)"/g)].filter(([, to]) => !/^(?:#|https?:)/.test(to ?? "")),
    ).toEqual([]);
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(text).toContain("not a legal determination");
  });

  it("holds every control of every framework, each in a row of a table with heads", async () => {
    const { text } = await page();
    const report = await ask.get("/report");
    const controls = report.frameworks.flatMap((each: { controls: object[] }) => each.controls);
    expect(controls).toHaveLength(72 + 155 + 70 + 10 + 2);
    expect(text.match(/<th role="rowheader" scope="row">/g)?.length).toBeGreaterThanOrEqual(controls.length);
    const [tables, captions] = [text.match(/<table /g), text.match(/<caption>/g)];
    expect(tables?.length).toBe(captions?.length);
    expect(text).toContain(report.inputsDigest);
    for (const { name } of report.frameworks.slice(0, 3)) expect(text).toContain(name);
  });

  it("is well-formed: every element that is opened is closed in its order", async () => {
    const { text } = await page();
    const open: string[] = [];
    for (const [, end, name = "", self] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*?(\/?)>/g)) {
      if (["meta"].includes(name) || self === "/") continue;
      if (end === "") open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });
});
