import { createHash } from "node:crypto";
import { newAssessment, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { flaggedDecisions } from "#families/accountability/index.js";
import { type ComplianceRecord, compliance } from "#families/compliance/records/schema.js";
import { MOST_ROWS } from "#families/compliance/report/registers/schema.js";
import { type Finding, findings } from "#families/findings/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { sha256 } from "#store/chain.js";
import { sendAsSeen } from "../../helpers/seen.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai/compliance";
const DIGEST = "a".repeat(64);

let world: World;
let token: string;
let attested: string;
let excluded: string;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  const { a } = world;
  token = a.owner.token;
  const collectedAt = new Date(world.clock.now() - 3 * 86_400_000).toISOString();
  attested = await newAssessment(a, {
    ...{ assetId: null, framework: "iso-42001-2023", controlId: "A.2.2", rationale: "The board has signed it." },
    addEvidence: [{ type: "document", ref: "https://files.example/policy.pdf", digest: DIGEST, collectedAt }],
  });
  excluded = await newAssessment(a, {
    ...{ assetId: null, framework: "iso-42001-2023", controlId: "A.7.2", rationale: "We train no models." },
  });
  const put = async (id: string, body: object) => {
    const answer = await sendAsSeen(world, "PUT", `${PATH}/${id}`, { token: a.actors.admin.token, body });
    if (answer.status !== 200) throw new Error(answer.text);
  };
  await put(attested, { status: "compliant" });
  await put(excluded, { status: "not_applicable", reason: "No models of our own." });
});
const get = async (path: string, as = token) => (await world.send("GET", `${PATH}${path}`, { token: as })).json;
const file = (format = "json", as = token) => world.send("POST", `${PATH}/report?format=${format}`, { token: as });

describe("a report that is filed", () => {
  it("G-M2 has a digest that can be computed again, and that stands in the chain of events", async () => {
    const { digest, ...rest } = (await file()).json;
    expect(sha256(canonical(rest))).toBe(digest);
    const { items } = (await world.send("GET", `/api/v1/ai/activity/${rest.reportId}`, { token })).json;
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      type: expect.stringContaining("compliance.report.filed"),
      data: { digest, inputsDigest: rest.inputsDigest, asOf: rest.asOf },
    });
    expect(items[0].eventhash).toMatch(/^[0-9a-f]{64}$/);
    const page = (await file("html")).text;
    expect(page).toContain("stands in the chain of events");
  });

  it("G-M2 differs from a draft, which is the same for the same state and emits nothing", async () => {
    const events = async () => (await world.send("GET", "/api/v1/ai/activity?size=1", { token })).json.totalItems;
    const before = await events();
    const [one, other] = [await get("/report"), await get("/report")];
    expect(one).toEqual(other);
    expect(one.reportId).toBeNull();
    expect(await events()).toBe(before);
  });

  it("is filed by those who assess, and not by those who only read", async () => {
    expect((await file("json", world.a.actors.auditor.token)).status).toBe(403);
  });
});

describe("what a report lets an auditor sample", () => {
  it("G-M2 names who attested what, when, why and by which evidence with its digest", async () => {
    const report = await get("/report");
    const record = report.assessments.find(({ id }: { id: string }) => id === attested);
    expect(record).toMatchObject({
      rationale: "The board has signed it.",
      attestation: { by: world.a.actors.admin.userId },
    });
    expect(record.evidence[0].digest).toContain(DIGEST);
    const name = report.people[world.a.actors.admin.userId];
    expect(name).toContain(world.a.actors.admin.username);
    const page = (await world.send("GET", `${PATH}/report?format=html`, { token })).text;
    expect(page).toContain(`Attested by ${name} on <time`);
    expect(page).toContain("“The board has signed it.”");
    expect(page).toContain(`SHA-256 <code>${DIGEST}</code>`);
    expect(page).toContain("https://files.example/policy.pdf");
  });

  it("G-M4 has a statement of applicability of Annex A with a justification of each control left out", async () => {
    const { statement } = await get("/report");
    expect(statement).toHaveLength(38);
    const line = (controlId: string) => statement.find((each: { controlId: string }) => each.controlId === controlId);
    expect(line("A.7.2")).toMatchObject({ applicable: false, justification: "We train no models." });
    expect(line("A.2.2")).toMatchObject({ applicable: true, justification: "The board has signed it." });
    expect(line("A.9.2")).toMatchObject({ applicable: true, justification: "" });
    const page = (await world.send("GET", `${PATH}/report?format=html`, { token })).text;
    expect(page).toMatch(/A\.7\.2<\/b>.{0,80}Left out.{0,40}We train no models\./);
  });

  it("G-M2 holds open findings, the register of exemptions with their ends, and policies with their revisions", async () => {
    const { findings, exemptions, policies, omitted } = await get("/report");
    expect(findings.length).toBeGreaterThan(0);
    expect(exemptions[0]).toMatchObject({ expiresAt: expect.any(String), requestedBy: expect.any(String) });
    expect(policies[0]).toMatchObject({
      revision: expect.any(Number),
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(omitted).toEqual({ assessments: 0, findings: 0, exemptions: 0, flaggedDecisions: 0, halts: 0 });
    const page = (await world.send("GET", `${PATH}/report?format=html`, { token })).text;
    for (const id of [findings[0].id, exemptions[0].id, policies[0].digest]) expect(page).toContain(id);
  });

  it("tells how old each piece of evidence is", async () => {
    const page = (await world.send("GET", `${PATH}/report?format=html`, { token })).text;
    expect(page).toMatch(/policy\.pdf, collected <time[^>]+>[\d-]+<\/time> \(3 days old\)/);
  });

  it("holds the halts, each with who started and lifted it and why", async () => {
    const { a } = world;
    const halts = "/api/v1/ai/halts";
    const body = { scope: "all_agents", reason: "An agent reads what it should not." };
    const { id } = (await world.send("POST", halts, { token, body })).json;
    const lifted = await sendAsSeen(world, "POST", `${halts}/${id}/lift`, {
      token: a.actors.governance_officer.token,
      body: { reason: "It was mended." },
    });
    expect(lifted.status, lifted.text).toBe(200);
    const { halts: held, people } = await get("/report");
    expect(held.find((each: { id: string }) => each.id === id)).toMatchObject({ status: "lifted", ...body });
    const page = (await world.send("GET", `${PATH}/report?format=html`, { token })).text;
    expect(page.includes(`Lifted by ${people[a.actors.governance_officer.userId]} on <time`)).toBe(true);
    expect(page).toContain("“It was mended.”");
  });

  it("holds the decisions of related parties, and who unrelated has decided the same since", async () => {
    const { a, store } = world;
    const id = `fld_${"7".repeat(26)}`;
    const { userId } = a.actors.admin;
    const entry = {
      ...{ id, version: 1, createdAt: new Date(world.clock.now()).toISOString(), act: "governanceState: approve" },
      subject: { type: "ai_asset", id: "ast_1", path: "/api/v1/ai-assets/ast_1", name: "Refund agent" },
      ...{ decidedBy: userId, relation: "Ada made the account of Grace.", settledAt: null, settledBy: null },
    };
    await store.forTenant(a.tenantId).insertMany(flaggedDecisions, [entry]);
    const { flaggedDecisions: flagged, people } = await get("/report");
    expect(flagged.find((each: { id: string }) => each.id === id)).toEqual(entry);
    const page = (await world.send("GET", `${PATH}/report?format=html`, { token })).text;
    expect(page).toContain("Ada made the account of Grace. No unrelated person has decided the same since.");
    expect(people[userId]).toContain(a.actors.admin.username);
  });

  it("leaves out what whoever prepares it may not read, and says so", async () => {
    const { token: member } = world.a.actors.member;
    const report = await get("/report", member);
    expect(report).toMatchObject({ flaggedDecisions: [], omitted: { flaggedDecisions: expect.any(Number) } });
    expect(report.withheld).toContain("flaggedDecisions");
    const page = (await world.send("GET", `${PATH}/report?format=html`, { token: member })).text;
    expect(page).toMatch(/id="conflicts">[^<]+<\/h2><p>Left out: whoever prepared this report may not read them\./);
  });

  it("is of the tenant alone", async () => {
    const other = JSON.stringify(await get("/report", world.b.owner.token));
    expect(other).not.toContain(attested);
    expect(other).not.toContain("zqalpha");
  });
});

describe("the page for an auditor", () => {
  it("G-M2 counts a finding as open whose exemption has ended, before any job has stored that", async () => {
    const { a, clock } = world;
    const id = await a.newFinding(await a.newAsset(), { severity: "low" });
    const path = "/api/v1/ai-governance";
    const { json: finding } = await world.send("GET", `${path}/findings/${id}`, { token });
    const asked = await world.send("POST", `${path}/exemptions`, {
      token,
      body: {
        scope: { fingerprint: finding.fingerprint },
        reason: "for an hour, as a test wants it",
        expiresAt: new Date(clock.now() + 3_600_000).toISOString(),
      },
    });
    const decision = `${path}/exemptions/${asked.json.id}/approve`;
    const approved = await sendAsSeen(world, "PATCH", decision, { token: a.actors.governance_officer.token, body: {} });
    expect(approved.status, approved.text).toBe(200);
    const open = async () => {
      const { findings, omitted } = await get("/report");
      return [findings.some((each: { id: string }) => each.id === id), omitted.findings];
    };
    expect(await open()).toEqual([false, 0]);
    clock.advance(3_600_000);
    expect(await open()).toEqual([true, 0]);
  });

  it("G-M2 names the four-eyes approver behind what was declared not applicable, and the reason", async () => {
    const { assessments, people } = await get("/report");
    expect(assessments.find((each: { id: string }) => each.id === excluded)).toMatchObject({
      attestation: { by: world.a.actors.admin.userId, reason: "No models of our own." },
    });
    const page = (await world.send("GET", `${PATH}/report?format=html`, { token })).text;
    expect(page).toContain(`Attested by ${people[world.a.actors.admin.userId]} on <time`);
    expect(page).toContain("Reason of the attestation: “No models of our own.”");
  });

  it("G-M2 begins with whose it is, its moment, period and digest, how to verify it, and what it contains", async () => {
    const answer = await file("html");
    const [, head = ""] = /<header>(.*?)<\/header>/s.exec(answer.text) ?? [];
    for (const reported of ["Generated, and as of", "Period of the trend", "Prepared by", "Digest of the report"])
      expect(head).toContain(`<dt>${reported}</dt>`);
    const [, digest] = /<dt>Digest of the report<\/dt><dd><code>([0-9a-f]{64})</.exec(head) ?? [];
    expect(head).toContain("How to verify this");
    expect(head).toMatch(/GET \/api\/v1\/ai\/activity\/rep_[0-9A-Z]{26}</);
    const titles = [...answer.text.matchAll(/<main>|<section[^>]*><h2 id="([^"]+)"/g)].flatMap(([, id]) => id ?? []);
    expect([...head.matchAll(/<a href="#([^"]+)"/g)].map(([, id]) => id)).toEqual(titles);
    const styles = [...answer.text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = ""]) => style);
    expect(styles.join()).toContain(`SHA-256 ${digest}`);
    expect(styles.join()).toContain("@media print{");
    const policy = answer.headers["content-security-policy"] as string;
    for (const style of styles)
      expect(policy).toContain(`'sha256-${createHash("sha256").update(style).digest("base64")}'`);
    expect(policy).not.toContain("unsafe");
  });

  it("G-M2 takes hostile names, rationales and references for text", async () => {
    const { a } = world;
    const hostile = `"><img src=x onerror=alert(1)></style><script>'&`;
    const assetId = await a.newAsset({ name: hostile });
    await a.newFinding(assetId, { title: hostile, message: hostile, assetName: hostile, severity: "critical" });
    await newAssessment(a, {
      ...{ assetId, framework: "iso-42001-2023", controlId: "A.6.2.2", rationale: hostile },
      addEvidence: [{ type: "document", ref: hostile, digest: DIGEST }],
    });
    const page = (await world.send("GET", `${PATH}/report?format=html`, { token })).text;
    expect(page).not.toMatch(/<(?:script|img)/);
    expect(page.match(/<\/style>/g)).toHaveLength(2);
    const escaped = "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;/style&gt;&lt;script&gt;&#39;&amp;";
    for (const reported of [`<b>${escaped}</b>`, `“${escaped}”`, `Document: ${escaped}`, `Asset ${escaped}`])
      expect(page).toContain(reported);
  });
});

describe("a report of more than a register holds", () => {
  it("still states what every control stands at, and shows the gravest findings", async () => {
    const { a, store } = await createWorld();
    const asOwner = { token: a.owner.token };
    const left = { assetId: null, framework: "iso-42001-2023", controlId: "A.7.2", rationale: "We train no models." };
    const id = await newAssessment(a, left);
    await sendAsSeen(a, "PUT", `${PATH}/${id}`, {
      token: a.actors.admin.token,
      body: { status: "not_applicable", reason: "No models of our own." },
    });
    const grave = await a.newFinding(await a.newAsset(), { severity: "critical" });
    const other = await a.newFinding(await a.newAsset(), { severity: "low" });
    const tenant = store.forTenant(a.tenantId);
    const record = (await tenant.get(compliance, id))?.value as ComplianceRecord;
    const finding = (await tenant.get(findings, other))?.value as Finding;
    const ids = Array.from({ length: MOST_ROWS }, (_, index) => String(index).padStart(25, "0"));
    await tenant.insertMany(
      compliance,
      ids.map((each) => ({ ...record, id: `cmp_7${each}`, version: 1, assetId: `ast_7${each}` })),
    );
    await tenant.insertMany(
      findings,
      ids.map((each) => ({ ...finding, id: `fnd_7${each}`, fingerprint: sha256(each) })),
    );
    const report = (await a.send("GET", `${PATH}/report`, asOwner)).json;
    const line = report.statement.find(({ controlId }: { controlId: string }) => controlId === "A.7.2");
    expect(line).toMatchObject({ applicable: false, justification: "We train no models." });
    expect(report.findings).toHaveLength(MOST_ROWS);
    expect(report.findings[0].id).toBe(grave);
    expect(report.omitted.assessments).toBeGreaterThan(0);
  });
});
