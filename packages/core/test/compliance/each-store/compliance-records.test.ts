import { newAssessment, newFramework, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { eventTypes } from "../../helpers/facts.js";
import { sendAsSeen } from "../../helpers/seen.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai/compliance";
const DAY = 86_400_000;
const reason = "because a test wants it so";
const document = (more: object = {}) => ({
  type: "document",
  ref: "https://files.example/policy.pdf",
  digest: "0".repeat(64),
  ...more,
});

let world: World;
beforeAll(async () => {
  // The clock advances by more than a year.
  world = await createWorld({ tokenLifetime: 86_400 });
});

const ask = (method: string, path: string, body?: object, who = world.a.owner) =>
  world.send(method, path, { token: who.token, ...(body ? { body } : {}) });
const put = (id: string, body: object, who = world.a.actors.admin) =>
  sendAsSeen(world, "PUT", `${PATH}/${id}`, { token: who.token, body });
const read = async (id: string) => (await ask("GET", `${PATH}/${id}`)).json;
/** A record about a new asset, assessed by the owner, so that the administrator may attest it. */
const assessed = (more: object = {}) => newAssessment(world.a, { ...more });

/** References that contain a secret. */
const SECRETS = [
  ["a password in an address", "https://ada:s3cret@files.example/x"],
  ["a signed link", "https://files.example/x?X-Amz-Signature=abcdef0123456789"],
  ["a token in a fragment", "https://files.example/x#access_token=abc"],
  ["a token of a service", "see ghp_0123456789abcdefghij0123"],
  ["a bearer token", "Bearer abcdefgh12345678"],
  ["a signed token", "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3JfMSJ9.c2lnbmF0dXJl"],
] as const;
const OF_TWO = ["compliant", "exempted", "not_applicable"];

describe("an assessment", () => {
  it("is one for each control and scope, and of a control that exists", async () => {
    const assetId = await world.a.newAsset();
    const body = { framework: "eu-ai-act-2024-1689", controlId: "27(1)", assetId };
    expect((await ask("POST", PATH, body)).json).toMatchObject({
      ...{ status: "not_assessed", workflow: "to_do", framework: "eu-ai-act-2024-1689", controlId: "27(1)", assetId },
      ...{ name: "eu-ai-act-2024-1689 27(1)", evidence: [], requestedBy: null, attestation: null },
    });
    expect(await ask("POST", PATH, body)).toMatchObject({ status: 409, json: { code: "already_exists" } });
    const whole = await ask("POST", PATH, { configuration: { framework: "eu-ai-act-2024-1689", controlId: "27(1)" } });
    expect(whole).toMatchObject({ status: 201, json: { assetId: null } });
    expect((await ask("GET", `${PATH}?framework=eu-ai-act-2024-1689&status=not_assessed`)).json.totalItems).toBe(2);
  });

  it.each([
    ["no framework", { controlId: "27(1)" }, "invalid_request", "/framework"],
    ["a framework that is not there", { framework: "nowhere", controlId: "27(1)" }, "invalid_reference", "/framework"],
    ["no control", { framework: "eu-ai-act-2024-1689" }, "invalid_request", "/controlId"],
    [
      "a control that is not there",
      { framework: "eu-ai-act-2024-1689", controlId: "999" },
      "invalid_reference",
      "/controlId",
    ],
    [
      "an asset that is not there",
      { framework: "eu-ai-act-2024-1689", controlId: "5(1)(a)", assetId: "ast_7ZZZZZZZZZZZZZZZZZZZZZZZZZ" },
      "invalid_reference",
      "/assetId",
    ],
  ])("of %s is refused with its place", async (_what, body, code, pointer) => {
    expect(await ask("POST", PATH, body)).toMatchObject({ status: 400, json: { code, errors: [{ pointer }] } });
  });

  it("keeps what it is about", async () => {
    const id = await assessed();
    expect(await put(id, { controlId: "GOVERN 1.2" })).toMatchObject({
      status: 400,
      json: { code: "read_only_property", errors: [{ pointer: "/controlId" }] },
    });
  });

  it("goes its way to done beside what was assessed", async () => {
    const id = await assessed();
    expect(await put(id, { workflow: "in_review" })).toMatchObject({ status: 200, json: { workflow: "in_review" } });
    expect((await put(id, { workflow: "done" })).json.workflow).toBe("done");
    expect(await put(id, { workflow: "in_review" })).toMatchObject({
      status: 409,
      json: { code: "invalid_transition", machine: "complianceWorkflow", allowed: ["to_do"] },
    });
    expect(await put(id, { workflow: "later" })).toMatchObject({ status: 400 });
  });
});

describe("what was attested", () => {
  it.each(OF_TWO)("as %s ends the review that was asked for", async (status) => {
    const id = await assessed();
    await put(id, { workflow: "in_review" });
    const waiting = async () => {
      const { json } = await ask("GET", "/api/v1/reviews?kind=attestation&size=100");
      return json.items.some(({ subject }: { subject: { id: string } }) => subject.id === id);
    };
    expect(await waiting()).toBe(true);
    expect((await put(id, { status, reason })).json).toMatchObject({ status, workflow: "done" });
    expect(await waiting()).toBe(false);
  });

  it("leaves the work alone where nothing was submitted, or where the body says how it goes on", async () => {
    const [id, other] = [await assessed(), await assessed()];
    expect((await put(id, { status: "compliant" })).json.workflow).toBe("to_do");
    await put(other, { workflow: "in_review" });
    expect((await put(other, { status: "compliant", workflow: "in_progress" })).json.workflow).toBe("in_progress");
  });

  it("keeps the rationale that was read with it, until the status is moved with it", async () => {
    const id = await assessed({ rationale: "As it was." });
    await put(id, { status: "not_applicable", reason });
    const { owner } = world.a;
    for (const who of [owner, world.a.actors.admin])
      expect(await put(id, { rationale: "As it is told now." }, who)).toMatchObject({
        status: 409,
        json: { code: "in_use" },
      });
    expect((await put(id, { rationale: "As it was.", name: "As before" }, owner)).status).toBe(200);
    expect(await read(id)).toMatchObject({ rationale: "As it was.", status: "not_applicable" });
    const anew = await put(id, { rationale: "As it is told now.", status: "not_assessed" }, owner);
    expect(anew.json).toMatchObject({ status: "not_assessed", attestation: null, rationale: "As it is told now." });
  });
});

describe("what takes two people", () => {
  it.each(OF_TWO)("is %s: whoever has assessed it cannot say so", async (status) => {
    const id = await assessed();
    expect(await put(id, { status, reason }, world.a.owner)).toMatchObject({
      status: 403,
      json: { code: "self_approval_forbidden" },
    });
    const other = await put(id, { status, reason });
    expect(other).toMatchObject({ status: 200, json: { status, requestedBy: world.a.owner.userId } });
  });

  it("is not got round by assessing it once more, nor by another's touch of the text", async () => {
    const id = await assessed();
    const { admin, governance_officer: officer } = world.a.actors;
    expect(await put(id, { addEvidence: [document()], status: "compliant" }, admin)).toMatchObject({ status: 403 });
    expect(await put(id, { rationale: "As before, in other words.", status: "compliant" }, officer)).toMatchObject({
      status: 403,
    });
    await put(id, { rationale: "As before, once more." }, officer);
    expect(await put(id, { status: "compliant" }, world.a.owner)).toMatchObject({
      status: 403,
      json: { code: "self_approval_forbidden", detail: expect.stringContaining(world.a.owner.userId) },
    });
    expect((await read(id)).status).toBe("not_assessed");
  });

  it("is for those who approve, too", async () => {
    const { approver } = world.a.actors;
    const { json } = await put(await assessed(), { status: "compliant" }, approver);
    expect(json).toMatchObject({ status: "compliant", attestation: { by: approver.userId } });
  });

  it("wants the permission, which no operator has", async () => {
    const id = await assessed();
    expect(await put(id, { status: "compliant" }, world.a.actors.operator)).toMatchObject({
      status: 403,
      json: { code: "permission_denied", permission: "ai-compliance:attest" },
    });
    expect((await put(id, { status: "partial" }, world.a.actors.operator)).json.status).toBe("partial");
  });

  it("wants an assessment, and the evidence that the control asks for", async () => {
    const assetId = await world.a.newAsset();
    const { id } = (await ask("POST", PATH, { framework: "nist-ai-rmf-1.0", controlId: "MAP 1.1", assetId })).json;
    const failed = async () => {
      const { status, json } = await put(id, { status: "compliant" });
      expect(status).toBe(409);
      return json.guards.filter(({ ok }: { ok: boolean }) => !ok).map(({ key }: { key: string }) => key);
    };
    expect(await failed()).toEqual(["assessed", "evidenced"]);
    await put(id, { rationale: "It is so." }, world.a.owner);
    expect(await failed()).toEqual(["evidenced"]);
    const old = new Date(world.clock.now() - 366 * DAY).toISOString();
    await put(id, { addEvidence: [document({ collectedAt: old })] }, world.a.owner);
    expect(await failed()).toEqual(["evidenced"]);
    await put(id, { addEvidence: [document()] }, world.a.owner);
    expect((await put(id, { status: "compliant" })).json).toMatchObject({
      status: "compliant",
      attestation: { by: world.a.actors.admin.userId },
      evidenceUntil: new Date(world.clock.now() + 365 * DAY).toISOString(),
    });
  });

  it("is left to rules where rules alone judge", async () => {
    const assetId = await world.a.newAsset();
    const key = await newFramework(world.a, { kind: "automated" });
    const body = { framework: key, controlId: "C 1", assetId, rationale: "We think so." };
    const { id } = (await ask("POST", PATH, body)).json;
    expect(await put(id, { status: "compliant" })).toMatchObject({
      status: 409,
      json: { guards: [{ key: "judgedByPeople", ok: false, detail: "Rules alone judge this control." }, {}, {}] },
    });
    expect((await put(id, { status: "not_applicable", reason })).json.status).toBe("not_applicable");
  });
});

describe("evidence", () => {
  it.each(SECRETS)("that is %s is refused, and not repeated", async (_what, ref) => {
    const answer = await put(await assessed(), { addEvidence: [document(), document({ ref })] });
    expect(answer).toMatchObject({ status: 400, json: { errors: [{ pointer: "/addEvidence/1/ref" }] } });
    expect(answer.text).not.toContain(ref);
  });

  it("has a time that can be, and no fields that nobody knows", async () => {
    const id = await assessed();
    const at = (ms: number) => new Date(world.clock.now() + ms).toISOString();
    const faults = async (evidence: object) =>
      (await put(id, { configuration: { addEvidence: [evidence] } })).json.errors?.[0].pointer;
    expect(await faults(document({ collectedAt: at(1_000) }))).toBe("/configuration/addEvidence/0/collectedAt");
    expect(await faults(document({ validUntil: at(-1_000) }))).toBe("/configuration/addEvidence/0/validUntil");
    expect(await faults(document({ digest: "abc" }))).toBe("/configuration/addEvidence/0/digest");
    expect(await faults(document({ secret: "x" }))).toBe("/configuration/addEvidence/0/secret");
    expect(await put(id, { evidence: [] })).toMatchObject({ json: { code: "read_only_property" } });
  });

  it("is attached and retired, never edited, and leaves an event", async () => {
    const id = await assessed();
    const before = (await eventTypes(world.a)).length;
    const { json } = await put(id, { addEvidence: [document({ type: "attestation", digest: "0".repeat(64) })] });
    expect(json.evidence).toHaveLength(2);
    expect((await eventTypes(world.a, before)).sort()).toEqual(["compliance.evidence.added", "compliance.updated"]);
    const [first] = json.evidence;
    const retired = (await put(id, { retireEvidence: [first.id] })).json;
    expect(retired.evidence[0]).toEqual({
      ...first,
      retiredAt: expect.any(String),
      retiredBy: world.a.actors.admin.userId,
    });
    expect(await put(id, { retireEvidence: [first.id] })).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: "/retireEvidence/0" }] },
    });
  });

  it("that was retired takes what was attested with it, and new evidence does not carry it further", async () => {
    const id = await assessed();
    const attested = (await put(id, { status: "compliant" })).json;
    const more = (await put(id, { addEvidence: [document()] }, world.a.owner)).json;
    expect(more).toMatchObject({ status: "compliant", evidenceUntil: attested.evidenceUntil });
    const kept = (await put(id, { retireEvidence: [more.evidence[1].id] }, world.a.owner)).json;
    expect(kept.status).toBe("compliant");
    const lost = (await put(id, { retireEvidence: [more.evidence[0].id] }, world.a.owner)).json;
    expect(lost).toMatchObject({
      ...{ status: "not_assessed", staleReason: "evidence_retired", attestation: null, evidenceUntil: null },
    });
  });
});

describe("an exemption of a control", () => {
  const until = () => new Date(world.clock.now() + 10 * DAY).toISOString();
  const exempted = async (validUntil: string) => {
    const id = await assessed({ addEvidence: [document({ validUntil })] });
    expect((await put(id, { status: "exempted", reason })).json).toMatchObject({
      status: "exempted",
      evidenceUntil: validUntil,
    });
    return id;
  };

  it("ends when it was to end, whatever one person attaches", async () => {
    const end = until();
    const id = await exempted(end);
    for (const more of [{}, { validUntil: new Date(world.clock.now() + 90 * DAY).toISOString() }])
      expect((await put(id, { addEvidence: [document(more)] }, world.a.owner)).json).toMatchObject({
        status: "exempted",
        evidenceUntil: end,
      });
  });

  it("ends at once when what it was attested with is retired, and takes two people to come back", async () => {
    const id = await exempted(until());
    const { evidence } = await read(id);
    const more = (await put(id, { addEvidence: [document()] }, world.a.owner)).json;
    expect((await put(id, { retireEvidence: [more.evidence[1].id] }, world.a.owner)).json.status).toBe("exempted");
    const retired = { retireEvidence: [evidence[0].id] };
    expect((await put(id, retired, world.a.owner)).json).toMatchObject({
      ...{ status: "not_assessed", staleReason: "evidence_retired", attestation: null, evidenceUntil: null },
    });
    expect((await put(id, { status: "exempted", reason }, world.a.owner)).json.code).toBe("self_approval_forbidden");
    expect((await put(id, { status: "exempted", reason })).json.status).toBe("exempted");
  });
});

describe("evidence that grows too old", () => {
  it("ends the assessment for every reader at once; the tick writes it down with its events, once", async () => {
    const fresh = await createWorld({ tokenLifetime: 86_400 });
    const { controlPlane, clock, a, b, send } = fresh;
    const until = new Date(clock.now() + 3_600_000).toISOString();
    const given = (type: string) => ({ addEvidence: [document({ validUntil: until })], name: type });
    const [one, two, other] = [
      await newAssessment(a, given("attested")),
      await newAssessment(a, given("partly")),
      await newAssessment(b, given("of b")),
    ];
    const as = (who: { token: string }, body?: object) => ({ token: who.token, ...(body ? { body } : {}) });
    await sendAsSeen(fresh, "PUT", `${PATH}/${one}`, as(a.actors.admin, { status: "compliant" }));
    await send("PUT", `${PATH}/${two}`, as(a.owner, { status: "partial" }));
    await sendAsSeen(fresh, "PUT", `${PATH}/${other}`, as(b.actors.admin, { status: "compliant" }));
    await controlPlane.tick();
    expect((await send("GET", `${PATH}/${one}`, as(a.owner))).json).toMatchObject({
      status: "compliant",
      evidenceUntil: until,
    });
    clock.advance(3_600_000);
    const stale = { status: "not_assessed", staleReason: "evidence_stale", attestation: null, evidenceUntil: null };
    expect((await send("GET", `${PATH}/${one}`, as(a.owner))).json).toMatchObject({ ...stale, version: 2 });
    const listed = await send("GET", PATH, as(a.owner));
    expect(listed.json.items.filter(({ staleReason }: { staleReason: string }) => staleReason)).toHaveLength(2);
    const before = [(await eventTypes(a)).length, (await eventTypes(b)).length] as const;
    const ours = (types: string[]) => types.filter((type) => type.startsWith("compliance.")).sort();
    await controlPlane.tick();
    const reported = ["compliance.assessed", "compliance.evidence.expired"];
    expect(ours(await eventTypes(a, before[0]))).toEqual([
      ...reported.slice(0, 1),
      ...reported.slice(0, 1),
      ...reported.slice(1),
      ...reported.slice(1),
    ]);
    expect(ours(await eventTypes(b, before[1]))).toEqual(reported);
    expect((await send("GET", `${PATH}/${one}`, as(a.owner))).json).toMatchObject({ ...stale, version: 3 });
    const after = (await eventTypes(a)).length;
    await controlPlane.tick();
    expect((await eventTypes(a)).length).toBe(after);
  });

  it("comes back by new evidence and a four-eyes approver", async () => {
    const fresh = await createWorld({ tokenLifetime: 86_400 });
    const { clock, a } = fresh;
    const id = await newAssessment(a, {
      addEvidence: [document({ validUntil: new Date(clock.now() + 1_000).toISOString() })],
    });
    const body = (body: object, who = a.owner) => sendAsSeen(fresh, "PUT", `${PATH}/${id}`, { token: who.token, body });
    await body({ status: "compliant" }, a.actors.admin);
    clock.advance(2_000);
    expect((await body({ status: "compliant" }, a.actors.admin)).status).toBe(409);
    await body({ addEvidence: [document()] });
    expect((await body({ status: "compliant" }, a.actors.admin)).json).toMatchObject({
      status: "compliant",
      staleReason: null,
    });
  });
});
