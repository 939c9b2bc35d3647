import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { collections } from "#reference/index.js";
import { type BatchProgress, type Principal, verifyChain } from "../../../src/index.js";
import { eventTypes } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let owner: Principal;
beforeEach(async () => {
  world = await createWorld();
  owner = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
});

const reader = () => world.store.forTenant(world.a.tenantId);
const assets = () => collections.find(({ name }) => name === "ai_assets") as (typeof collections)[number];
const body = (n: number, more = {}) => ({ body: { name: `batched ${n}`, externalRef: { id: `b-${n}` }, ...more } });
const range = (count: number) => Array.from({ length: count }, (_, n) => n);

describe("a batch of creates", () => {
  it("stores what single calls would store, with as many events", async () => {
    const events = (await eventTypes(world.a)).length;
    const reported: BatchProgress[] = [];
    const ids: string[] = [];
    const report = await world.controlPlane.batch(
      "aiAssets.create",
      owner,
      range(120).map((n) => body(n)),
      {
        batchSize: 50,
        onProgress: (progress) => void reported.push(progress),
        onOutcome: ({ value }) => void (value && ids.push(value.id)),
      },
    );
    expect(report).toMatchObject({ done: 120, total: 120, failed: 0, failures: [] });
    expect(reported.map(({ done }) => done)).toEqual([50, 100, 120]);
    expect(new Set(ids).size).toBe(120);
    expect((await eventTypes(world.a)).slice(events)).toEqual(Array(120).fill("asset.created"));
    expect(await verifyChain(reader())).toMatchObject({ valid: true, complete: true });
    expect((await reader().get(assets(), ids[7] as string))?.value.name).toBe("batched 7");
  });

  it("lets other work of the process run between the inputs of one transaction", async () => {
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 10));
    onTestFinished(() => clock.mockRestore());
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const inputs = range(50).map((n) => body(n));
    await world.controlPlane.batch("aiAssets.create", owner, inputs);
    isOver = true;
    // Each is checked, is done, and is written.
    expect(turns).toBeGreaterThan(2 * 50);
  });

  it("refuses each input by itself: bad ones, keys that are taken, keys twice", async () => {
    await world.controlPlane.call("aiAssets.create", owner, body(3));
    const before = (await reader().count(assets())).count;
    const { failures, ...report } = await world.controlPlane.batch("aiAssets.create", owner, [
      body(1),
      body(2, { riskTier: "none" }),
      body(3),
      body(4),
      body(1),
      body(5, { status: "production" }),
      body(6, { status: "development" }),
    ]);
    expect(report).toMatchObject({ done: 7, failed: 4 });
    expect(failures.map(({ index, error }) => [index, error.code]).sort()).toEqual([
      [1, "invalid_request"],
      [2, "already_exists"],
      [4, "already_exists"],
      [5, "invalid_transition"],
    ]);
    expect((await reader().count(assets())).count).toBe(before + 3);
    expect((await reader().countBy(assets(), "status")).get("development")).toBe(1);
  });

  it("refuses an input whose key is taken when much of the batch was sent before it, and does the others", async () => {
    await world.controlPlane.call("aiAssets.create", owner, body(249));
    const { done, failures } = await world.controlPlane.batch(
      "aiAssets.create",
      owner,
      range(250).map((n) => body(n)),
    );
    expect(done).toBe(250);
    expect(failures.map(({ index, error }) => [index, error.code])).toEqual([[249, "already_exists"]]);
    expect((await reader().find(assets(), { search: "batched", size: 500 })).rows).toHaveLength(250);
    expect(await verifyChain(reader())).toMatchObject({ valid: true, complete: true });
  });

  it("finds the input that takes what another user of the tenant holds", async () => {
    const password = "quite a long pass phrase 9";
    const taken = world.a.actors.member.username;
    const users = [...range(6).map((n) => `batched-${n}@example.test`), taken, "last@example.test"];
    const { done, failures } = await world.controlPlane.batch(
      "users.create",
      owner,
      users.map((username) => ({ body: { username, password, roles: [] } })),
    );
    expect(done).toBe(8);
    expect(failures.map(({ index, error }) => [index, error.code])).toEqual([[6, "already_exists"]]);
    const signIn = { username: "last@example.test", password };
    const signedIn = await world.send("POST", "/api/v1/auth/signin", { body: signIn, remoteAddress: "batch" });
    expect(signedIn.status).toBe(200);
  });
});

describe("a batch of changes", () => {
  it("moves, changes and removes, each by the version it names", async () => {
    const ids = await Promise.all(range(6).map(() => world.a.newAsset()));
    const params = (at: number) => ({ params: { id: ids[at] as string } });
    const moved = await world.controlPlane.batch(
      "aiAssets.changeLifecycle",
      owner,
      ids.map((_, at) => ({ ...params(at), body: { status: at === 2 ? "retired" : "development" } })),
    );
    expect(moved.failures.map(({ index, error }) => [index, error.code])).toEqual([[2, "missing_reason"]]);
    const changed = await world.controlPlane.batch(
      "aiAssets.replace",
      owner,
      ids.map((_, at) => ({
        ...params(at),
        body: { name: "anew", relations: [] },
        ifMatch: at === 4 ? 9 : at === 2 ? 1 : 2,
      })),
    );
    expect(changed.failures.map(({ index, error }) => [index, error.code])).toEqual([[4, "precondition_failed"]]);
    const removed = await world.controlPlane.batch(
      "aiAssets.delete",
      owner,
      [0, 0, 1].map((at) => params(at)),
    );
    expect(removed.failures.map(({ index, error }) => [index, error.code])).toEqual([[1, "not_found"]]);
    expect(await reader().get(assets(), ids[1] as string)).toBeUndefined();
    expect(await verifyChain(reader())).toMatchObject({ valid: true });
  });

  it("sees in each input what those before it wrote", async () => {
    const id = await world.a.newAsset({ relations: [] });
    const targets = await Promise.all([world.a.newAsset(), world.a.newAsset()]);
    const relate = (...to: string[]) => ({
      params: { id },
      body: { relations: to.map((targetId) => ({ type: "uses" as const, targetId })) },
    });
    const [one, two] = targets as [string, string];
    const { failed } = await world.controlPlane.batch("aiAssets.replace", owner, [
      relate(one),
      relate(one, two),
      relate(two),
      { params: { id }, body: { name: "renamed" } },
    ]);
    expect(failed).toBe(0);
    const { json } = await world.send("GET", `/api/v1/ai-assets/${id}/relations`, { token: world.a.owner.token });
    expect(json.items.map(({ targetId }: { targetId: string }) => targetId)).toEqual([two]);
    expect((await reader().get(assets(), id))?.value).toMatchObject({ version: 5, name: "renamed" });
  });
});

describe("a batch", () => {
  it("takes only what writes, in one transaction, for somebody who may", async () => {
    const { batch } = world.controlPlane;
    for (const id of ["aiAssets.list", "auth.signIn"] as const) {
      await expect(batch(id, owner, [])).rejects.toThrow(TypeError);
    }
    const nobody = { ...owner, permissions: new Set<string>() };
    await expect(batch("aiAssets.create", nobody, [body(1)])).rejects.toMatchObject({ code: "permission_denied" });
  });

  it("hands every event to the host, however many one commit owes", async () => {
    const heard: string[] = [];
    const reported = await createWorld({ onEvent: ({ type }) => void heard.push(type) });
    const who = await reported.controlPlane.principalOf(reported.a.tenantId, reported.a.owner.userId);
    const count = () => heard.filter((type) => type.endsWith("asset.created.v1")).length;
    const before = (await eventTypes(reported.a)).filter((type) => type === "asset.created").length;
    await reported.controlPlane.batch(
      "aiAssets.create",
      who,
      range(350).map((n) => body(n)),
    );
    await expect.poll(count, { timeout: 20_000 }).toBeGreaterThanOrEqual(before + 350);
  });
});
