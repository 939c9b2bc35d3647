import type { Answer, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const HOUR = 3_600_000;
const REASON = "because a test wants it so";
type Role = keyof World["a"]["actors"];
const at = (hours: number) => new Date(world.clock.now() + hours * HOUR).toISOString();
const send = (method: string, path: string, role: Role, body?: object): Promise<Answer> =>
  world.send(method, `/api/v1${path}`, { token: world.a.actors[role].token, ...(body ? { body } : {}) });
const govern = (id: string, role: Role, body: object) =>
  send("PATCH", `/ai-assets/${id}/governance-state`, role, { reason: REASON, ...body });
const read = async (id: string) => (await send("GET", `/ai-assets/${id}`, "owner")).json;
const effective = async (id: string) => (await send("GET", `/ai-assets/${id}/effective`, "owner")).json.decision;

/** An asset in production, approved until an end. */
async function approvedAsset(configuration: object = {}): Promise<string> {
  const id = await world.a.newAsset({ environment: "production" });
  await govern(id, "owner", { status: "under_review" });
  const decided = await govern(id, "approver", { status: "approved", configuration });
  expect(decided.status, decided.text).toBe(200);
  return id;
}

describe("E6 an approval in force", () => {
  it("E6 is extended without a gap by somebody who did not ask, and keeps rationale and ticket", async () => {
    const id = await approvedAsset({ approvedUntil: at(2) });
    const configuration = { approvedUntil: at(48), ticketRef: "GOV-17" };
    const renewed = await govern(id, "governance_officer", { status: "approved", configuration });
    expect(renewed.json).toMatchObject({
      governanceState: "approved",
      approvedUntil: at(48),
      decision: {
        state: "approved",
        by: world.a.actors.governance_officer.userId,
        reason: REASON,
        ticketRef: "GOV-17",
      },
    });
    const { json } = await send("GET", `/ai/activity/${id}?type=asset.governance_state.changed&size=1`, "owner");
    expect(json.items[0].data).toMatchObject({ event: "renew", ticketRef: "GOV-17", reason: REASON });
  });

  it("E6 is not extended by who asked for that", async () => {
    const id = await approvedAsset();
    await govern(id, "governance_officer", { status: "under_review", configuration: { keepUntil: at(5) } });
    const own = await govern(id, "governance_officer", { status: "approved", configuration: { approvedUntil: at(9) } });
    expect([own.status, own.json.code]).toEqual([403, "self_approval_forbidden"]);
  });

  it("E6 stands while it is reviewed, until the deadline and not a moment longer", async () => {
    const id = await approvedAsset({ approvedUntil: at(40) });
    const asked = await govern(id, "owner", { status: "under_review", configuration: { keepUntil: at(3) } });
    expect(asked.json).toMatchObject({ governanceState: "approved", reviewUntil: at(3) });
    expect(await effective(id)).toBe("allow");
    const { json: waiting } = await send("GET", `/reviews?assetId=${id}`, "approver");
    expect(waiting.items).toMatchObject([{ kind: "asset_review", dueAt: at(3) }]);
    world.clock.advance(3 * HOUR);
    expect(await read(id)).toMatchObject({ governanceState: "under_review", reviewUntil: null });
    expect(await effective(id)).toBe("deny");
    await world.controlPlane.tick();
    const { json } = await send("GET", `/ai/activity/${id}?type=asset.governance_state.changed&size=1`, "owner");
    expect(json.items[0]).toMatchObject({ tostate: "under_review", data: { event: "lapse" } });
    expect((await send("GET", `/reviews?assetId=${id}`, "approver")).json.totalItems).toBe(1);
    expect((await govern(id, "approver", { status: "approved" })).status).toBe(200);
  });

  it("E6 keeps its end where the renewal names none, and the renewal ends the review", async () => {
    const id = await approvedAsset({ approvedUntil: at(6) });
    await govern(id, "owner", { status: "under_review", configuration: { keepUntil: at(5) } });
    const renewed = await govern(id, "approver", { status: "approved" });
    expect(renewed.json).toMatchObject({ approvedUntil: at(6), reviewUntil: null });
    expect((await send("GET", `/reviews?assetId=${id}`, "approver")).json.items).toEqual([]);
  });

  it("E6 gives the request back", async () => {
    const id = await approvedAsset();
    await govern(id, "owner", { status: "under_review", configuration: { keepUntil: at(5) } });
    const back = await govern(id, "owner", { status: "approved", configuration: { keepUntil: null } });
    expect(back.json).toMatchObject({ governanceState: "approved", reviewUntil: null });
  });

  it("E6 stands after a material change as long as the tenant says, and its record says the same", async () => {
    const body = { environment: "production" };
    const { json: agent } = await send("POST", "/ai/agents", "owner", { name: world.a.unique(), configuration: body });
    await govern(agent.assetId, "owner", { status: "under_review" });
    await govern(agent.assetId, "approver", { status: "approved" });
    expect((await send("PATCH", "/tenant/settings", "owner", { reReviewDays: 1 })).status).toBe(200);
    await send("PUT", `/ai-assets/${agent.assetId}`, "operator", { dataClassification: "restricted" });
    expect(await read(agent.assetId)).toMatchObject({ governanceState: "approved", reviewUntil: at(24) });
    const record = (await send("GET", `/ai/agents/${agent.id}`, "owner")).json;
    expect(record).toMatchObject({ governanceState: "approved", reviewUntil: at(24) });
    await send("PATCH", "/tenant/settings", "owner", { reReviewDays: null });
  });

  it("E6 of what was changed is taken back by nobody, nor passed by a suspension or another request", async () => {
    expect((await send("PATCH", "/tenant/settings", "owner", { reReviewDays: 30 })).status).toBe(200);
    const changed = async () => {
      const id = await approvedAsset();
      expect((await send("PUT", `/ai-assets/${id}`, "member", { dataClassification: "restricted" })).status).toBe(200);
      return id;
    };
    const named = async (id: string, role: Role, body: object) =>
      world.send("PATCH", `/api/v1/ai-assets/${id}/governance-state`, {
        token: world.a.actors[role].token,
        headers: { "if-match": `"${(await read(id)).version}"` },
        body: { status: "approved", reason: REASON, ...body },
      });
    const withdraw = async (id: string) =>
      (await govern(id, "member", { status: "approved", configuration: { keepUntil: null } })).json;
    const id = await changed();
    expect(await withdraw(id)).toMatchObject({ guards: [{ key: "nothingChanged", ok: false }] });
    await govern(id, "member", { status: "under_review", configuration: { keepUntil: at(3) } });
    expect(await withdraw(id)).toMatchObject({ guards: [{ key: "nothingChanged", ok: false }] });
    expect(await read(id)).toMatchObject({ governanceState: "approved", reviewUntil: at(3), changedInReview: true });
    expect((await named(id, "approver", {})).json).toMatchObject({ reviewUntil: null, changedInReview: false });
    const stopped = await changed();
    await govern(stopped, "governance_officer", { status: "suspended" });
    expect((await named(stopped, "approver", {})).json).toMatchObject({
      guards: [{ key: "priorState", ok: false }],
    });
    await send("PATCH", "/tenant/settings", "owner", { reReviewDays: null });
  });

  it.each([
    ["in the past", { keepUntil: "2020-01-01" }],
    ["beyond ninety days", { keepUntil: "2099-01-01" }],
  ])("E6 refuses to be kept until a day %s", async (_name, configuration) => {
    const id = await approvedAsset();
    const refused = await govern(id, "owner", { status: "under_review", configuration });
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, "/configuration/keepUntil"]);
  });

  it("E6 keeps nothing where nothing is approved", async () => {
    const id = await world.a.newAsset();
    const refused = await govern(id, "owner", { status: "under_review", configuration: { keepUntil: at(2) } });
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, "/configuration/keepUntil"]);
  });
});

describe("terms of a decision that a move does not use", () => {
  const CONDITIONS = [{ key: "logs", text: "Calls are logged.", dueAt: null }];
  const reviewed = async (): Promise<string> => {
    const id = await world.a.newAsset();
    await govern(id, "owner", { status: "under_review" });
    return id;
  };
  const suspended = async (): Promise<string> => {
    const id = await approvedAsset();
    await govern(id, "governance_officer", { status: "suspended" });
    return id;
  };
  const asked = async (): Promise<string> => {
    const id = await approvedAsset();
    await govern(id, "owner", { status: "under_review", configuration: { keepUntil: at(5) } });
    return id;
  };
  const fresh = (): Promise<string> => world.a.newAsset();

  it.each<[string, string, () => Promise<string>, string, () => unknown]>([
    ["approvedUntil", "a request for review", fresh, "under_review", () => at(2)],
    ["approvedUntil", "a request for review that keeps the approval", approvedAsset, "under_review", () => at(2)],
    ["approvedUntil", "a rejection", reviewed, "rejected", () => at(2)],
    ["approvedUntil", "a suspension", approvedAsset, "suspended", () => null],
    ["approvedUntil", "a withdrawal", reviewed, "unreviewed", () => at(2)],
    ["approvedUntil", "a reinstatement", suspended, "approved", () => at(2)],
    ["conditions", "a request for review", fresh, "under_review", () => CONDITIONS],
    ["conditions", "an approval without conditions", reviewed, "approved", () => CONDITIONS],
    ["conditions", "a rejection", reviewed, "rejected", () => CONDITIONS],
    ["conditions", "a reinstatement without conditions", suspended, "approved", () => CONDITIONS],
    ["keepUntil", "a suspension", approvedAsset, "suspended", () => null],
    ["keepUntil", "a first approval", reviewed, "approved", () => null],
  ])("refuse %s with %s", async (name, _move, arrange, status, value) => {
    const id = await arrange();
    const before = await read(id);
    const refused = await govern(id, "approver", { status, configuration: { [name]: value() } });
    expect([refused.status, refused.json.errors?.[0].pointer]).toEqual([400, `/configuration/${name}`]);
    expect(await read(id)).toEqual(before);
  });

  it.each([
    ["approvedUntil", () => at(9)],
    ["conditions", () => CONDITIONS],
  ] as const)("refuse %s with a request that is taken back", async (name, value) => {
    const id = await asked();
    const configuration = { keepUntil: null, [name]: value() };
    const refused = await govern(id, "owner", { status: "approved", configuration });
    expect([refused.status, refused.json.errors?.[0].pointer]).toEqual([400, `/configuration/${name}`]);
  });
});

describe("E7 conditions of an approval", () => {
  const conditional = async (dueAt: string | null = null) => {
    const owner = { type: "user", id: world.a.actors.member.userId };
    const id = await world.a.newAsset({ owner });
    await govern(id, "owner", { status: "under_review" });
    const conditions = [{ key: "logging", text: "Log every call.", dueAt }];
    const decided = await govern(id, "approver", { status: "conditionally_approved", configuration: { conditions } });
    expect(decided.status, decided.text).toBe(200);
    return id;
  };
  const change = (id: string, role: Role, body: object, key = "logging") =>
    send("PATCH", `/ai-assets/${id}/conditions/${key}`, role, body);
  const evidence = { ref: "https://wiki.example/logs", note: "Turned on." };

  it("E7 are met by the owner with evidence, and opened again by who approves, with a reason", async () => {
    const id = await conditional();
    expect((await change(id, "member", { met: true })).status).toBe(400);
    expect((await change(id, "operator", { met: true, evidence })).status).toBe(403);
    const met = await change(id, "member", { met: true, evidence });
    const by = world.a.actors.member.userId;
    expect(met.json.conditions).toMatchObject([{ key: "logging", metAt: at(0), metBy: by, evidence }]);
    expect(await effective(id)).toBe("allow");
    expect((await change(id, "member", { met: false, reason: REASON })).status).toBe(403);
    expect((await change(id, "approver", { met: false })).json.code).toBe("missing_reason");
    const open = await change(id, "approver", { met: false, reason: REASON });
    expect(open.json.conditions).toMatchObject([{ metAt: null, metBy: null, evidence: null }]);
    const { json } = await send("GET", `/ai/activity/${id}?type=asset.condition.met`, "owner");
    expect(json.items).toMatchObject([{ data: { condition: { evidence } } }]);
  });

  it("E7 are on the owner's list until they are met, and escalate once when they are overdue", async () => {
    const id = await conditional(at(2));
    const mine = async () => (await send("GET", `/reviews?assetId=${id}&mine=true`, "member")).json.items;
    expect(await mine()).toMatchObject([{ kind: "condition", key: "logging", dueAt: at(2), status: "waiting" }]);
    world.clock.advance(2 * HOUR);
    expect(await mine()).toMatchObject([{ status: "overdue" }]);
    await world.controlPlane.tick();
    await world.controlPlane.tick();
    const { json } = await send("GET", `/ai/activity/${id}?type=review.overdue`, "owner");
    expect(json.items).toMatchObject([{ severitytext: "WARN", data: { kind: "condition", key: "logging" } }]);
    expect((await send("GET", `/ai-assets/${id}/effective`, "owner")).json.reasons).toEqual([
      "condition_overdue:logging",
    ]);
    await change(id, "member", { met: true, evidence });
    expect(await mine()).toEqual([]);
  });

  it("E7 stay through a suspension, and a reinstatement takes new ones", async () => {
    const id = await conditional();
    await govern(id, "governance_officer", { status: "suspended" });
    const back = await govern(id, "approver", { status: "conditionally_approved" });
    expect([back.status, back.json.conditions.length]).toEqual([200, 1]);
    await govern(id, "governance_officer", { status: "suspended" });
    const conditions = [{ key: "review", text: "Look every week." }];
    const other = await govern(id, "approver", { status: "conditionally_approved", configuration: { conditions } });
    expect(other.json.conditions).toMatchObject([{ key: "review", metAt: null }]);
  });

  it("E7 are unknown to another tenant, and where no approval stands", async () => {
    const id = await conditional();
    const { token } = world.b.actors.owner;
    const body = { met: true, evidence };
    const foreign = await world.send("PATCH", `/api/v1/ai-assets/${id}/conditions/logging`, { token, body });
    expect(foreign.status).toBe(404);
    expect((await change(id, "approver", body, "no-such")).status).toBe(404);
    await govern(id, "governance_officer", { status: "suspended" });
    expect((await change(id, "approver", body)).json.code).toBe("invalid_transition");
  });
});
