import type { Actor, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY, EXEMPTIONS, findingsOf, REASON } from "../../helpers/findings.js";
import { gatesOf } from "../../helpers/gates.js";
import { createWorld } from "../../helpers/world.js";

const HOUR = 3_600_000;

let world: World;
let at: ReturnType<typeof findingsOf>;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  at = findingsOf(world);
  await world.a.signInToSpare();
});

const inMs = (ms: number) => new Date(world.clock.now() + ms).toISOString();
const ask = async (method: string, path: string, body?: object, who: Actor = world.a.spare) => {
  const answer = await at.ask(method, path, body, who);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const read = (path: string) => ask("GET", path);
const govern = (id: string, status: string, configuration: object, who?: Actor) =>
  ask("PATCH", `/api/v1/ai-assets/${id}/governance-state`, { status, reason: REASON, configuration }, who);

/** What is shown one millisecond before a moment, and at it. */
async function around(end: string, show: () => Promise<unknown>): Promise<[unknown, unknown]> {
  world.clock.advance(Date.parse(end) - world.clock.now() - 1);
  await world.a.signInToSpare();
  const before = await show();
  world.clock.advance(1);
  return [before, await show()];
}

/** An asset in the environment of production with a decision about it. */
async function decided(status: string, configuration: object): Promise<string> {
  const id = await world.a.newAsset({ environment: "production" });
  await govern(id, "under_review", {});
  await govern(id, status, configuration, world.a.actors.approver);
  return id;
}
const effective = async (id: string) => {
  const { decision, reasons } = await read(`/api/v1/ai-assets/${id}/effective`);
  return [decision, ...reasons].join(" ");
};

describe("a date counts from its very moment on:", () => {
  it("the end of an approval, and of its grace", async () => {
    const approvedUntil = inMs(HOUR);
    const id = await decided("approved", { approvedUntil });
    const state = async () => (await read(`/api/v1/ai-assets/${id}`)).governanceState;
    expect(await around(approvedUntil, state)).toEqual(["approved", "expired"]);
    const graceEnd = new Date(Date.parse(approvedUntil) + 14 * DAY).toISOString();
    expect(await around(graceEnd, () => effective(id))).toEqual([
      "warn approval:expired_within_grace",
      "deny approval:expired",
    ]);
  });

  it("the deadline of a review that keeps the approval", async () => {
    const id = await decided("approved", {});
    const keepUntil = inMs(HOUR);
    await govern(id, "under_review", { keepUntil });
    const state = async () => (await read(`/api/v1/ai-assets/${id}`)).governanceState;
    expect(await around(keepUntil, state)).toEqual(["approved", "under_review"]);
  });

  it("the due date of a condition, and the end of its grace", async () => {
    const dueAt = inMs(HOUR);
    const id = await decided("conditionally_approved", { conditions: [{ key: "log", text: "Log it.", dueAt }] });
    const shown = async () => {
      const { items } = await read(`/api/v1/reviews?kind=condition&assetId=${id}`);
      return `${await effective(id)} ${items[0].status}`;
    };
    expect(await around(dueAt, shown)).toEqual([
      "warn condition_unmet:log waiting",
      "warn condition_overdue:log overdue",
    ]);
    const graceEnd = new Date(Date.parse(dueAt) + 14 * DAY).toISOString();
    expect(await around(graceEnd, () => effective(id))).toEqual([
      "warn condition_overdue:log",
      "deny condition_overdue:log",
    ]);
  });

  it("the start and the end of an exemption", async () => {
    const finding = await at.found({ severity: "high" });
    const [startsAt, expiresAt] = [inMs(HOUR), inMs(2 * HOUR)];
    const { id } = await at.approved({ scope: { fingerprint: finding.fingerprint }, startsAt, expiresAt });
    const shown = async () => [
      (await at.read(finding.id, world.a.spare)).status,
      (await read(`${EXEMPTIONS}/${id}`)).status,
    ];
    expect(await around(startsAt, shown)).toEqual([
      ["open", "approved"],
      ["exempted", "approved"],
    ]);
    expect(await around(expiresAt, shown)).toEqual([
      ["exempted", "approved"],
      ["open", "expired"],
    ]);
  });

  it("the due date of a finding", async () => {
    const { id, dueAt } = await at.found({ severity: "critical" });
    const breached = async () => (await at.read(id, world.a.spare)).slaBreached;
    expect(await around(dueAt as string, breached)).toEqual([false, true]);
  });

  it("the end of a session", async () => {
    const expiresAt = inMs(HOUR);
    const id = await world.a.newSession({ expiresAt });
    const status = async () => (await read(`/api/v1/ai/sessions/${id}`)).status;
    expect(await around(expiresAt, status)).toEqual(["active", "expired"]);
  });

  it("the days for which evaluations are evidence, the day of the run left out", async () => {
    const gates = gatesOf(world);
    await gates.policy("asset.hasOwner", {
      key: "owned",
      selector: { assetTypes: ["dataset"] },
      tests: [{ name: "elsewhere", input: { asset: { assetType: "tool" } }, expect: "skip" }],
    });
    await world.a.newAsset({ assetType: "dataset" });
    const controls = [{ id: "C 1", title: "One", kind: "automated", policyRules: ["owned"] }];
    const fields = { name: "Ours", publisher: "Us", edition: "1", controls };
    await gates.done("PUT", "/api/v1/ai/compliance/frameworks/ours", fields);
    await gates.done("PATCH", "/api/v1/tenant/settings", { evaluationDays: 2 });
    const end = `${inMs(3 * DAY).slice(0, 10)}T00:00:00.000Z`;
    await gates.run();
    const state = async () => {
      const { frameworks } = await read("/api/v1/ai/compliance/report");
      return frameworks.find(({ framework }: { framework: string }) => framework === "ours").controls[0].state;
    };
    expect(await around(end, state)).toEqual(["compliant", "not_assessed"]);
  });

  it("the days for which evidence of a control is fresh", async () => {
    const gates = gatesOf(world);
    const evidence = [{ type: "document", freshnessDays: 2 }];
    const controls = [{ id: "C 1", title: "One", kind: "manual", evidence }];
    const fields = { name: "Ours", publisher: "Us", edition: "1", controls };
    await gates.done("PUT", "/api/v1/ai/compliance/frameworks/ours", fields);
    const end = inMs(2 * DAY);
    const record = {
      framework: "ours",
      controlId: "C 1",
      addEvidence: [{ type: "document", ref: "a shelf", digest: "0".repeat(64) }],
    };
    const { id } = await gates.done("POST", "/api/v1/ai/compliance", record);
    await gates.done("PUT", `/api/v1/ai/compliance/${id}`, { status: "partial", rationale: "Half of it is done." });
    await gates.decided(
      "PUT",
      `/api/v1/ai/compliance/${id}`,
      { status: "compliant" },
      world.a.actors.governance_officer,
    );
    const status = async () => (await read(`/api/v1/ai/compliance/${id}`)).status;
    const [before, after] = await around(end, status);
    expect([before, after === "compliant"]).toEqual(["compliant", false]);
  });
});

describe("an owner who vanishes in the middle of an approval", () => {
  it("is not deleted, and disabled leaves the decision to others and the asset out of production", async () => {
    const { a } = world;
    const owner = await a.newUser(["member"]);
    const party = { type: "user", id: owner.userId };
    const id = await a.newAsset({ owner: party, sponsor: party });
    await govern(id, "under_review", {}, owner);
    const users = `/api/v1/users/${owner.userId}`;
    expect((await at.ask("DELETE", users)).json).toMatchObject({ code: "in_use" });
    await ask("PATCH", users, { status: "disabled" }, a.owner);
    const approved = await govern(id, "approved", {}, a.actors.approver);
    expect(approved).toMatchObject({ governanceState: "approved", requestedBy: owner.userId });
    await ask("PATCH", `/api/v1/ai-assets/${id}/lifecycle`, { status: "validation" });
    const refused = await at.ask("PATCH", `/api/v1/ai-assets/${id}/lifecycle`, { status: "production" });
    expect(refused.json).toMatchObject({
      code: "transition_guard_failed",
      detail: expect.stringContaining("active user"),
    });
  });
});
