import { type Actor, repository, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type RequestBench, requestBench } from "../../helpers/requests.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const MINUTE = 60_000;
const DAY = 86_400_000;
const reason = "because a test wants it so";
const later = (milliseconds: number) => new Date(world.clock.now() + milliseconds).toISOString();
const send = (method: string, path: string, { token }: Pick<Actor, "token">, body?: object) =>
  world.send(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });

/** Access to read that people have approved. */
async function granted(bench: RequestBench, more: object = {}): Promise<string> {
  const { id } = await bench.asked("pending_approval", more);
  await bench.approve(id);
  await bench.tick();
  return (await bench.request(id)).items[0]?.assignmentId as string;
}

const extension = (assignmentId: string, more: object = {}) => ({
  ...{ type: "extend", assignmentId, items: undefined, duration: "P30D" },
  ...more,
});
const toWrite = ({ writeProfileId, resourceId }: RequestBench, assignmentId: string, more: object = {}) => ({
  ...{ type: "modify", assignmentId, duration: "PT1H", items: [{ accessProfileId: writeProfileId, resourceId }] },
  ...more,
});

/** Widens access to write for an hour, which somebody approves. */
async function widened(bench: RequestBench, assignmentId: string, asker?: Actor): Promise<void> {
  const { id } = await bench.asked("pending_approval", toWrite(bench, assignmentId), asker);
  expect((await bench.approve(id, bench.second)).json.status).toBe("approved");
  await bench.tick();
  await bench.tick();
  expect(await bench.read(assignmentId)).toMatchObject({ profileExternalId: "write", status: "active" });
}

describe("a request to change access", () => {
  it("is about the resource of that access, and of no other that somebody is allowed", async () => {
    const bench = await requestBench(world);
    bench.account.resources = [repository("repo"), repository("sandbox")];
    const at = `/access-targets/${bench.connectorInstanceId}/resources`;
    await send("POST", `${at}/sync?resourceType=repository`, world.a.owner);
    await bench.tick();
    const { items } = (await send("GET", at, world.a.owner)).json;
    const sandbox = items.find((one: { externalId: string }) => one.externalId === "sandbox");
    const covers = { connectorInstanceIds: [bench.connectorInstanceId], resourceIds: [sandbox.id] };
    const limits = { mostPerDay: 9, mostPerAsset: 9 };
    await bench.policy({ priority: 500, effect: "allow", endsAt: later(30 * DAY), limits, covers, stages: [] });
    const assignmentId = await granted(bench);
    const elsewhere = { items: [{ accessProfileId: bench.writeProfileId, resourceId: sandbox.id }] };
    const refused = await bench.ask(toWrite(bench, assignmentId, elsewhere));
    expect([refused.status, refused.json.errors]).toMatchObject([400, [{ pointer: "/items/0/resourceId" }]]);
    expect((await bench.ask(toWrite(bench, assignmentId))).json.status).toBe("pending_approval");
  });

  it("that was approved for what the access was is refused once it is something else", async () => {
    const bench = await requestBench(world);
    const assignmentId = await granted(bench);
    const scheduled = extension(assignmentId, { notBefore: later(30 * MINUTE) });
    const { id } = await bench.asked("pending_approval", scheduled);
    expect((await bench.approve(id)).json.status).toBe("approved");
    await widened(bench, assignmentId);
    const { expiresAt } = await bench.read(assignmentId);
    await bench.tick(31 * MINUTE);
    await bench.tick();
    expect(await bench.read(assignmentId)).toMatchObject({ profileExternalId: "write", expiresAt });
    expect(await bench.request(id)).toMatchObject({
      status: "rejected",
      resolution: { code: "not_requestable", reason: expect.stringContaining("was changed since") },
    });
  });

  it("that waits is not approved once the access is something else", async () => {
    const bench = await requestBench(world);
    const assignmentId = await granted(bench);
    const { id } = await bench.asked("pending_approval", extension(assignmentId));
    await widened(bench, assignmentId);
    const refused = await bench.approve(id);
    expect([refused.status, refused.json.code]).toEqual([409, "scope_changed"]);
  });

  it("takes no later end back that people gave it", async () => {
    const bench = await requestBench(world);
    const assignmentId = await granted(bench, { duration: "P5D" });
    const scheduled = extension(assignmentId, { notBefore: later(30 * MINUTE) });
    const { id } = await bench.asked("pending_approval", scheduled);
    expect((await bench.approve(id)).json.status).toBe("approved");
    const narrowed = await bench.act(assignmentId, "modify", { duration: "PT45M", reason });
    expect(narrowed.json.outcome).toBe("modified");
    const { expiresAt } = await bench.read(assignmentId);
    await bench.tick(31 * MINUTE);
    await bench.tick();
    expect(await bench.read(assignmentId)).toMatchObject({ status: "active", expiresAt });
    expect((await bench.request(id)).status).toBe("rejected");
  });

  it("extends what is as it was when it was asked for", async () => {
    const bench = await requestBench(world);
    const assignmentId = await granted(bench, { duration: "P5D" });
    const scheduled = extension(assignmentId, { notBefore: later(30 * MINUTE) });
    const { id } = await bench.asked("pending_approval", scheduled);
    await bench.approve(id);
    await bench.tick(31 * MINUTE);
    expect((await bench.request(id)).status).toBe("provisioned");
    expect(await bench.read(assignmentId)).toMatchObject({ status: "active", expiresAt: later(30 * DAY) });
  });
});

describe("whoever asked for a change of access, or alone approved it", () => {
  /** Access that an officer has asked to widen. */
  async function widenedBy() {
    const bench = await requestBench(world);
    const officer = () => world.a.newUser(["governance_officer"]);
    const [asker, other] = [await officer(), await officer()];
    const assignmentId = await granted(bench, { duration: "P5D" });
    await widened(bench, assignmentId, asker);
    return { bench, asker, other, assignmentId };
  }

  it("reviews it no more than who asked for the access", async () => {
    const { bench, asker, other, assignmentId } = await widenedBy();
    const stages = [{ reviewer: "users", userIds: [asker.userId, bench.second.userId, other.userId], duration: "P5D" }];
    const body = { name: "x", scope: { assignmentIds: [assignmentId] }, stages };
    const { id } = (await send("POST", "/access-certifications", world.a.owner, body)).json;
    await bench.tick();
    const path = `/access-certifications/${id}/items`;
    const [item] = (await send("GET", path, world.a.owner)).json.items;
    expect(item.reviewers).toEqual([other.userId]);
    const vote = { decision: "certify", expectedSnapshotVersion: item.snapshotVersion, reason };
    const own = await send("POST", `${path}/${item.id}/review`, asker, vote);
    expect([own.status, own.json.code]).toEqual([403, "permission_denied"]);
    expect((await send("POST", `${path}/${item.id}/review`, other, vote)).status).toBe(200);
  });

  it("lets no drift of it be", async () => {
    const { bench, asker, other, assignmentId } = await widenedBy();
    bench.account.held.clear();
    const { driftId } = (await bench.act(assignmentId, "verify")).json;
    const accept = (actor: Actor) =>
      send("POST", `/access-drift/${driftId}/accept`, actor, { until: later(DAY), reason });
    expect((await accept(asker)).json.code).toBe("self_approval_forbidden");
    expect((await accept(other)).status).toBe(200);
  });
});
