import { ConnectorError } from "@reeve/core/connectors";
import {
  type AccessAccount,
  type Actor,
  createPlane,
  newTarget,
  repository,
  repositoryProfile,
  type World,
} from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  // Tests move the clock by days.
  world = await createWorld({ tokenLifetime: 86_400 });
});

const HOUR = 3_600_000;
const by = (role: keyof World["a"]["actors"]) => world.a.actors[role];
const ask = (method: string, path: string, body?: object, as: Actor = by("owner")) =>
  world.send(method, path, { token: as.token, ...(body ? { body } : {}) });
const ok = async (method: string, path: string, body?: object, as?: Actor) => {
  const answer = await ask(method, path, body, as);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
const some = (count: number, from = 0) => Array.from({ length: count }, (_, at) => repository(`r${at + from}`));

async function target(fill: Partial<AccessAccount> = {}) {
  const name = world.a.unique();
  const account = Object.assign(world.access.account(name), fill);
  const id = await newTarget(world.a, { name, configuration: { account: name } });
  const path = `/api/v1/access-targets/${id}`;
  return { id, account, path };
}

/** A sync that has gone as far as it goes, a second after the one before. */
async function synced(path: string, query = "?resourceType=repository", body?: object) {
  world.clock.advance(1_000);
  const { id } = await ok("POST", `${path}/resources/sync${query}`, body);
  await world.controlPlane.tick();
  return ok("GET", `${path}/syncs/${id}`);
}

const resources = async (path: string, query = "") =>
  (await ok("GET", `${path}/resources?size=100${query}`)).items as {
    id: string;
    externalId: string;
    [name: string]: unknown;
  }[];
const profiles = async (path: string, query = "") =>
  (await ok("GET", `${path}/access-profiles?size=100${query}`)).items as { id: string; [name: string]: unknown }[];

describe("a sync of a target", () => {
  it("rejects entries that cannot be kept one by one, of resources and of profiles", async () => {
    const deep = Array.from({ length: 10_000 }).reduce<unknown>((inner) => [inner], 1);
    const odd = [
      { ...repository("nul"), externalId: "n\0l" },
      { ...repository("half"), externalId: "h\ud800" },
      { ...repository("half"), name: "h\ud800" },
      { ...repository("deep"), attributes: { deep } },
      { ...repository("none"), attributes: { stars: Number.NaN } },
    ];
    const { path } = await target({
      resources: [...some(2), ...odd],
      profiles: [repositoryProfile("read"), { ...repositoryProfile("odd"), externalId: "o\0d" }],
    });
    const sync = await synced(path);
    expect(sync).toMatchObject({ perType: [{ seen: 2, rejected: 5, profiles: 1, complete: false }], failure: null });
    expect((await resources(path)).map(({ externalId }) => externalId).sort()).toEqual(["r0", "r1"]);
  });

  it.each(["listResources", "listAccessProfiles"] as const)(
    "ends where the pages of %s lead in a circle",
    async (of) => {
      const { account, path } = await target({ resources: some(30), profiles: [repositoryProfile("read")] });
      Object.assign(account, { pageSize: 2, circle: { of, pages: 25 } });
      expect(await synced(path)).toMatchObject({ status: "failed", failure: { code: "pagination_loop" } });
      expect(account.calls.filter((method) => method === of).length).toBeLessThan(3 * 25);
    },
  );

  it("begins each listing of profiles anew, so that equal cursors of two resources are no circle", async () => {
    const database = (externalId: string) => ({ type: "database", externalId, name: externalId });
    const of = (externalId: string) =>
      ["a", "b", "c"].map((name) => ({
        ...repositoryProfile(name),
        ...{ resourceType: "database", resource: { type: "database", externalId } },
      }));
    const { account, path } = await target({
      resources: [database("one"), database("two"), database("three")],
      profiles: ["one", "two", "three"].flatMap(of),
    });
    account.pageSize = 1;
    const sync = await synced(path, "?resourceType=database");
    expect(sync).toMatchObject({ status: "complete", perType: [{ seen: 3, profiles: 9, complete: true }] });
  });

  it("lists its resources and profiles, and shows the target", async () => {
    const { id, path } = await target({ resources: some(3), profiles: [repositoryProfile("read")] });
    expect(await ok("GET", path)).toMatchObject({
      syncStatus: "never",
      requestable: false,
      notRequestableReason: "never_synced",
    });
    expect(await synced(path)).toMatchObject({
      status: "complete",
      perType: [{ resourceType: "repository", seen: 3, created: 3, missing: 0, profiles: 1, complete: true }],
    });
    expect((await resources(path)).map(({ externalId }) => externalId).sort()).toEqual(["r0", "r1", "r2"]);
    expect(await profiles(path)).toMatchObject([
      { status: "discovered", externalId: "read", resourceId: null, maxDuration: "P30D", allowPermanent: false },
    ]);
    const listed = (await ok("GET", "/api/v1/access-targets?size=100")).items;
    expect(listed.find((one: { connectorInstanceId: string }) => one.connectorInstanceId === id)).toMatchObject({
      syncStatus: "complete",
      resourceCounts: { repository: 3 },
      requestable: true,
      notRequestableReason: null,
      assignmentCount: 0,
    });
  });

  it("reads profiles of each resource where the type has them", async () => {
    const database = (externalId: string) => ({ type: "database", externalId, name: externalId });
    const reader = (of: string) =>
      repositoryProfile("reader", { resourceType: "database", resource: { type: "database", externalId: of } });
    const { path } = await target({
      resources: [database("d1"), database("d2")],
      profiles: [reader("d1"), reader("d2")],
    });
    expect(await synced(path, "")).toMatchObject({ status: "complete" });
    const [first] = await resources(path, "&resourceType=database");
    expect(await profiles(path)).toHaveLength(2);
    const own = await ok("GET", `${path}/resources/${first?.id}/access-profiles`);
    expect(own.items).toMatchObject([{ resourceId: first?.id, externalId: "reader" }]);
  });

  it("is one at a time, and the same is returned while it runs", async () => {
    const { path } = await target({ resources: some(1) });
    const first = await ok("POST", `${path}/resources/sync`);
    expect((await ok("POST", `${path}/resources/sync?resourceType=repository`)).id).toBe(first.id);
    const cancelled = await ok("POST", `${path}/syncs/${first.id}/cancel`, { reason: "It was begun by mistake." });
    expect(cancelled.status).toBe("cancelled");
    await world.controlPlane.tick();
    expect(await resources(path)).toEqual([]);
  });

  it("refuses types that the target has not", async () => {
    const { path } = await target();
    const { status, json } = await ask("POST", `${path}/resources/sync?resourceType=bucket`);
    expect([status, json.code]).toEqual([400, "invalid_parameter"]);
  });

  it("goes on after its last page in another process", async () => {
    const { path, account } = await target({ resources: some(30), pageSize: 10 });
    let pages = 0;
    account.script = (method) => {
      if (method === "listResources") pages += 1;
      if (method === "listResources" && pages === 2) throw new ConnectorError("transient", "Broken.");
    };
    const { id } = await ok("POST", `${path}/resources/sync?resourceType=repository`);
    await world.controlPlane.tick();
    expect((await ok("GET", `${path}/syncs/${id}`)).perType).toMatchObject([{ pages: 1, seen: 10 }]);
    account.script = undefined;
    world.clock.advance(HOUR);
    const other = createPlane(
      { store: world.store, clock: world.clock, connectors: [world.access.connector] },
      1_000_000,
    );
    await other.controlPlane.tick();
    expect(await ok("GET", `${path}/syncs/${id}`)).toMatchObject({
      status: "complete",
      perType: [{ pages: 3, seen: 30, created: 30 }],
    });
  });

  it("fails when the pages lead back to themselves, and concludes nothing", async () => {
    const { path, account } = await target({ resources: some(5) });
    await synced(path);
    account.resources = [];
    account.script = (method) => {
      if (method === "listResources") throw new ConnectorError("invalid", "Pages.", { code: "pagination_loop" });
    };
    expect(await synced(path)).toMatchObject({ status: "failed", failure: { code: "pagination_loop" } });
    expect((await resources(path)).every(({ status }) => status === "active")).toBe(true);
  });

  it("pitfall 4: a failed or cut listing says nothing of what is missing", async () => {
    const { path, account } = await target({ resources: some(12), pageSize: 10 });
    await synced(path);
    account.resources = some(11);
    account.incomplete = true;
    expect(await synced(path)).toMatchObject({ status: "partial", perType: [{ complete: false, missing: 0 }] });
    account.incomplete = false;
    let calls = 0;
    account.script = (method) => {
      if (method === "listResources") calls += 1;
      if (calls > 1) throw new ConnectorError("invalid", "Broken.");
    };
    expect(await synced(path)).toMatchObject({ status: "failed" });
    expect((await resources(path)).filter(({ status }) => status !== "active")).toEqual([]);
  });

  it("pitfall 5: credentials that see nothing any more do not empty a target", async () => {
    const { path, account } = await target({ resources: some(3) });
    await synced(path);
    account.resources = [];
    expect(await synced(path)).toMatchObject({ status: "anomalous", anomaly: { missing: 3, known: 3 } });
    expect((await resources(path)).every(({ status }) => status === "active")).toBe(true);
    expect(await ok("GET", path)).toMatchObject({ syncStatus: "paused_anomaly" });
    account.script = () => {
      throw new ConnectorError("auth", "Refused.");
    };
    world.clock.advance(HOUR * 2);
    expect(await synced(path)).toMatchObject({ status: "failed", failure: { errorClass: "auth" } });
    expect((await ok("GET", path)).health).toBe("misconfigured");
  });

  it("pitfall 6: the circuit breaker stops 21 % and lets 19 % pass, and adds up what an hour has lost", async () => {
    const { path, account } = await target({ resources: some(100) });
    await synced(path);
    account.resources = some(79);
    const stopped = await synced(path);
    expect(stopped).toMatchObject({ status: "anomalous", anomaly: { missing: 21, known: 100, recent: 0 } });
    account.resources = some(81);
    expect(await synced(path)).toMatchObject({ status: "complete", perType: [{ missing: 19 }] });
    account.resources = some(76);
    expect(await synced(path)).toMatchObject({ status: "anomalous", anomaly: { missing: 5, recent: 19 } });
    world.clock.advance(HOUR + 1);
    expect(await synced(path)).toMatchObject({ status: "complete", perType: [{ missing: 5 }] });
  });

  it("goes on with exactly the sync that somebody accepts", async () => {
    const { path, account } = await target({ resources: some(30) });
    await synced(path);
    account.resources = some(5);
    const stopped = await synced(path);
    const accept = { configuration: { acceptAnomalyRunId: stopped.id }, reason: "They were moved elsewhere." };
    const at = `${path}/resources/sync`;
    expect((await ask("POST", at, accept, by("operator"))).status).toBe(403);
    expect((await ask("POST", at, { acceptAnomalyRunId: stopped.id })).json.code).toBe("missing_reason");
    await ok("POST", at, accept, by("governance_officer"));
    await world.controlPlane.tick();
    expect(await ok("GET", `${path}/syncs/${stopped.id}`)).toMatchObject({
      status: "complete",
      acceptedBy: by("governance_officer").userId,
    });
    expect((await resources(path, "&status=missing")).length).toBe(25);
  });

  it("refuses to accept a sync that another one came after", async () => {
    const { path, account } = await target({ resources: some(30) });
    await synced(path);
    account.resources = [];
    const stopped = await synced(path);
    account.resources = some(30);
    await synced(path);
    const late = await ask("POST", `${path}/resources/sync`, {
      acceptAnomalyRunId: stopped.id,
      reason: "They are all gone now.",
    });
    expect([late.status, late.json.code]).toEqual([409, "plan_changed"]);
  });

  it("pitfall 28: a renamed resource is the same resource", async () => {
    const { path, account } = await target({ resources: some(1) });
    await synced(path);
    const [before] = await resources(path);
    account.resources = [repository("r0", { name: "Another name" })];
    expect(await synced(path)).toMatchObject({ perType: [{ created: 0, changed: 1, missing: 0 }] });
    const [after] = await resources(path);
    expect(after).toMatchObject({ id: before?.id, name: "Another name", previousFingerprint: before?.fingerprint });
  });

  it("pitfall 29: null, empty and absent are the same, and the same scan twice changes nothing", async () => {
    const { path, account } = await target({
      resources: [repository("r0", { attributes: { a: 1, b: null, c: [], d: "" } })],
    });
    await synced(path);
    for (const attributes of [{ a: 1 }, { a: 1, b: null }, { a: 1, c: [], e: undefined }, { d: "", a: 1 }]) {
      account.resources = [repository("r0", { attributes })];
      const before = (await eventsOf(world.a)).length;
      expect(await synced(path)).toMatchObject({ perType: [{ changed: 0 }] });
      const kinds = (await eventsOf(world.a))
        .slice(before)
        .map(({ attributes: reported }) => JSON.parse(reported).type as string);
      expect(kinds.filter((type) => type.includes("resource"))).toEqual([]);
    }
    account.resources = [repository("r0", { attributes: { a: 2 } })];
    expect(await synced(path)).toMatchObject({ perType: [{ changed: 1 }] });
  });

  it("counts entries that cannot be used, and concludes nothing from their listing", async () => {
    const { path, account } = await target({ resources: some(12) });
    await synced(path);
    account.resources = [...some(10), repository("", {}), repository("x", { name: " " })];
    expect(await synced(path)).toMatchObject({
      status: "partial",
      perType: [{ rejected: 2, missing: 0, complete: false }],
    });
  });

  it("is seen by nobody of another tenant", async () => {
    const { path } = await target({ resources: some(1) });
    await synced(path);
    for (const at of [path, `${path}/resources`, `${path}/access-profiles`, `${path}/syncs`])
      expect((await ask("GET", at, undefined, world.b.actors.owner)).status).toBe(404);
    expect((await ask("POST", `${path}/resources/sync`, undefined, world.b.actors.owner)).status).toBe(404);
  });
});

describe("an access profile", () => {
  async function approved() {
    const made = await target({ resources: some(1), profiles: [repositoryProfile("read")] });
    await synced(made.path);
    const [profile] = await profiles(made.path);
    const at = `/api/v1/access-profiles/${profile?.id}`;
    const body = { definitionHash: profile?.definitionHash, maxDuration: "P7D", riskLevel: "high" };
    return { ...made, at, body, profile };
  }

  it("is approved as it was seen, by people who may", async () => {
    const { at, body } = await approved();
    expect((await ask("POST", `${at}/approve`, body, by("operator"))).status).toBe(403);
    const other = await ask("POST", `${at}/approve`, { ...body, definitionHash: "another" });
    expect([other.status, other.json.code]).toEqual([409, "plan_changed"]);
    const officer = by("governance_officer");
    expect(await ok("POST", `${at}/approve`, body, officer)).toMatchObject({
      status: "approved",
      approvedHash: body.definitionHash,
      curatedBy: officer.userId,
      maxDuration: "P7D",
      riskLevel: "high",
    });
    expect((await ask("POST", `${at}/approve`, { ...body, maxDuration: "P1M" })).status).toBe(400);
    expect(await ok("POST", `${at}/disable`, { reason: "It permits too much." })).toMatchObject({ status: "disabled" });
  });

  it("waits for a new approval when it means something else", async () => {
    const { at, body, path, account } = await approved();
    await ok("POST", `${at}/approve`, body);
    account.profiles = [repositoryProfile("read", { name: "Renamed" })];
    await synced(path);
    expect(await ok("GET", at)).toMatchObject({ status: "approved", name: "Renamed" });
    account.profiles = [repositoryProfile("read", { permissions: ["read:repository", "delete:repository"] })];
    await synced(path);
    expect(await ok("GET", at)).toMatchObject({ status: "changed", approvedHash: body.definitionHash });
    account.profiles = [repositoryProfile("other")];
    await synced(path);
    expect(await ok("GET", at)).toMatchObject({ status: "removed" });
  });
});

// Tokens of the world run out in it, so it is last.
describe("a resource that is gone for a day", () => {
  it("takes a resource as missing, back again, and as retired after a day and two listings", async () => {
    const { path, account } = await target({ resources: some(12) });
    await synced(path);
    account.resources = some(11);
    await synced(path);
    const [lost] = await resources(path, "&status=missing");
    expect(lost).toMatchObject({ externalId: "r11", missingSince: expect.any(String) });
    account.resources = some(12);
    expect(await synced(path)).toMatchObject({ perType: [{ restored: 1 }] });
    account.resources = some(11);
    await synced(path);
    await synced(path);
    expect((await resources(path, "&status=missing")).length).toBe(1);
    world.clock.advance(24 * HOUR);
    world.a.actors.owner = await world.a.signIn(by("owner").userId, by("owner"));
    expect(await synced(path)).toMatchObject({ perType: [{ retired: 1 }] });
    expect((await resources(path, "&status=retired")).map(({ externalId }) => externalId)).toEqual(["r11"]);
    account.resources = some(12);
    await synced(path);
    expect((await resources(path, "&status=retired")).length).toBe(0);
  });
});
