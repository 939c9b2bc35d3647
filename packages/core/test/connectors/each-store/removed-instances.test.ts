import { StoreError } from "@reeve/core/store";
import { ulidSource } from "@reeve/core/testing";
import { createPlane, type World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectorAssets } from "#families/connectors/imports/schema.js";
import { discoveries } from "../../helpers/discoveries.js";
import { failing } from "../../helpers/failing-store.js";
import { createWorld } from "../../helpers/world.js";

/** More than one transaction drops. */
const MANY = 1_050;
let world: World;
let use: ReturnType<typeof discoveries>;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});
beforeEach(() => {
  use = discoveries(world);
});

const remove = async (id: string) => {
  const { status, text } = await use.ask("DELETE", `/api/v1/connector-instances/${id}`);
  expect(status, text).toBe(204);
};

const linksOf = async (connectorInstanceId: string) =>
  (await world.store.forTenant(world.a.tenantId).find(connectorAssets, { where: { connectorInstanceId }, size: 1_000 }))
    .rows.length;

/** A connection with many assets, imported. */
async function large() {
  const account = world.a.unique();
  const listed = Array.from({ length: MANY }, (_unused, at) => use.model(`m-${at}`, { name: `${at} of ${account}` }));
  const made = await use.connected(listed, account);
  await use.ask("POST", `${made.path}/import`, {});
  await use.tick();
  return { ...made, listed };
}

describe("a connection that was deleted", () => {
  it("leaves nothing that the same connection, set up again, would meet as a conflict", async () => {
    const listed = [use.model("a", { provider: "acme" }), use.model("b", { provider: "acme" })];
    const first = await use.connected(listed);
    await use.imported(first.path);
    await remove(first.id);
    expect(await linksOf(first.id)).toBe(0);
    const second = await use.connected(listed);
    const { plan } = await use.planned(second.path);
    expect(plan.counts).toMatchObject({ link: 2, conflict: 0, create: 0 });
  });

  it("keeps nothing from being retired that only another connection still had", async () => {
    const listed = [use.model("common", { provider: "acme" }), use.model("stays", { provider: "acme" })];
    const first = await use.connected(listed);
    await use.imported(first.path);
    const second = await use.connected(listed);
    const { at, plan } = await use.planned(second.path);
    const lines: { id: string; candidates: string[] }[] = await use.itemsOf(at);
    const merge = Object.fromEntries(lines.map(({ id, candidates }) => [id, candidates[0]]));
    expect((await use.confirm(at, plan.planHash, { merge })).status).toBe(200);
    await use.tick();
    await remove(first.id);
    world.scripted.list(second.account, listed.slice(1));
    expect((await use.planned(second.path)).plan.counts).toMatchObject({ retire: 1, unchanged: 1 });
  });

  it("is gone when the last of many links is, whichever transaction its process dies after", async () => {
    for (const transactions of [0, 1]) {
      const { id } = await large();
      await remove(id);
      expect(await linksOf(id)).toBeGreaterThan(0);
      const dead = new StoreError("unavailable", "The process is dead.");
      const store = failing(world.store, (attempt) => (attempt > transactions ? dead : undefined));
      const dying = createPlane({
        ...{ store, clock: world.clock, ids: ulidSource(), connectors: [world.scripted.connector] },
      }).controlPlane;
      await dying.tick().catch(() => undefined);
      await use.tick();
      expect(await linksOf(id)).toBe(0);
      expect((await use.ask("GET", `/api/v1/connector-instances/${id}`)).status).toBe(404);
    }
  });

  it("ends a run in progress, which changes nothing any more", async () => {
    const { id, account, path } = await use.connected([use.model("a")]);
    const begun = await use.ask("POST", `${path}/imports`, {});
    world.scripted.script(account, () => remove(id));
    await use.tick();
    await use.tick();
    const { json } = await use.ask("GET", `${path}/imports/${begun.json.id}`);
    expect(json).toMatchObject({ status: "failed", failure: { code: "instance_gone" }, counts: { create: 0 } });
  });

  it("ends a confirmed import before its next line, and leaves no link behind", async () => {
    const { id, account, path } = await use.connected([use.model("a")]);
    const { at, plan } = await use.planned(path);
    await use.confirm(at, plan.planHash);
    await remove(id);
    await use.tick();
    expect((await use.ask("GET", at)).json).toMatchObject({
      status: "partially_completed",
      done: 0,
      failure: { code: "instance_gone" },
    });
    expect([await linksOf(id), await use.assetsOf(account)]).toEqual([0, []]);
  });

  it("ends plans that wait for a confirmation", async () => {
    const { id, path } = await use.connected([use.model("a")]);
    const { at, plan } = await use.planned(path);
    await remove(id);
    expect((await use.ask("GET", at)).json.status).toBe("cancelled");
    expect((await use.confirm(at, plan.planHash)).status).toBe(404);
  });

  it("can still be read about: its imports and its tests, and by no other tenant", async () => {
    const { id, path } = await use.connected([use.model("a")]);
    const { at, done } = await use.imported(path);
    const test = await use.ask("POST", `${path}/diagnostics/run`, {});
    await remove(id);
    const history = [
      at,
      `${at}/items`,
      `${path}/imports`,
      `${path}/diagnostics/history`,
      `${path}/diagnostics/latest`,
      `${path}/diagnostics/runs/${test.json.id}`,
    ];
    for (const where of history) {
      expect((await use.ask("GET", where)).status, where).toBe(200);
      expect((await use.ask("GET", where, undefined, world.b.actors.owner)).status, where).toBe(404);
    }
    expect((await use.ask("GET", at)).json).toMatchObject({ id: done.id, status: "completed", done: 1 });
    expect((await use.ask("POST", `${path}/imports`, {})).status).toBe(404);
    const { json } = await use.ask("GET", `${path}/imports`);
    expect(json.items).toHaveLength(1);
  });
});
