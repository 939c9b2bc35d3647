import { newTarget, repository, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { importStatus } from "#families/connectors/imports/machine.js";
import { connectorImports } from "#families/connectors/imports/schema.js";
import { collections } from "#families/index.js";
import { statesOf } from "#kernel/records/machine.js";
import { fieldValue } from "#store/collection.js";
import { discoveries } from "../../helpers/discoveries.js";
import { createWorld } from "../../helpers/world.js";

const DAY = 86_400_000;
let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

/** Lets days pass, and signs the owner in again. */
async function pass(days: number, of = world): Promise<void> {
  of.clock.advance(days * DAY);
  await of.controlPlane.tick();
  of.a.actors.owner = await of.a.signIn(of.a.owner.userId, of.a.owner);
}
const ask = (method: string, path: string, body?: object, of = world) =>
  of.send(method, path, { token: of.a.actors.owner.token, ...(body ? { body } : {}) });
const count = async (path: string, of = world) => (await ask("GET", path, undefined, of)).json.items.length;
/** How many records of a collection the tenant has, or one connection. */
async function stored(name: string, connectorInstanceId?: string, of = world): Promise<number> {
  const collection = collections.find((one) => one.name === name);
  if (!collection) throw new Error(name);
  const reader = of.store.forTenant(of.a.tenantId);
  if (connectorInstanceId === undefined) return (await reader.count(collection)).count;
  const order = { by: name === "connector_traffic" ? "hour" : "createdAt", direction: "asc" } as const;
  return (await reader.find(collection, { where: { connectorInstanceId }, order, size: 1_000 })).rows.length;
}

describe("a history that is older than it is kept", () => {
  it("K20 is dropped: syncs and scans but for the last of a target", async () => {
    const name = world.a.unique();
    world.access.account(name).resources = [repository("r1")];
    const id = await newTarget(world.a, { name, configuration: { account: name } });
    const path = `/api/v1/access-targets/${id}`;
    const read = async () => {
      await ask("POST", `${path}/resources/sync`);
      await ask("POST", `${path}/drift-scan`);
      await world.controlPlane.tick();
    };
    await read();
    await pass(30);
    await read();
    expect(
      (await ask("GET", `${path}/syncs`)).json.items.map((one: { followedAt: unknown }) => one.followedAt),
    ).toEqual([null, expect.any(String)]);
    const [syncs, scans] = [await stored("access_sync_runs"), await stored("access_drift_scan_runs")];
    await pass(89);
    expect([await count(`${path}/syncs`), await count(`${path}/drift-scans`)]).toEqual([2, 2]);
    await pass(2);
    expect([await count(`${path}/syncs`), await count(`${path}/drift-scans`)]).toEqual([1, 1]);
    expect([await stored("access_sync_runs"), await stored("access_drift_scan_runs")]).toEqual([syncs - 1, scans - 1]);
    await pass(1_000);
    expect((await ask("GET", path)).json).toMatchObject({ syncStatus: "complete", openDrift: 0, requestable: true });
  });

  it("K20 is dropped: tests and traffic of connections, and imports with all of their items", async () => {
    const { connected, planned, model } = discoveries(world);
    const assets = Array.from({ length: 1_100 }, (_, at) => model(`m${at}`));
    const { id, path } = await connected(assets);
    await planned(path);
    expect(await stored("connector_import_items")).toBe(1_100);
    await pass(1);
    const reported = () => Promise.all(["connector_diagnostics", "connector_traffic"].map((name) => stored(name, id)));
    expect(Math.min(...(await reported()))).toBeGreaterThan(0);
    await ask("PATCH", path, { status: "disabled", reason: "It moves to another place." });
    await pass(92);
    expect(await reported()).toEqual([0, 0]);
    expect(await stored("connector_import_items")).toBe(1_100);
    await pass(309);
    const left = ["connector_imports", "connector_import_items", "connector_import_runs"];
    expect(await Promise.all(left.map((name) => stored(name)))).toEqual([0, 0, 0]);
  });

  it("K20 is kept for as long as the host says, or without limit", async () => {
    const own = await createWorld({ tokenLifetime: 86_400, retentionDays: { diagnostics: 2, traffic: null } });
    const { connected } = discoveries(own);
    const { id, path } = await connected([]);
    await pass(1, own);
    const body = { status: "disabled", reason: "It moves to another place." };
    expect((await ask("PATCH", path, body, own)).status).toBe(200);
    await pass(3, own);
    const hours = await stored("connector_traffic", id, own);
    expect(hours).toBeGreaterThan(0);
    await pass(5_000, own);
    expect(await stored("connector_traffic", id, own)).toBe(hours);
    expect(await stored("connector_diagnostics", id, own)).toBe(0);
  });

  it("K20 counts the age of an import from its end, and of one that is not over not at all", () => {
    const overSince = (status: string) =>
      fieldValue(connectorImports, { status, updatedAt: "2026-01-01T00:00:00.000Z" } as never, "overSince");
    const states = statesOf(importStatus);
    expect(states.filter((status) => overSince(status) === null)).toEqual([
      ...["queued", "discovering", "awaiting_confirmation", "importing"],
    ]);
  });

  it("K20 leaves a tenant with nothing due once it is gone", async () => {
    await pass(2_000);
    await world.controlPlane.tick();
    const at = new Date(world.clock.now()).toISOString();
    const due = await world.store.dues.find(at, 100);
    expect(due.map(({ tenantId }) => tenantId)).not.toContain(world.a.tenantId);
  });
});
