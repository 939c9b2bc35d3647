import type { Answer, World } from "@reeve/testkit";
import { expect } from "vitest";
import { type CertificationBench, certificationBench, type Item } from "./certifications.js";
import { eventsOf } from "./facts.js";
import { raceRounds } from "./race-rounds.js";

/** How often each race is run. */
export const ROUNDS = raceRounds(12);
const DAY = 86_400_000;
const reason = "because a test wants it so";

/** A request of a race. */
export interface Runner {
  readonly method: string;
  readonly at: string;
  readonly token: string;
  readonly body: object;
}

/** Sends requests at the same time. */
export type Race = (runners: readonly Runner[]) => Promise<readonly Answer[]>;

const PATH = "/api/v1/access-certifications";
const decide = ({ id, certificationId, snapshotVersion }: Item, token: string, decision: string): Runner => ({
  method: "POST",
  at: `${PATH}/${certificationId}/items/${id}/review`,
  token,
  body: { decision, reason, expectedSnapshotVersion: snapshotVersion },
});

async function granted(world: World, bench: CertificationBench): Promise<void> {
  for (let at = 0; at < ROUNDS; at += 1) await bench.decide({ duration: "P100D", parameters: { at } });
  await world.controlPlane.tick();
}

/** Two reviewers decide each item at once: a denial wins whoever is first, and each decision is kept once. */
export async function twoReviewersAtOnce(world: World, race: Race): Promise<void> {
  const bench = await certificationBench(world);
  await granted(world, bench);
  const users = { reviewer: "users", userIds: [bench.reviewer.userId, bench.other.userId] };
  const campaign = await bench.begin({ stages: [users] });
  const items = await bench.items(campaign);
  expect(items).toHaveLength(ROUNDS);
  for (const item of items) {
    const answers = await race([
      decide(item, bench.reviewer.token, "certify"),
      decide(item, bench.other.token, "revoke"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  }
  for (const item of await bench.items(campaign)) {
    expect(item).toMatchObject({ status: "decided", outcome: "revoke" });
    expect(item.decisions).toHaveLength(2);
  }
}

/** A campaign is closed while a review is under way: the review counts, or it is refused. */
export async function closedUnderWay(world: World, race: Race): Promise<void> {
  const bench = await certificationBench(world);
  await bench.decide({ duration: "P100D" });
  await world.controlPlane.tick();
  const seen = { counted: 0, refused: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const campaign = await bench.begin({ remediation: { mode: "report_only" } });
    const [item] = (await bench.items(campaign)) as [Item];
    const close = { method: "POST", at: `${PATH}/${campaign}/close`, token: world.a.owner.token, body: { reason } };
    const [review, closed] = await race([decide(item, bench.reviewer.token, "revoke"), close]);
    await world.controlPlane.tick();
    const [after] = (await bench.items(campaign)) as [Item];
    expect([closed?.status, [200, 409]]).toEqual([closed?.status, expect.arrayContaining([closed?.status])]);
    expect((await bench.campaign(campaign)).status).toBe("completed");
    const counted = review?.status === 200;
    expect([review?.status, after.status, after.outcome]).toEqual(
      counted ? [200, "decided", "revoke"] : [409, "no_response", null],
    );
    seen[counted ? "counted" : "refused"] += 1;
  }
  expect(seen.counted + seen.refused).toBe(ROUNDS);
}

/** Access ends while somebody certifies it: its item is resolved, and nothing brings the access back. */
export async function endedUnderWay(world: World, race: Race): Promise<void> {
  const bench = await certificationBench(world);
  await granted(world, bench);
  const campaign = await bench.begin({ remediation: { undoWindow: "PT1H" } });
  for (const item of await bench.items(campaign)) {
    const end = `/api/v1/access-assignments/${item.assignmentId}/revoke`;
    const [, ended] = await race([
      decide(item, bench.reviewer.token, "certify"),
      { method: "POST", at: end, token: world.a.owner.token, body: { reason } },
    ]);
    expect(ended?.status).toBe(200);
  }
  for (const item of await bench.items(campaign)) expect(item).toMatchObject({ status: "auto_resolved" });
  world.clock.advance(DAY / 12);
  await world.controlPlane.tick();
  await world.controlPlane.tick();
  expect(await bench.campaign(campaign)).toMatchObject({ status: "completed", counts: { auto_resolved: ROUNDS } });
  const resolved = (await eventsOf(world.a)).filter(
    ({ attributes }) => attributes.includes(campaign) && attributes.includes('"resolve"'),
  );
  expect(resolved.length).toBeLessThanOrEqual(ROUNDS);
}
