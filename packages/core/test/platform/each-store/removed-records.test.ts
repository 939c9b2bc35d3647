import type { World } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { collections } from "#families/index.js";
import { eventsOf, recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const DAY = 86_400_000;
const LONG = { tokenLifetime: 86_400 };
const retaining = collections.filter(({ retain }) => retain);

/** Lets days pass, and signs the owner in again. */
async function pass(world: World, days: number): Promise<void> {
  world.clock.advance(days * DAY);
  await world.controlPlane.tick();
  world.a.actors.owner = await world.a.signIn(world.a.owner.userId, world.a.owner);
}

const ask = (world: World, method: string, path: string, body?: object) =>
  world.send(method, path, { token: world.a.owner.token, ...(body ? { body } : {}) });
const firstRemoval = (world: World, tenantId = world.a.tenantId) =>
  world.store.forTenant(tenantId).firstRemoval(retaining);
const timeIn = (world: World, days: number) => new Date(world.clock.now() + days * DAY).toISOString();

async function deleteAsset(world: World): Promise<string> {
  const id = await world.a.newAsset();
  expect((await ask(world, "DELETE", `/api/v1/ai-assets/${id}?reason=it%20is%20not%20used%20any%20more`)).status).toBe(
    204,
  );
  return id;
}

describe("a record that was deleted", () => {
  it("is kept out of sight for 90 days, and then deleted for good without an event", async () => {
    const world = await createWorld(LONG);
    await pass(world, 200);
    const [deletedAt, id] = [timeIn(world, 0), await deleteAsset(world)];
    expect(await firstRemoval(world)).toBe(deletedAt);
    await pass(world, 89);
    expect(await firstRemoval(world)).toBe(deletedAt);
    const [before, other] = [await recordsOf(world.a), await recordsOf(world.b)];
    await pass(world, 1);
    expect(await firstRemoval(world)).toBeUndefined();
    expect((await recordsOf(world.a)).ai_assets).toEqual(before.ai_assets);
    expect((await recordsOf(world.b)).ai_assets).toEqual(other.ai_assets);
    const reported = (await eventsOf(world.a)).filter(({ attributes }) => JSON.parse(attributes).subject === id);
    expect(reported.map(({ attributes }) => JSON.parse(attributes).type)).toEqual([
      "reeve.asset.created.v1",
      "reeve.asset.deleted.v1",
    ]);
  });

  it("is kept for as long as the host says, or without limit", async () => {
    const short = await createWorld({ ...LONG, retentionDays: { deletedRecords: 2 } });
    await deleteAsset(short);
    await pass(short, 2);
    expect(await firstRemoval(short)).toBeUndefined();
    const long = await createWorld({ ...LONG, retentionDays: { deletedRecords: null } });
    await deleteAsset(long);
    const first = await firstRemoval(long);
    await pass(long, 3_000);
    // The next tick deletes what this one has dropped.
    await pass(long, 0);
    expect(await firstRemoval(long)).toBe(first);
  });

  it("makes its tenant due at its time, and no other tenant", async () => {
    const world = await createWorld({ ...LONG, retentionDays: { deletedRecords: 2 } });
    await pass(world, 1);
    await deleteAsset(world);
    const due = await world.store.dues.find(timeIn(world, 2), 100);
    expect(due.map(({ tenantId }) => tenantId)).toContain(world.a.tenantId);
    expect(await firstRemoval(world, world.b.tenantId)).toBeUndefined();
  });
});

describe("what has ended", () => {
  it.each([[{}], [{ retentionDays: { deletedRecords: null } }]])(
    "is dropped for good after 400 days with %j: sessions and evaluation runs",
    async (config) => {
      const world = await createWorld({ ...LONG, ...config });
      const [ended, running] = [
        await world.a.newSession({ agentId: null }),
        await world.a.newSession({ agentId: null }),
      ];
      const path = `/api/v1/ai/sessions/${ended}`;
      const body = { reason: "It has done what it was for." };
      expect((await ask(world, "POST", `${path}/terminate`, body)).status).toBe(201);
      const run = await world.a.evaluate();
      await world.controlPlane.tick();
      const runPath = `/api/v1/ai-governance/evaluations/runs/${run}`;
      expect((await ask(world, "GET", runPath)).json.finishedAt).not.toBeNull();
      await pass(world, 399);
      expect([(await ask(world, "GET", path)).status, (await ask(world, "GET", runPath)).status]).toEqual([200, 200]);
      await pass(world, 1);
      expect([(await ask(world, "GET", path)).status, (await ask(world, "GET", runPath)).status]).toEqual([404, 404]);
      expect((await ask(world, "GET", `/api/v1/ai/sessions/${running}`)).status).toBe(200);
      await pass(world, 0);
      expect(await firstRemoval(world)).toBeUndefined();
      const { json } = await ask(world, "GET", "/api/v1/ai-governance/evaluations/runs");
      expect(
        json.items.every(
          ({ finishedAt }: { finishedAt: string | null }) => finishedAt === null || finishedAt > timeIn(world, -400),
        ),
      ).toBe(true);
    },
  );

  it("is kept without limit when the host says so", async () => {
    const world = await createWorld({ ...LONG, retentionDays: { sessions: null, evaluationRuns: null } });
    const run = await world.a.evaluate();
    await pass(world, 5_000);
    expect((await ask(world, "GET", `/api/v1/ai-governance/evaluations/runs/${run}`)).status).toBe(200);
  });
});
