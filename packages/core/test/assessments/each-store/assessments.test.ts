import { type Actor, newImpactAssessment, newSubmittedAssessment, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { gatesOf } from "../../helpers/gates.js";
import { sendAsSeen } from "../../helpers/seen.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai-governance/assessments";
const HOUR = 3_600_000;
let world: World;
let at: ReturnType<typeof gatesOf>;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  at = gatesOf(world);
});

const by = (role: keyof World["a"]["actors"]) => world.a.actors[role];
const ask = (method: string, path: string, as: Actor, body?: object) =>
  world.send(method, path, { token: as.token, ...(body ? { body } : {}) });
const move = (id: string, verb: string, as: Actor, body?: object) =>
  verb === "approve"
    ? sendAsSeen(world, "PATCH", `${PATH}/${id}/${verb}`, { token: as.token, ...(body ? { body } : {}) })
    : ask("PATCH", `${PATH}/${id}/${verb}`, as, body);
const read = async (id: string) => (await ask("GET", `${PATH}/${id}`, by("owner"))).json;
const answeredBy = (questions: readonly { key: string; rated: boolean }[]) =>
  Object.fromEntries(
    questions.map(({ key, rated }) => [key, { text: "It is so.", ...(rated ? { rating: "low" } : {}) }]),
  );

describe("an impact assessment", () => {
  it("is submitted once every question is answered and a conclusion is drawn", async () => {
    const assetId = await world.a.newAsset();
    const begun = await ask("POST", PATH, by("member"), { assetId, questionnaire: "impact" });
    expect(begun.json).toMatchObject({ status: "draft", questionnaireVersion: 1, answers: {}, residualRisk: null });
    const refused = await move(begun.json.id, "submit", by("member"));
    expect(refused.json).toMatchObject({ status: 409, code: "transition_guard_failed" });
    expect(refused.json.guards[0].detail).toMatch(/an answer to "people".*a conclusion, the remaining risk/);
    const { json } = await ask("GET", `${PATH}/questionnaires`, by("member"));
    const { questions } = json.items[0];
    const path = `${PATH}/${begun.json.id}`;
    const [first, ...others] = Object.entries(answeredBy(questions));
    await ask("PUT", path, by("member"), { answers: Object.fromEntries([first as [string, object]]) });
    await ask("PUT", path, by("member"), { answers: Object.fromEntries(others), conclusion: "It may be used." });
    await ask("PUT", path, by("member"), { residualRisk: "medium" });
    const submitted = await move(begun.json.id, "submit", by("member"));
    expect(submitted.json).toMatchObject({ status: "in_review", submittedBy: by("member").userId });
    expect(Object.keys(submitted.json.answers)).toHaveLength(questions.length);
  });

  it("wants a rating where one is asked for, and takes no answers to questions that nobody asked", async () => {
    const id = await newImpactAssessment(world.a);
    await ask("PUT", `${PATH}/${id}`, by("operator"), { answers: { harm: { text: "None." } } });
    expect((await move(id, "submit", by("operator"))).json.guards[0].detail).toBe('It lacks a rating of "harm".');
    const unknown = await ask("PUT", `${PATH}/${id}`, by("operator"), { answers: { weather: { text: "Fine." } } });
    expect(unknown.json).toMatchObject({ status: 400, errors: [{ pointer: "/answers/weather" }] });
  });

  it("is approved by nobody who has answered, submitted or owns the asset", async () => {
    const owner = { type: "user", id: by("governance_officer").userId };
    const assetId = await world.a.newAsset({ owner });
    const id = await newSubmittedAssessment(world.a, { assetId }, by("approver"));
    for (const role of ["approver", "governance_officer"] as const)
      expect((await move(id, "approve", by(role))).json.code, role).toBe("self_approval_forbidden");
    expect((await move(id, "approve", by("member"))).status).toBe(403);
    const approved = await move(id, "approve", by("owner"), { reason: "The measures fit." });
    expect(approved.json).toMatchObject({
      status: "approved",
      approvedBy: by("owner").userId,
      approvalReason: "The measures fit.",
      // The owner has invited the others.
      relatedParty: true,
    });
    expect(approved.json.involved.ids).toContain(by("approver").userId);
  });

  it("is changed by nobody once it is submitted, unless it is sent back with a reason", async () => {
    const id = await newSubmittedAssessment(world.a);
    const changed = await ask("PUT", `${PATH}/${id}`, by("operator"), { conclusion: "Another one." });
    expect(changed.json.code).toBe("invalid_transition");
    expect((await ask("DELETE", `${PATH}/${id}`, by("operator"))).json.code).toBe("in_use");
    expect((await move(id, "return", by("approver"))).json.code).toBe("missing_reason");
    expect((await move(id, "return", by("approver"), { reason: "The harm is missing." })).json.status).toBe("draft");
    expect((await ask("PUT", `${PATH}/${id}`, by("operator"), { conclusion: "Another one." })).status).toBe(200);
  });

  it("is not approved of an asset that has changed since, which names what has", async () => {
    const assetId = await world.a.newAsset({ riskTier: "limited" });
    const id = await newSubmittedAssessment(world.a, { assetId });
    await ask("PUT", `/api/v1/ai-assets/${assetId}`, by("owner"), { purpose: "Something else." });
    const refused = await move(id, "approve", by("approver"));
    expect(refused.json.guards).toContainEqual(
      expect.objectContaining({ key: "current", detail: "The asset has changed since: purpose. Submit it again." }),
    );
    expect((await read(id)).status).toBe("in_review");
  });

  it("holds until its end exactly, and a later one takes its place", async () => {
    const assetId = await world.a.newAsset();
    const validUntil = new Date(world.clock.now() + HOUR).toISOString();
    const first = await newSubmittedAssessment(world.a, { assetId, validUntil });
    expect((await move(first, "approve", by("approver"))).json).toMatchObject({ status: "approved", validUntil });
    const second = await newSubmittedAssessment(world.a, { assetId });
    await move(second, "approve", by("approver"));
    expect((await read(first)).status).toBe("superseded");
    const third = await newSubmittedAssessment(world.a, {
      assetId,
      validUntil: new Date(world.clock.now() + HOUR).toISOString(),
    });
    await move(third, "approve", by("approver"));
    world.clock.advance(HOUR - 1);
    expect((await read(third)).status).toBe("approved");
    world.clock.advance(1);
    expect((await read(third)).status).toBe("expired");
    const listed = await ask("GET", `${PATH}?assetId=${assetId}&status=expired`, by("owner"));
    expect(listed.json.items.map(({ id }: { id: string }) => id)).toEqual([third]);
  });

  it("is decided about as gone when its asset is gone, and not lost", async () => {
    const assetId = await world.a.newAsset();
    const [submitted, draft] = [
      await newSubmittedAssessment(world.a, { assetId }),
      await newImpactAssessment(world.a, { assetId, questionnaire: "risk" }),
    ];
    expect((await ask("DELETE", `/api/v1/ai-assets/${assetId}`, by("owner"))).status).toBe(204);
    for (const answer of [
      await move(submitted, "approve", by("approver")),
      await move(draft, "submit", by("operator")),
    ])
      expect(answer.json.guards).toContainEqual(
        expect.objectContaining({ key: "current", detail: "The asset is gone." }),
      );
    expect((await read(submitted)).status).toBe("in_review");
  });

  it("that has run out stays so when a later one is approved", async () => {
    const assetId = await world.a.newAsset();
    const validUntil = new Date(world.clock.now() + 1_000).toISOString();
    const first = await newSubmittedAssessment(world.a, { assetId, validUntil });
    await move(first, "approve", by("approver"));
    world.clock.advance(1_000);
    const second = await newSubmittedAssessment(world.a, { assetId });
    expect((await move(second, "approve", by("approver"))).json.status).toBe("approved");
    expect((await read(first)).status).toBe("expired");
  });

  it("is open once for an asset and a questionnaire, whoever begins it at the same time", async () => {
    const assetId = await world.a.newAsset();
    const answers = await Promise.all(
      ["member", "operator", "approver", "owner"].map((role) =>
        ask("POST", PATH, by(role as "member"), { assetId, questionnaire: "risk" }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect((await ask("POST", PATH, by("member"), { assetId, questionnaire: "impact" })).status).toBe(201);
  });

  it("waits in the reviewer's list, and is nobody's of another tenant", async () => {
    const id = await newSubmittedAssessment(world.a);
    const { assetId } = await read(id);
    const waiting = await ask("GET", `/api/v1/reviews?assetId=${assetId}&kind=assessment`, by("approver"));
    expect(waiting.json.items).toMatchObject([{ subject: { id }, requestedBy: by("operator").userId }]);
    for (const [method, path] of [
      ["GET", `${PATH}/${id}`],
      ["PUT", `${PATH}/${id}`],
      ["PATCH", `${PATH}/${id}/approve`],
      ["DELETE", `${PATH}/${id}`],
    ] as const)
      expect((await ask(method, path, world.b.owner, method === "PUT" ? {} : undefined)).status, path).toBe(404);
    const foreign = await ask("POST", PATH, world.b.owner, { assetId, questionnaire: "impact" });
    expect(foreign.json).toMatchObject({ code: "invalid_reference" });
  });
});

describe("G14 high risk has an impact assessment", () => {
  it("is a rule over approved assessments of the asset as it is, not over what anybody says in metadata", async () => {
    await at.done("POST", "/api/v1/ai-governance/policy-packs/foundation/install");
    const assetId = await world.a.newAsset({ riskTier: "high", metadata: { impactAssessment: true } });
    const state = async () => {
      await at.run();
      const query = `?assetId=${assetId}&search=high-risk-impact-assessment`;
      const { json } = await ask("GET", `/api/v1/ai-governance/findings${query}`, by("owner"));
      return json.items.map(({ status, message }: { status: string; message: string }) => `${status}: ${message}`);
    };
    expect(await state()).toEqual([expect.stringMatching(/^open: .*is: none/)]);
    const id = await newSubmittedAssessment(world.a, { assetId });
    expect(await state()).toEqual([expect.stringMatching(/^open/)]);
    await move(id, "approve", by("approver"));
    expect(await state()).toEqual([expect.stringMatching(/^resolved/)]);
    for (let risk = 0; risk < 5; risk += 1) {
      const later = await newSubmittedAssessment(world.a, { assetId, questionnaire: "risk" });
      expect((await move(later, "approve", by("approver"))).json.status).toBe("approved");
    }
    expect(await state()).toEqual([expect.stringMatching(/^resolved/)]);
    await ask("PUT", `/api/v1/ai-assets/${assetId}`, by("owner"), { autonomy: "autonomous" });
    expect(await state()).toEqual([expect.stringMatching(/^open: .*is: outdated/)]);
  });
});
