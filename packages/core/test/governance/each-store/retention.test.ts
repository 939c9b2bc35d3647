import { askOf, newApproval, newAssessment, type World } from "@reeve/testkit";
import { expect, it } from "vitest";
import { collections } from "#families/index.js";
import { FINDINGS, findingsOf, REASON } from "../../helpers/findings.js";
import { sendAsSeen } from "../../helpers/seen.js";
import { createWorld } from "../../helpers/world.js";

const DAY = 86_400_000;
const HALF_AN_HOUR = 1_800_000;
const APPROVALS = "/api/v1/ai-governance/approvals";

/** Lets days pass, and signs everybody in again. */
async function pass(world: World, days: number): Promise<void> {
  world.clock.advance(Math.round(days * DAY));
  await world.controlPlane.tick();
  for (const role of ["owner", "operator", "admin", "approver"] as const) {
    const actor = world.a.actors[role];
    world.a.actors[role] = await world.a.signIn(actor.userId, actor);
  }
}

/** Ids of the records of a collection that the tenant has. */
async function stored(world: World, name: string): Promise<string[]> {
  const collection = collections.find((one) => one.name === name);
  if (!collection) throw new Error(name);
  const { rows } = await world.store.forTenant(world.a.tenantId).find(collection, { size: 1_000 });
  return rows.map(({ id }) => id);
}

/** Days of which postures and counts of findings are stored. */
async function days(world: World): Promise<readonly [string[], string[]]> {
  return [await stored(world, "posture_snapshots"), await stored(world, "finding_days")];
}

/** A world with a posture and counts of findings of its first day. */
async function judged(retentionDays?: object): Promise<World> {
  const world = await createWorld({ tokenLifetime: 86_400, ...(retentionDays ? { retentionDays } : {}) });
  const { a } = world;
  const id = await newAssessment(a, { assetId: null, controlId: "GOVERN 1.2" });
  const given = { token: a.owner.token, body: { status: "partial" } };
  expect((await sendAsSeen(world, "PUT", `/api/v1/ai/compliance/${id}`, given)).status).toBe(200);
  await a.newPolicy("posture", {
    ...{ severity: "low", status: "observe" },
    selector: { expression: 'asset.provider == "judged"' },
    rules: [{ key: "has-team", assert: "asset.hasTeam", message: "No team." }],
    tests: [{ name: "elsewhere", input: { asset: { provider: "another" } }, expect: "skip" }],
  });
  await a.newAsset({ provider: "judged" });
  await world.send("POST", "/api/v1/ai-governance/evaluations/run", { token: a.owner.token });
  await world.controlPlane.tick();
  expect((await days(world)).map((each) => each.length)).toEqual([1, 1]);
  return world;
}

it("K20 drops daily postures after 400 days and daily counts of findings after 1,000", async () => {
  const world = await judged();
  const [[first], [counted]] = await days(world);
  await pass(world, 399);
  expect(await stored(world, "posture_snapshots")).toContain(first);
  await pass(world, 1);
  expect(await stored(world, "posture_snapshots")).not.toContain(first);
  await pass(world, 599);
  expect(await stored(world, "finding_days")).toContain(counted);
  await pass(world, 1);
  expect(await stored(world, "finding_days")).not.toContain(counted);
});

it("K20 drops no posture and no count of findings when the host wants them without limit", async () => {
  const world = await judged({ postures: null, findingDays: null });
  const [[first], [counted]] = await days(world);
  await pass(world, 5_000);
  const [postures, counts] = await days(world);
  expect(postures).toContain(first);
  expect(counts).toContain(counted);
});

/** Approvals of each end, and one that is still open. */
async function approvals(world: World) {
  const { a } = world;
  const decide = (id: string, verb: string) =>
    world.send("PATCH", `${APPROVALS}/${id}/${verb}`, { token: a.owner.token, body: { reason: REASON } });
  const expired = await newApproval(a);
  await pass(world, 1);
  const rejected = await newApproval(a);
  const used = await newApproval(a);
  world.clock.advance(HALF_AN_HOUR);
  expect((await decide(rejected, "reject")).status).toBe(200);
  expect((await decide(used, "approve")).status).toBe(200);
  const body = { ...askOf(a), context: { approvalId: used } };
  const asked = await world.send("POST", "/api/v1/ai/policies/evaluate", { token: a.actors.operator.token, body });
  expect(asked.json.status).toBe("allow");
  return { expired, rejected, used };
}

it("K20 drops approvals so many days after their end when the host says so", async () => {
  const world = await createWorld({ tokenLifetime: 86_400, retentionDays: { approvals: 30 } });
  const over = await approvals(world);
  const status = async (id: string) =>
    (await world.send("GET", `${APPROVALS}/${id}`, { token: world.a.owner.token })).status;
  const states = () => Promise.all(Object.values(over).map(status));
  await pass(world, 28);
  const open = await newApproval(world.a);
  expect(await states()).toEqual([200, 200, 200]);
  await pass(world, 2 - 1 / 96);
  expect(await states()).toEqual([404, 200, 200]);
  expect((await world.send("GET", `${APPROVALS}/${open}`, { token: world.a.owner.token })).json.status).toBe("expired");
  await pass(world, 1 / 96);
  expect(await states()).toEqual([404, 404, 404]);
  expect(await status(open)).toBe(200);
});

it("K20 keeps approvals and reviews of findings without limit by default", async () => {
  const world = await createWorld({ tokenLifetime: 86_400 });
  const over = await approvals(world);
  const at = findingsOf(world);
  const { id } = await at.found({ severity: "low" });
  await at.review(id, { action: "acknowledge" });
  const kept = [await stored(world, "decision_approvals"), await stored(world, "finding_reviews")];
  expect(kept).toEqual([expect.arrayContaining(Object.values(over)), [expect.any(String)]]);
  await pass(world, 5_000);
  expect([await stored(world, "decision_approvals"), await stored(world, "finding_reviews")]).toEqual(kept);
});

it("K20 drops reviews of findings when the host says so, but no request that still waits", async () => {
  const world = await createWorld({ tokenLifetime: 86_400, retentionDays: { findingReviews: 30 } });
  const at = findingsOf(world);
  const [{ id: waiting }, { id: decided }] = [
    await at.found({ severity: "critical" }),
    await at.found({ severity: "critical" }),
  ];
  const dismiss = { action: "dismiss", reasonCode: "duplicate", reason: REASON };
  const list = async (id: string) =>
    (await at.ask("GET", `${FINDINGS}/${id}/reviews`, undefined, world.a.owner)).json.items.map(
      ({ action, outcome }: { action: string; outcome: string }) => `${action} ${outcome}`,
    );
  for (const id of [waiting, decided]) expect((await at.review(id, dismiss)).json.outcome).toBe("awaiting_four_eyes");
  await pass(world, 20);
  expect((await at.review(decided, dismiss, world.a.actors.approver)).json.outcome).toBe("done");
  expect((await at.review(waiting, { action: "acknowledge" }, world.a.owner)).status).toBe(201);
  await pass(world, 29);
  expect([(await list(decided)).length, (await list(waiting)).length]).toEqual([2, 2]);
  await pass(world, 1);
  expect(await list(decided)).toEqual([]);
  expect(await list(waiting)).toEqual(["dismiss awaiting_four_eyes"]);
  expect((await at.read(decided, world.a.owner)).dismissal).toMatchObject({ reason: REASON });
  expect((await at.read(waiting, world.a.owner)).dismissalRequest).toMatchObject({ reason: REASON });
});
