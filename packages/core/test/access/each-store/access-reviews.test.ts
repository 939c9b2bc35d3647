import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { accessBench } from "../../helpers/access.js";
import { certificationBench, type Item } from "../../helpers/certifications.js";
import { requestBench } from "../../helpers/requests.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  // Tests move the clock by weeks.
  world = await createWorld({ tokenLifetime: 86_400 });
});

const DAY = 86_400_000;
const reason = "because a test wants it so";
const tick = () => world.controlPlane.tick();

interface Waiting {
  readonly kind: string;
  readonly name: string;
  readonly assignee: string | null;
  readonly dueAt: string | null;
  readonly subject: { readonly id: string; readonly path: string };
}

/** What waits for somebody about some records, by the reviewer's one list. */
async function waitingFor(actor: Actor, kind: string, ids: readonly string[]): Promise<Waiting[]> {
  const path = `/api/v1/reviews?mine=true&size=100&kind=${kind}`;
  const answer = await world.send("GET", path, { token: actor.token });
  if (answer.status === 403) return [];
  expect(answer.status, answer.text).toBe(200);
  return answer.json.items.filter(({ subject }: Waiting) => ids.includes(subject.id));
}

describe("the reviewer's list and certifications", () => {
  it("has a campaign once for each who is asked, with its end, until they have decided all of it", async () => {
    const bench = await certificationBench(world);
    for (const at of [1, 2]) await bench.decide({ duration: "P100D", parameters: { at } });
    await tick();
    const id = await bench.begin();
    const campaign = await bench.campaign(id);
    const mine = () => waitingFor(bench.reviewer, "certification", [id]);
    expect(await mine()).toMatchObject([
      {
        name: campaign.name,
        requestedBy: campaign.ownerId,
        assignee: bench.reviewer.userId,
        dueAt: campaign.stageDueAt,
        subject: { type: "access_certification", path: `/api/v1/access-certifications/${id}` },
      },
    ]);
    for (const nobody of [bench.other, world.a.owner, world.b.owner])
      expect(await waitingFor(nobody, "certification", [id])).toEqual([]);
    const [one, two] = (await bench.own(bench.reviewer)) as [Item, Item];
    expect((await bench.review(one, { decision: "certify" })).status).toBe(200);
    expect(await mine()).toHaveLength(1);
    expect((await bench.review(two, { decision: "certify" })).status).toBe(200);
    expect(await mine()).toEqual([]);
  });

  it("moves it with what is handed on, and keeps it where something else is left", async () => {
    const bench = await certificationBench(world);
    for (const at of [1, 2]) await bench.decide({ duration: "P100D", parameters: { at } });
    await tick();
    const id = await bench.begin();
    const whose = async () =>
      Promise.all(
        [bench.reviewer, bench.other].map(async (one) => (await waitingFor(one, "certification", [id])).length),
      );
    for (const [at, item] of (await bench.own(bench.reviewer)).entries()) {
      expect(await whose()).toEqual([1, at]);
      const handed = await bench.review(item, { decision: "delegate", reason, delegateTo: bench.other.userId });
      expect(handed.status, handed.text).toBe(200);
    }
    expect(await whose()).toEqual([0, 1]);
    expect((await bench.end(id, "cancel")).status).toBe(200);
    await tick();
    expect(await whose()).toEqual([0, 0]);
  });

  it("asks an officer to confirm what silence would revoke", async () => {
    const bench = await certificationBench(world);
    await bench.decide({ duration: "P100D" });
    await tick();
    const terms = { onSilence: "revoke", confirmSilentRevoke: true, remediation: { undoWindow: "PT1H" } };
    const id = await bench.begin(terms);
    world.clock.advance(14 * DAY);
    await tick();
    world.clock.advance(DAY / 8);
    await tick();
    for (const scene of [world.a, world.b]) scene.actors.owner = await scene.signIn(scene.owner.userId, scene.owner);
    const officer = await world.a.newUser(["governance_officer"]);
    expect(await waitingFor(officer, "certification_confirmation", [id])).toMatchObject([{ subject: { id } }]);
    expect(await waitingFor(officer, "certification", [id])).toEqual([]);
    expect((await bench.end(id, "confirm", { revokes: "none" }, officer)).status).toBe(200);
    expect(await waitingFor(officer, "certification_confirmation", [id])).toEqual([]);
  });
});

describe("the reviewer's list and requests", () => {
  it("has a request for each who is asked, and nobody takes it off their lists", async () => {
    const bench = await requestBench(world);
    const asker = await world.a.newUser(["approver"]);
    const { id } = await bench.asked("pending_approval", {}, asker);
    const path = `/api/v1/reviews?kind=access_request&assetId=${bench.assetId}`;
    const { items } = (await world.send("GET", path, { token: asker.token })).json;
    expect(items).toHaveLength(2);
    for (const review of items)
      for (const assignee of [asker.userId, null, world.a.actors.approver.userId]) {
        const at = `/api/v1/reviews/${review.id}`;
        const refused = await world.send("PATCH", at, { token: asker.token, body: { assignee } });
        expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, "/assignee"]);
      }
    for (const one of [bench.first, bench.second])
      expect(await waitingFor(one, "access_request", [id])).toHaveLength(1);
  });
});

describe("the reviewer's list and drift", () => {
  it("has a difference while it is open, for those who may let it be", async () => {
    const bench = await accessBench(world);
    await bench.decide({ duration: "P30D" });
    await tick();
    const [like] = [...bench.account.held.values()];
    if (!like) throw new Error("nothing was granted");
    const { resource, principal, parameters } = like;
    const key = [resource.type, resource.externalId, "write", principal.externalId, parameters];
    bench.account.held.set(JSON.stringify(key), { ...like, profileExternalId: "write" });
    const officer = await world.a.newUser(["governance_officer"]);
    const target = `/api/v1/access-targets/${bench.connectorInstanceId}`;
    world.clock.advance(1_000);
    await world.send("POST", `${target}/drift-scan`, { token: officer.token });
    await tick();
    const listed = `/api/v1/access-drift?connectorInstanceId=${bench.connectorInstanceId}`;
    const found = (await world.send("GET", listed, { token: officer.token })).json.items;
    expect(found).toMatchObject([{ status: "open" }]);
    const [{ id, assetId }] = found;
    expect(await waitingFor(officer, "access_drift", [id])).toMatchObject([
      { assetId, assignee: null, subject: { path: `/api/v1/access-drift/${id}` } },
    ]);
    for (const nobody of [await world.a.newUser(["member"]), world.b.owner])
      expect(await waitingFor(nobody, "access_drift", [id])).toEqual([]);
    const body = { reason, until: new Date(world.clock.now() + DAY).toISOString() };
    const accepted = await world.send("POST", `/api/v1/access-drift/${id}/accept`, { token: officer.token, body });
    expect(accepted.status, accepted.text).toBe(200);
    expect(await waitingFor(officer, "access_drift", [id])).toEqual([]);
  });
});
