import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type CertificationBench, certificationBench } from "../../helpers/certifications.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  // Tests move the clock by days.
  world = await createWorld({ tokenLifetime: 86_400 });
});

const DAY = 86_400_000;
const SILENCE = { onSilence: "revoke", confirmSilentRevoke: true };

/** A campaign about one assignment that these people review. */
async function reviewedBy(people: readonly Actor[], stage: object = {}) {
  const bench = await certificationBench(world);
  const assignmentId = await bench.decide({ duration: "P100D" });
  await world.controlPlane.tick();
  const userIds = people.map(({ userId }) => userId);
  const stages = [{ reviewer: "users", userIds, duration: "P5D", ...stage }];
  return { bench, assignmentId, campaign: await bench.begin({ ...SILENCE, stages }) };
}

/** An account is deleted, or may review no more. */
async function leave({ userId }: Actor, how: "leaves" | "loses the role" = "leaves"): Promise<void> {
  const [path, headers] = [`/api/v1/users/${userId}`, { "if-match": "*" }];
  const { token } = world.a.actors.owner;
  const left =
    how === "leaves"
      ? await world.send("DELETE", path, { token, headers })
      : await world.send("PATCH", path, { token, headers, body: { roles: ["auditor"] } });
  expect(left.status, left.text).toBeLessThan(300);
  await world.controlPlane.tick();
}

async function end(bench: CertificationBench, campaign: string): Promise<object> {
  world.clock.advance(6 * DAY);
  await world.controlPlane.tick();
  await world.controlPlane.tick();
  for (const scene of [world.a, world.b]) scene.actors.owner = await scene.signIn(scene.owner.userId, scene.owner);
  return bench.campaign(campaign);
}

describe("a reviewer of access who is gone", () => {
  it("is replaced by the fallback, and silence since then revokes nothing", async () => {
    for (const how of ["leaves", "loses the role"] as const) {
      const [alone, other] = [await world.a.newUser(["member"]), await world.a.newUser(["member"])];
      const { bench, campaign, assignmentId } = await reviewedBy([alone], { fallbackUserIds: [other.userId] });
      await leave(alone, how);
      // Who has begun the campaign answers for it, and is no reviewer by that.
      expect(await bench.items(campaign)).toMatchObject([{ status: "pending", reviewers: [other.userId] }]);
      expect(await bench.own(other)).toMatchObject([{ certificationId: campaign, open: true }]);
      expect(await end(bench, campaign)).toMatchObject({ status: "completed", counts: { no_response: 1 } });
      expect((await bench.read(assignmentId)).status).toBe("active");
    }
  });

  it("leaves access to nobody where nobody else is to review, and that keeps it", async () => {
    const alone = await world.a.newUser(["member"]);
    const { bench, campaign } = await reviewedBy([alone], { onNoReviewer: "hold" });
    await leave(alone);
    expect(await bench.campaign(campaign)).toMatchObject({ counts: { held: 1 } });
    expect(await end(bench, campaign)).toMatchObject({ status: "completed", counts: { no_response: 1 } });
  });

  it("is waited for no more by others who have decided", async () => {
    const [one, gone] = [await world.a.newUser(["member"]), await world.a.newUser(["member"])];
    const { bench, campaign } = await reviewedBy([one, gone], { strategy: "all_accept" });
    const [item] = await bench.items(campaign);
    if (!item) throw new Error("nothing is reviewed");
    expect((await bench.review(item, { decision: "certify" }, one)).json.status).toBe("pending");
    await leave(gone);
    expect(await bench.items(campaign)).toMatchObject([
      { status: "decided", outcome: "certified", reviewers: [one.userId] },
    ]);
  });

  it("is waited for no more by others who have yet to decide, whose silence counts", async () => {
    const [one, gone] = [await world.a.newUser(["member"]), await world.a.newUser(["member"])];
    const { bench, campaign } = await reviewedBy([one, gone]);
    await leave(gone);
    expect(await bench.items(campaign)).toMatchObject([{ status: "pending", reviewers: [one.userId] }]);
    expect(await end(bench, campaign)).toMatchObject({ status: "awaiting_confirmation", confirmation: { silent: 1 } });
  });
});
