import type { Answer, World } from "@reeve/testkit";
import { expect } from "vitest";
import { type AccessProfile, accessProfiles } from "#families/access/profiles/schema.js";
import { systemContext } from "#kernel/operation/system-context.js";
import type { Race } from "./certification-races.js";
import { environmentOf } from "./environment.js";
import { raceRounds } from "./race-rounds.js";
import { type RequestBench, requestBench } from "./requests.js";

/** Rounds of each race. */
export const ROUNDS = raceRounds(5);
const DAY = 86_400_000;
const reason = "because a test wants it so";

const asking = (bench: RequestBench, token: string, parameters: object) => ({
  method: "POST",
  at: `/api/v1/ai-assets/${bench.assetId}/access-requests`,
  token,
  body: {
    connectorInstanceId: bench.connectorInstanceId,
    items: [{ accessProfileId: bench.accessProfileId, resourceId: bench.resourceId, parameters }],
    ...{ duration: "PT1H", reason },
  },
});

const deciding = (id: string, verb: string, token: string, body: object = {}) => ({
  ...{ method: "POST", at: `/api/v1/access-requests/${id}/${verb}`, token, body: { reason, ...body } },
});

const statesOf = (answers: readonly Answer[]) => answers.map(({ json }) => json.status).sort();

/** Two people ask for one grant at once: one request is made, and the other one is told of it. */
export async function askedTwice(world: World, race: Race): Promise<void> {
  const bench = await requestBench(world);
  for (let round = 0; round < ROUNDS; round += 1) {
    const both = [bench.requester, bench.first].map(({ token }) => asking(bench, token, { round }));
    const answers = await race(both);
    expect(answers.map(({ status }) => status).sort(), answers.map(({ text }) => text).join("\n")).toEqual([200, 409]);
    const made = answers.find(({ status }) => status === 200)?.json.id;
    const refused = answers.find(({ status }) => status === 409)?.json;
    expect(refused).toMatchObject({ code: "duplicate_request", accessRequestId: made });
  }
}

/** Requests at once use up what a policy allows in a day, and no more of it. */
export async function allowedAtOnce(world: World, race: Race): Promise<void> {
  const bench = await requestBench(world, null);
  const endsAt = new Date(world.clock.now() + 30 * DAY).toISOString();
  const limits = { mostPerDay: Math.ceil(ROUNDS / 2) + 1, mostPerAsset: ROUNDS * 2 };
  await bench.policy({ effect: "allow", endsAt, limits });
  const seen: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const both = [bench.requester, bench.first].map(({ token }, at) => asking(bench, token, { round, at }));
    seen.push(...statesOf(await race(both)));
  }
  expect(seen.filter((state) => state === "approved")).toHaveLength(limits.mostPerDay);
  expect(seen.filter((state) => state === "pending_approval")).toHaveLength(2 * ROUNDS - limits.mostPerDay);
}

/** Two approve at once where one is enough: it is approved once, by one of them or by both, and granted once. */
export async function approvedTwice(world: World, race: Race): Promise<void> {
  const bench = await requestBench(world);
  for (let round = 0; round < ROUNDS; round += 1) {
    const [asked] = await race([asking(bench, bench.requester.token, { round })]);
    const { id, scopeHash: expectedScopeHash } = asked?.json ?? {};
    const both = [bench.first, bench.second].map(({ token }) => deciding(id, "approve", token, { expectedScopeHash }));
    const answers = await race(both);
    const statuses = answers.map(({ status }) => status).sort();
    expect([statuses, [200, 409]]).toEqual([statuses, expect.arrayContaining(statuses)]);
    const { status, votes } = await bench.request(id);
    expect([status, votes.length]).toEqual(["approved", 1]);
  }
  await bench.tick();
  expect(bench.account.held.size).toBe(ROUNDS);
}

/** One approves while another one refuses, or whoever asked takes it back: one of them counts. */
export async function decidedBothWays(world: World, race: Race): Promise<void> {
  const bench = await requestBench(world);
  for (let round = 0; round < ROUNDS; round += 1) {
    const [asked] = await race([asking(bench, bench.requester.token, { round })]);
    const { id, scopeHash: expectedScopeHash } = asked?.json ?? {};
    const other =
      round % 2 === 0 ? deciding(id, "reject", bench.second.token) : deciding(id, "cancel", bench.requester.token);
    const answers = await race([deciding(id, "approve", bench.first.token, { expectedScopeHash }), other]);
    const { status } = await bench.request(id);
    const won = answers.filter((answer) => answer.status === 200).map(({ json }) => json.status);
    // What was approved first can still be taken back.
    expect([won.length > 0, won]).toEqual([true, expect.arrayContaining([status])]);
    if (status === "rejected") expect(won).toEqual(["rejected"]);
  }
}

/** What is asked for comes to mean something else while somebody approves it: nothing is granted by that vote. */
export async function changedUnderVote(world: World, race: Race): Promise<void> {
  const bench = await requestBench(world);
  const ctx = () => systemContext(environmentOf(world, { ids: world.ids }), world.a.tenantId, "test");
  for (let round = 0; round < ROUNDS; round += 1) {
    const [asked] = await race([asking(bench, bench.requester.token, { round })]);
    const { id, scopeHash: expectedScopeHash } = asked?.json ?? {};
    const definitionHash = `another meaning ${round}`;
    const change = ctx().write(async (inner) => {
      const profile: AccessProfile = await inner.getOrThrow(accessProfiles, bench.accessProfileId);
      await inner.update(accessProfiles, profile, { definitionHash, approvedHash: definitionHash }, { event: false });
    });
    const [answers] = await Promise.all([
      race([deciding(id, "approve", bench.first.token, { expectedScopeHash })]),
      change,
    ]);
    expect([answers[0]?.status, [200, 409]]).toEqual([
      answers[0]?.status,
      expect.arrayContaining([answers[0]?.status]),
    ]);
    await bench.tick();
    const after = await bench.request(id);
    expect([after.status, after.items[0]?.assignmentId]).toEqual(["pending_approval", null]);
    expect(after.votes.every(({ stale }) => stale)).toBe(true);
  }
  expect(bench.account.held.size).toBe(0);
}

/** Somebody puts another request in the place of theirs while it is approved: one of the two is granted at most. */
export async function supersededUnderVote(world: World, race: Race): Promise<void> {
  const bench = await requestBench(world);
  for (let round = 0; round < ROUNDS; round += 1) {
    const [asked] = await race([asking(bench, bench.requester.token, { round })]);
    const { id, scopeHash: expectedScopeHash } = asked?.json ?? {};
    const next = asking(bench, bench.requester.token, { round });
    const instead = { ...next, body: { ...next.body, duration: "PT2H", supersedesRequestId: id } };
    const [, made] = await race([deciding(id, "approve", bench.first.token, { expectedScopeHash }), instead]);
    const old = await bench.request(id);
    if (made?.status !== 200) {
      expect(old.status).toBe("approved");
      continue;
    }
    expect(old.status).toBe("cancelled");
    expect((await bench.request(made.json.id)).votes.every(({ stale }) => stale)).toBe(true);
  }
}
