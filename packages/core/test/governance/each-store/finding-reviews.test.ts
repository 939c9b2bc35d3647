import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { FINDING_STATUSES, type Finding, type FindingStatus } from "#families/findings/index.js";
import { REVIEW_ACTIONS } from "#families/governance/index.js";
import { DAY, FINDINGS, findingsOf, REASON } from "../../helpers/findings.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let at: ReturnType<typeof findingsOf>;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  at = findingsOf(world);
});

type Action = keyof typeof REVIEW_ACTIONS;
const ACTIONS = Object.keys(REVIEW_ACTIONS) as Action[];
const allowedFrom = (action: Action): readonly FindingStatus[] => REVIEW_ACTIONS[action].allowedFrom;

/** The fields that give a finding this status. */
function standing(status: FindingStatus, { evidence }: Finding): Partial<Finding> {
  const now = new Date(world.clock.now()).toISOString();
  const cover = {
    exemptionId: "exm_x",
    startsAt: now,
    expiresAt: at.inDays(5),
    maxSeverity: "critical" as const,
    boundEvidenceDigest: null,
  };
  const dismissal = {
    reasonCode: "duplicate" as const,
    reason: REASON,
    by: "usr_x",
    at: now,
    confirmedBy: null,
    evidenceDigest: evidence.digest,
    severity: "critical" as const,
  };
  const ways: Record<FindingStatus, Partial<Finding>> = {
    open: {},
    acknowledged: { workflow: "acknowledged" },
    in_progress: { workflow: "in_progress" },
    fix_claimed: { workflow: "fix_claimed" },
    exempted: { covers: [cover] },
    dismissed: { workflow: "dismissed", dismissal },
    resolved: { resolvedAt: now },
    closed: { closedReason: "asset_retired" },
  };
  return ways[status];
}

const GIVEN: Record<Action, object> = {
  acknowledge: {},
  assign: { assignee: { type: "team", id: "security" } },
  start_remediation: {},
  claim_fixed: {},
  dismiss: { reasonCode: "duplicate", reason: REASON },
  reopen: { reason: REASON },
  override_severity: { severity: "critical", reason: REASON },
  request_exemption: { reason: REASON },
  approve_exemption: {},
  reject_exemption: { reason: REASON },
  comment: { comment: "Seen." },
  link_ticket: { ticketRef: "T-1" },
};
const LEADS_TO: Partial<Record<Action, FindingStatus>> = {
  acknowledge: "acknowledged",
  start_remediation: "in_progress",
  claim_fixed: "fix_claimed",
  dismiss: "dismissed",
  reopen: "open",
};

describe("a review action", () => {
  const cases = FINDING_STATUSES.flatMap((status) => ACTIONS.map((action) => [status, action] as const));

  it.each(cases)("from %s: %s", async (status, action) => {
    const finding = await at.found();
    await at.rewrite(finding.id, standing(status, finding));
    if (action === "approve_exemption" || action === "reject_exemption")
      await at.requested({ scope: { fingerprint: finding.fingerprint } });
    const before = await at.read(finding.id);
    expect(before.status).toBe(status);
    const answer = await at.review(finding.id, { action, ...GIVEN[action] });
    const after = await at.read(finding.id);
    if (!allowedFrom(action).includes(status)) {
      const allowed = ACTIONS.filter((each) => allowedFrom(each).includes(status));
      expect(answer).toMatchObject({ status: 409, json: { code: "invalid_transition", current: status, allowed } });
      expect(after).toEqual(before);
      return;
    }
    const to = LEADS_TO[action] ?? (action === "approve_exemption" ? "exempted" : status);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json).toMatchObject({
      findingId: finding.id,
      action,
      before: status,
      after: to,
      outcome: "done",
      actor: { type: "user", id: world.a.owner.userId },
    });
    expect(after.status).toBe(to);
    const { items } = (await at.ask("GET", `${FINDINGS}/${finding.id}/reviews`)).json;
    expect(items).toEqual([answer.json]);
  });

  it.each([
    ["acknowledged", "acknowledge"],
    ["in_progress", "start_remediation"],
    ["fix_claimed", "claim_fixed"],
    ["dismissed", "dismiss"],
    ["exempted", "request_exemption"],
    ["claim_fixed", "claim_fixed"],
  ])("can be asked for by the status %s, inside `configuration` too", async (status, action) => {
    const { id } = await at.found();
    const answer = await at.review(id, { status, reason: REASON, configuration: { reasonCode: "false_positive" } });
    expect(answer).toMatchObject({ status: 201, json: { action } });
  });

  it.each([
    ["nothing", {}, "/action"],
    ["a status that nothing leads to", { status: "resolved" }, "/status"],
    ["a status and an action that do not agree", { action: "reopen", status: "dismissed", reason: REASON }, "/status"],
    ["no assignee", { action: "assign" }, "/assignee"],
    ["no reason to dismiss", { action: "dismiss", reasonCode: "duplicate" }, "/reason"],
    ["no code to dismiss", { action: "dismiss", reason: REASON }, "/reasonCode"],
    ["an unknown severity", { action: "override_severity", severity: "worst", reason: REASON }, "/severity"],
    [
      "an unknown setting",
      { action: "comment", comment: "x", configuration: { colour: "red" } },
      "/configuration/colour",
    ],
    [
      "a user who is not there",
      { action: "assign", assignee: { id: "usr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ" } },
      "/assignee/id",
    ],
    [
      "an exemption of another finding",
      { action: "approve_exemption", exemptionId: "exm_7ZZZZZZZZZZZZZZZZZZZZZZZZZ" },
      "/exemptionId",
    ],
  ])("with %s is refused with its place", async (_what, body, pointer) => {
    const { id } = await at.found();
    expect(await at.review(id, body)).toMatchObject({ status: 400, json: { errors: [{ pointer }] } });
    expect((await at.ask("GET", `${FINDINGS}/${id}/reviews`)).json.items).toEqual([]);
  });

  it("gives a finding to a user of this tenant and of no other", async () => {
    const { id } = await at.found();
    const assign = (userId: string) => at.review(id, { action: "assign", assignee: { type: "user", id: userId } });
    expect(await assign(world.b.owner.userId)).toMatchObject({ status: 400, json: { code: "invalid_reference" } });
    expect((await assign(world.a.owner.userId)).status).toBe(201);
    expect((await at.read(id)).assignee).toMatchObject({ type: "user", id: world.a.owner.userId });
  });

  it("asks for the permission of the action, beyond that to review", async () => {
    const { id } = await at.found();
    const { operator, approver, auditor } = world.a.actors;
    const dismissal = { action: "dismiss", reasonCode: "duplicate", reason: REASON };
    expect(await at.review(id, dismissal, operator)).toMatchObject({
      status: 403,
      json: { permission: "ai-finding:dismiss" },
    });
    expect(await at.review(id, { action: "request_exemption", reason: REASON }, approver)).toMatchObject({
      status: 403,
    });
    expect((await at.review(id, { action: "comment", comment: "x" }, auditor)).status).toBe(403);
    expect((await at.review(id, { action: "acknowledge" }, operator)).status).toBe(201);
  });

  it("claims a fix, which asks for an evaluation and resolves nothing", async () => {
    const { id } = await at.found();
    await at.review(id, { action: "claim_fixed" });
    expect(await at.read(id)).toMatchObject({
      status: "fix_claimed",
      resolvedAt: null,
      detection: "present",
      reevaluationRequestedAt: new Date(world.clock.now()).toISOString(),
    });
  });

  it("S6 a lower severity waits as a review until a four-eyes approver says the same", async () => {
    const { id } = await at.found({ severity: "high" });
    const { governance_officer: officer, approver } = world.a.actors;
    const waiting = async () => {
      const { json } = await at.ask("GET", "/api/v1/reviews?kind=finding_severity&size=100");
      return json.items
        .filter(({ subject }: { subject: { id: string } }) => subject.id === id)
        .map(({ requestedBy, permission }: { requestedBy: string; permission: string }) => [requestedBy, permission]);
    };
    const lower = (who: Actor) => at.review(id, { action: "override_severity", severity: "low", reason: REASON }, who);
    await lower(officer);
    expect(await waiting()).toEqual([[officer.userId, "ai-finding:dismiss"]]);
    expect((await lower(officer)).json.code).toBe("self_approval_forbidden");
    expect(await waiting()).toHaveLength(1);
    expect((await lower(world.a.owner)).status).toBe(201);
    expect(await waiting()).toEqual([]);
    expect(await at.read(id, approver)).toMatchObject({ effectiveSeverity: "low", severityRequest: null });
  });

  it("overrides the severity with its due date, and takes that back", async () => {
    const { id } = await at.found({ severity: "high" });
    await at.review(id, { action: "override_severity", severity: "critical", reason: REASON });
    expect(await at.read(id)).toMatchObject({ severity: "high", effectiveSeverity: "critical", dueAt: at.inDays(7) });
    const back = { action: "override_severity", severity: null, reason: REASON };
    expect((await at.review(id, back)).json.outcome).toBe("awaiting_four_eyes");
    expect(await at.read(id)).toMatchObject({ effectiveSeverity: "critical", severityRequest: { value: "high" } });
    expect((await at.review(id, back, world.a.actors.governance_officer)).json.outcome).toBe("done");
    expect(await at.read(id)).toMatchObject({
      severityRequest: null,
      severityOverride: null,
      effectiveSeverity: "high",
      dueAt: at.inDays(30),
    });
  });
});

const lower = (severity = "low") => ({ action: "override_severity", severity, reason: REASON });

describe("G5 to lower a severity", () => {
  it("takes two people who say the same", async () => {
    const { id } = await at.found({ severity: "high" });
    const { governance_officer: officer, approver } = world.a.actors;
    expect((await at.review(id, lower(), officer)).json.outcome).toBe("awaiting_four_eyes");
    expect(await at.read(id)).toMatchObject({ effectiveSeverity: "high", severityRequest: { by: officer.userId } });
    expect(await at.review(id, lower(), officer)).toMatchObject({
      status: 403,
      json: { code: "self_approval_forbidden" },
    });
    expect((await at.review(id, lower("medium"), approver)).json.outcome).toBe("awaiting_four_eyes");
    expect((await at.review(id, lower("medium"), officer)).json.outcome).toBe("done");
    expect(await at.read(id)).toMatchObject({ effectiveSeverity: "medium", severityRequest: null });
  });
});

describe("a severity that somebody has raised", () => {
  it.each([null, "medium"])("is taken back to %s, and so dismissed alone, by nobody alone", async (severity) => {
    const { id } = await at.found({ severity: "medium" });
    const { governance_officer: officer } = world.a.actors;
    await at.review(id, { action: "override_severity", severity: "high", reason: REASON }, officer);
    const back = { action: "override_severity", severity, reason: REASON };
    expect((await at.review(id, back)).json.outcome).toBe("awaiting_four_eyes");
    const dismissal = { action: "dismiss", reasonCode: "false_positive", reason: REASON };
    expect((await at.review(id, dismissal)).json.outcome).toBe("awaiting_four_eyes");
    expect(await at.read(id)).toMatchObject({ status: "open", effectiveSeverity: "high" });
    expect((await at.review(id, back)).json.code).toBe("self_approval_forbidden");
    expect((await at.review(id, back, officer)).json.outcome).toBe("done");
    expect((await at.read(id)).effectiveSeverity).toBe("medium");
  });

  it("is given back to evaluations by one person where they find something graver", async () => {
    const { id } = await at.found({ severity: "high" });
    await at.review(id, lower(), world.a.actors.governance_officer);
    expect((await at.review(id, lower())).json.outcome).toBe("done");
    expect((await at.review(id, { ...lower(), severity: null })).json.outcome).toBe("done");
    expect(await at.read(id)).toMatchObject({ effectiveSeverity: "high", severityOverride: null });
  });
});

describe("to dismiss what is high or critical", () => {
  const wish = (reasonCode = "false_positive") => ({ action: "dismiss", reasonCode, reason: REASON });

  it("needs a four-eyes approver who says the same", async () => {
    const { id } = await at.found({ severity: "high" });
    const { governance_officer: officer, approver } = world.a.actors;
    expect((await at.review(id, wish(), officer)).json).toMatchObject({
      outcome: "awaiting_four_eyes",
      after: "open",
    });
    expect(await at.review(id, wish(), officer)).toMatchObject({
      status: 403,
      json: { code: "self_approval_forbidden" },
    });
    expect((await at.review(id, wish("duplicate"), approver)).json.outcome).toBe("awaiting_four_eyes");
    expect((await at.review(id, wish("duplicate"), officer)).json).toMatchObject({
      outcome: "done",
      after: "dismissed",
    });
    const { dismissal, dismissalRequest } = await at.read(id);
    expect(dismissal).toMatchObject({ by: approver.userId, confirmedBy: officer.userId, reasonCode: "duplicate" });
    expect(dismissalRequest).toBeNull();
  });

  it("is not made one person's decision by an override of the severity", async () => {
    const { id } = await at.found({ severity: "critical" });
    await at.review(id, { action: "override_severity", severity: "info", reason: REASON });
    expect((await at.review(id, wish())).json.outcome).toBe("awaiting_four_eyes");
  });

  it("is forgotten where the finding is reopened, and one person's decision where it is medium", async () => {
    const { id } = await at.found({ severity: "high" });
    await at.review(id, { action: "acknowledge" });
    await at.review(id, wish());
    await at.review(id, { action: "reopen", reason: REASON });
    expect((await at.read(id)).dismissalRequest).toBeNull();
    const { id: mild } = await at.found({ severity: "medium" });
    expect((await at.review(mild, wish())).json).toMatchObject({ outcome: "done", after: "dismissed" });
    await at.review(mild, { action: "override_severity", severity: "high", reason: REASON });
    expect(await at.read(mild)).toMatchObject({ status: "open", workflow: "new", dismissal: null });
  });
});

describe("an exemption that is asked for from a finding", () => {
  it("is approved by nobody who has seen another request in its place", async () => {
    const { id } = await at.found({ severity: "medium" });
    const { operator } = world.a.actors;
    const ask = async (more: object) => {
      const asked = await at.review(id, { action: "request_exemption", reason: REASON, ...more }, operator);
      return asked.json.payload.exemptionId;
    };
    const first = await ask({ expiresAt: at.inDays(1) });
    const seen = await at.read(id);
    await at.ask("PATCH", `/api/v1/ai-governance/exemptions/${first}/withdraw`, {}, operator);
    const second = await ask({ expiresAt: at.inDays(300) });
    const approve = (version: number) =>
      world.send("POST", `/api/v1/ai-governance/findings/${id}/review-actions`, {
        token: world.a.owner.token,
        headers: { "if-match": `"${version}"` },
        body: { action: "approve_exemption" },
      });
    expect(await approve(seen.version)).toMatchObject({ status: 412 });
    expect((await at.read(id)).status).toBe("open");
    expect((await approve((await at.read(id)).version)).json.payload).toEqual({ exemptionId: second });
  });

  it("is of that finding, is decided by somebody else, and only once", async () => {
    const finding = await at.found({ severity: "medium" });
    const { operator, governance_officer: officer } = world.a.actors;
    const nothing = await at.review(finding.id, { action: "approve_exemption" }, officer);
    expect(nothing).toMatchObject({ status: 409, json: { guards: [{ key: "pendingExemption" }] } });
    const asked = await at.review(
      finding.id,
      { action: "request_exemption", reason: REASON, category: "mitigated" },
      officer,
    );
    const { exemptionId } = asked.json.payload;
    const own = await at.review(finding.id, { action: "approve_exemption" }, officer);
    expect(own).toMatchObject({ status: 403, json: { code: "self_approval_forbidden" } });
    expect((await at.review(finding.id, { action: "approve_exemption" }, operator)).status).toBe(403);
    const approved = await at.review(finding.id, { action: "approve_exemption", exemptionId });
    expect(approved.json).toMatchObject({ after: "exempted", payload: { exemptionId } });
    expect(await at.read(finding.id)).toMatchObject({ status: "exempted", exemptionId });
    const exemption = (await at.ask("GET", `/api/v1/ai-governance/exemptions/${exemptionId}`)).json;
    expect(exemption).toMatchObject({
      status: "approved",
      findingId: finding.id,
      category: "mitigated",
      maxSeverity: "medium",
      matchedFindings: 1,
      requestedBy: officer.userId,
      approvedBy: world.a.owner.userId,
    });
    const { items } = (await at.ask("GET", `${FINDINGS}/${finding.id}/reviews`)).json;
    expect(items.map(({ action }: { action: string }) => action)).toEqual(["approve_exemption", "request_exemption"]);
  });

  it("that is one of several must be named", async () => {
    const { id } = await at.found();
    const ask = () => at.review(id, { action: "request_exemption", reason: REASON }, world.a.actors.operator);
    const [first] = [await ask(), await ask()];
    expect(await at.review(id, { action: "reject_exemption", reason: REASON })).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: "/exemptionId" }] },
    });
    const { exemptionId } = first.json.payload;
    expect((await at.review(id, { action: "reject_exemption", reason: REASON, exemptionId })).status).toBe(201);
    expect((await at.review(id, { action: "approve_exemption" })).json.after).toBe("exempted");
  });
});

// It advances the clock past the life of every token, so it stands last.
describe("G5 a breach of a due date", () => {
  it("stays when the severity is lowered", async () => {
    const { id, dueAt } = await at.found({ severity: "high" });
    world.clock.advance(31 * DAY);
    for (const name of ["governance_officer", "approver"] as const) {
      world.a.actors[name] = await world.a.signIn(world.a.actors[name].userId, world.a.actors[name]);
      expect((await at.review(id, lower(), world.a.actors[name])).status).toBe(201);
    }
    world.a.actors.owner = await world.a.signIn(world.a.owner.userId, world.a.owner);
    expect(await at.read(id)).toMatchObject({
      effectiveSeverity: "low",
      slaBreached: true,
      slaBreachedAt: dueAt,
      dueAt,
    });
  });
});
