import { createHash } from "node:crypto";
import { ConnectorError, type UsageEvent } from "@reeve/core/connectors";
import { ScriptedAccess, ScriptedConnector, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { accessUses, usageDays, usageFeeds } from "#families/access-drift/usage/schema.js";
import { accessAssignments } from "#families/access-grants/assignments/schema.js";
import { factsOf } from "#families/access-reviews/certifications/certification-facts.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { accessBench, type Bench } from "../../helpers/access.js";
import { environmentOf } from "../../helpers/environment.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const MINUTE = 60_000;
const DAY = 86_400_000;
const QUARTER = 15 * MINUTE;

/** A world whose connector of access tells how it is used. */
async function meteredWorld(retentionDays?: number): Promise<World> {
  const access = new ScriptedAccess({
    granularity: "profile",
    ...(retentionDays === undefined ? {} : { retentionDays }),
  });
  const connectors = [new ScriptedConnector().connector, access.connector];
  return { ...(await createWorld({ tokenLifetime: 86_400, connectors })), access };
}

let world: World;
beforeEach(async () => {
  world = await meteredWorld(7);
});

const get = async (path: string, scene = world.a) => {
  const answer = await world.send("GET", `/api/v1${path}`, { token: scene.owner.token });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
const statusOf = async (path: string, token: string) => (await world.send("GET", `/api/v1${path}`, { token })).status;
const tick = () => world.controlPlane.tick();
const later = async (milliseconds: number) => {
  world.clock.advance(milliseconds);
  await tick();
};
/** Lets days pass with a tick each half of them, and signs everybody in again. */
async function passDays(days: number): Promise<void> {
  for (let half = 0; half < days * 2; half += 1) await later(DAY / 2);
  for (const scene of [world.a, world.b]) scene.actors.owner = await scene.signIn(scene.owner.userId, scene.owner);
}

let events = 0;
/** A use of what `bench` grants, as its target tells of it. */
async function useOf(bench: Bench, more: Partial<UsageEvent> = {}): Promise<UsageEvent> {
  const { items } = await get(`/ai-assets/${bench.assetId}/access-identities`);
  const { type, externalId } = items[0].principal;
  events += 1;
  return {
    externalEventId: `event-${events}`,
    at: new Date(world.clock.now()),
    principal: { type, externalId },
    resource: { type: "repository", externalId: "repo" },
    profileExternalId: "read",
    action: "clone",
    ...more,
  };
}

/** Access that is active, for ninety days. */
async function granted(more: object = {}) {
  const bench = await accessBench(world);
  const id = await bench.decide({ duration: "P90D", ...more });
  await tick();
  return { bench, id, usage: `/access-assignments/${id}/usage`, list: `/ai-assets/${bench.assetId}/access-usage` };
}

const stored = (id: string) =>
  world.store
    .forTenant(world.a.tenantId)
    .get(accessAssignments, id)
    .then((row) => row?.value as { version: number; editVersion: number; lastUsedAt: string | null });
const feedOf = async ({ connectorInstanceId }: Bench) =>
  (await world.store.forTenant(world.a.tenantId).lookup(usageFeeds, "instance", { connectorInstanceId }))?.value;

describe("the use of access", () => {
  it("is read from the target, counted once, and shown to its tenant alone", async () => {
    const { bench, id, usage, list } = await granted();
    world.clock.advance(MINUTE);
    const use = await useOf(bench);
    bench.account.uses = [use, { ...use }, await useOf(bench, { action: "push", count: 3 })];
    const before = await stored(id);
    await later(QUARTER);
    await later(QUARTER);
    const after = await stored(id);
    expect(after.lastUsedAt).toBe(use.at.toISOString());
    expect([after.editVersion, after.version]).toEqual([before.editVersion, before.version + 1]);
    const seen = await get(list);
    expect(seen.totalItems).toBe(2);
    expect(seen.items).toMatchObject([
      { action: expect.any(String), assignmentId: id, attribution: "exact", source: "connector", outcome: "success" },
      { assignmentId: id },
    ]);
    expect(await get(usage)).toMatchObject({
      usageState: "used",
      unknownBecause: [],
      total: 4,
      byOutcome: [{ key: "success", count: 4 }],
      coverage: { granularity: "profile" },
    });
    expect(await get(`${list}/summary`)).toMatchObject({ total: 4, lastUsedAt: after.lastUsedAt });
    for (const path of [usage, list, `${list}/summary`, `${list}/export`])
      expect(await statusOf(path, world.b.owner.token), path).toBe(404);
    expect(JSON.stringify(await get("/access-assignments?size=100", world.b))).not.toContain(id);
  });

  it("does not disturb who changes the access meanwhile", async () => {
    const { bench, id } = await granted();
    const read = await world.send("GET", `/api/v1/access-assignments/${id}`, { token: world.a.owner.token });
    world.clock.advance(MINUTE);
    bench.account.uses = [await useOf(bench)];
    await later(QUARTER);
    expect((await stored(id)).lastUsedAt).not.toBeNull();
    const token = world.a.owner.token;
    const body = { reason: "It takes less time.", duration: "P1D" };
    const headers = { "if-match": `"${read.json.version}"` };
    const path = `/api/v1/access-assignments/${id}/modify`;
    expect((await world.send("POST", path, { token, body, headers })).status).toBe(200);
    expect((await world.send("POST", path, { token, body, headers })).status).toBe(412);
  });

  it("is written to the access at most once a minute", async () => {
    const { bench, id } = await granted();
    await later(QUARTER);
    world.clock.advance(QUARTER);
    const first = world.clock.now();
    bench.account.uses = [await useOf(bench)];
    await tick();
    const { version, lastUsedAt } = await stored(id);
    expect(lastUsedAt).toBe(new Date(first).toISOString());
    bench.account.uses.push(await useOf(bench, { at: new Date(first + 59_000) }));
    await later(QUARTER);
    expect((await stored(id)).version).toBe(version);
    bench.account.uses.push(await useOf(bench));
    await later(QUARTER);
    expect((await stored(id)).version).toBe(version + 1);
  });

  it("counts for each access that it may have been, and once for the asset", async () => {
    const { bench, id, list } = await granted();
    const other = await bench.decide({ duration: "P30D" });
    await tick();
    world.clock.advance(MINUTE);
    bench.account.uses = [await useOf(bench)];
    await later(QUARTER);
    for (const one of [id, other])
      expect(await get(`/access-assignments/${one}/usage`)).toMatchObject({
        usageState: "used",
        total: 1,
        last: [{ attribution: "shared" }],
      });
    expect(await get(list)).toMatchObject({ totalItems: 1 });
    expect(await get(`${list}/summary`)).toMatchObject({ total: 1 });
  });

  it("of what was not granted is shown without an access, and use by strangers is not kept", async () => {
    const { bench, id, list, usage } = await granted();
    world.clock.advance(MINUTE);
    bench.account.uses = [
      await useOf(bench, { profileExternalId: "write" }),
      await useOf(bench, { principal: { type: "user", externalId: "a person" } }),
    ];
    await later(QUARTER);
    expect(await get(list)).toMatchObject({ totalItems: 1, items: [{ assignmentId: null, attribution: "none" }] });
    expect(await get(usage)).toMatchObject({ usageState: "unknown", total: 0 });
    expect((await stored(id)).lastUsedAt).toBeNull();
  });

  it("goes on by another process after a crash, and stores no event twice", async () => {
    const { bench, list } = await granted();
    world.clock.advance(MINUTE);
    bench.account.uses = await Promise.all(Array.from({ length: 7 }, () => useOf(bench)));
    bench.account.pageSize = 2;
    let calls = 0;
    bench.account.script = (method, phase) => {
      if (method !== "listUsage" || phase !== "after") return;
      calls += 1;
      if (calls === 3) throw new ConnectorError("transient", "The line broke.");
    };
    await later(QUARTER);
    expect((await feedOf(bench))?.cursor).toBe("4");
    await later(MINUTE);
    expect((await get(list)).totalItems).toBe(7);
    expect(calls).toBe(5);
    expect(await feedOf(bench)).toMatchObject({ cursor: null, gaps: [], failure: null });
  });

  it("is stored once although several processes tick", async () => {
    const { bench, list } = await granted();
    world.clock.advance(MINUTE);
    bench.account.uses = await Promise.all(Array.from({ length: 5 }, () => useOf(bench)));
    world.clock.advance(QUARTER);
    await Promise.all(Array.from({ length: 4 }, tick));
    expect((await get(list)).totalItems).toBe(5);
    expect((await get(`${list}/summary`)).total).toBe(5);
  });
});

describe("pitfall 22: whether access is unused", () => {
  it("is known after days whose use was read, and not before", async () => {
    const { bench, id, usage } = await granted();
    expect(await get(usage)).toMatchObject({ usageState: "unknown" });
    expect((await get(`${usage}?days=1`)).unknownBecause).toContain("too_young");
    await passDays(2);
    expect(await get(`${usage}?days=1`)).toMatchObject({ usageState: "unused", unknownBecause: [] });
    expect(await get(`${usage}?days=30`)).toMatchObject({
      usageState: "unknown",
      unknownBecause: expect.arrayContaining(["too_young"]),
    });
    const unused = await get("/access-unused?days=1&size=100");
    const names = { assetName: expect.any(String), targetName: expect.any(String) };
    expect(unused.items).toContainEqual(expect.objectContaining({ id, ...names }));
    bench.account.uses = [await useOf(bench)];
    await later(QUARTER);
    const after = await get("/access-unused?days=1&size=100");
    expect(JSON.stringify(after)).not.toContain(id);
    expect(await factsOn([id])).toMatchObject({ usageState: "used" });
  });

  it("tells reviewers once it is known", async () => {
    const { id } = await granted();
    await passDays(31);
    expect(await factsOn([id])).toMatchObject({ usageState: "unused" });
    expect(await get("/access-lifecycle/dashboard")).toMatchObject({ drift: null });
  });

  it.each([
    ["incomplete", { incomplete: true }],
    ["rejected", { uses: [{ externalEventId: "" }] }],
  ] as const)("stays unknown after a listing that was %s", async (reason, spoilt) => {
    const { bench, id, usage } = await granted();
    await passDays(1);
    Object.assign(bench.account, spoilt);
    await later(QUARTER);
    Object.assign(bench.account, { incomplete: false, uses: [] });
    await passDays(1);
    expect(await feedOf(bench)).toMatchObject({ gaps: [{ reason }] });
    expect(await get(`${usage}?days=2`)).toMatchObject({ usageState: "unknown", unknownBecause: ["gap"] });
    const { items, unknown } = await get("/access-unused?days=2&size=100");
    expect(items.some((one: { id: string }) => one.id === id)).toBe(false);
    expect(unknown).toContainEqual(expect.objectContaining({ id, unknownBecause: ["gap"] }));
  });

  it("is unknown while the target cannot be read, and for what it has forgotten then", async () => {
    const { bench, usage } = await granted();
    await passDays(2);
    bench.account.script = (method) => {
      if (method === "listUsage") throw new ConnectorError("transient", "Down.");
    };
    await passDays(1);
    for (let attempt = 0; attempt < 4; attempt += 1) await later(MINUTE);
    expect(await get(`${usage}?days=1`)).toMatchObject({ usageState: "unknown", unknownBecause: ["behind"] });
    expect((await feedOf(bench))?.failure).toMatchObject({ errorClass: "transient" });
    bench.account.script = undefined;
    await later(QUARTER);
    await later(QUARTER);
    expect(await get(`${usage}?days=1`)).toMatchObject({ usageState: "unused" });
    bench.account.script = (method) => {
      if (method === "listUsage") throw new ConnectorError("transient", "Down.");
    };
    await passDays(9);
    bench.account.script = undefined;
    await later(QUARTER);
    await later(QUARTER);
    expect((await feedOf(bench))?.gaps).toMatchObject([{ reason: "lost" }]);
    expect(await get(`${usage}?days=9`)).toMatchObject({ usageState: "unknown", unknownBecause: ["gap"] });
  });

  it("is unknown where the connector tells of no use", async () => {
    const plain = await createWorld({ tokenLifetime: 86_400 });
    const kept = world;
    world = plain;
    try {
      const { bench, id, usage } = await granted();
      await passDays(3);
      expect(await get(`${usage}?days=1`)).toMatchObject({
        usageState: "unknown",
        unknownBecause: ["no_usage_data"],
        coverage: { granularity: "none", complete: false },
      });
      expect(await feedOf(bench)).toBeUndefined();
      const { items, unknown } = await get("/access-unused?days=1&size=100");
      expect(items).toEqual([]);
      expect(JSON.stringify(unknown)).toContain(id);
    } finally {
      world = kept;
    }
  });
});

/** What reviewers are told of the use of assignments. */
async function factsOn(ids: readonly string[]) {
  const connectors = new Map([[ScriptedAccess.providerKey, world.access.connector]]);
  const ctx = systemContext(environmentOf(world, { connectors }), world.a.tenantId, "test");
  const rows = await ctx.db.getMany(accessAssignments, ids);
  const values = rows.map(({ value }) => value);
  const facts = await factsOf(ctx, values);
  return facts(values[0] as never);
}

describe("an export of uses", () => {
  it("closes with its hash, is run by no spreadsheet, and stands in the events", async () => {
    const { bench, list } = await granted();
    world.clock.advance(MINUTE);
    const hostile = ["=cmd|' /C calc'!A0", "+1", "-1", "@x", "__proto__", "constructor", 'a",b', "toString"];
    bench.account.uses = await Promise.all(hostile.map((action) => useOf(bench, { action })));
    await later(QUARTER);
    const token = world.a.owner.token;
    const csv = await world.send("GET", `/api/v1${list}/export?format=csv`, { token });
    expect(csv.headers["content-type"]).toMatch(/^text\/csv/);
    const at = csv.text.lastIndexOf("#trailer");
    const [, , , , rows, , sha256, , complete] = csv.text.slice(at).trim().split(",");
    expect([rows, complete]).toEqual([String(hostile.length), "true"]);
    expect(createHash("sha256").update(csv.text.slice(0, at)).digest("hex")).toBe(sha256);
    expect(csv.text).not.toMatch(/(?:^|,)"?[=+\-@]/m);
    const ndjson = await world.send("GET", `/api/v1${list}/export?format=ndjson`, { token });
    const lines = ndjson.text.trimEnd().split("\n");
    const { trailer } = JSON.parse(lines.pop() as string);
    expect(lines.map((line) => JSON.parse(line).action).sort()).toEqual([...hostile].sort());
    const body = lines.map((line) => `${line}\n`).join("");
    expect(createHash("sha256").update(body).digest("hex")).toBe(trailer.sha256);
    const reported = (await eventsOf(world.a)).filter(({ attributes }) => attributes.includes("access.usage.exported"));
    expect(reported).toHaveLength(2);
    expect((await get(`${list}/summary`)).byAction).toHaveLength(hostile.length);
  });

  it("is for those who may export, and a cursor is good for its own export", async () => {
    const { list } = await granted();
    const path = `${list}/export`;
    for (const [role, status] of [
      ["auditor", 200],
      ["member", 403],
      ["operator", 403],
    ] as const) {
      const { userId, ...credentials } = world.a.actors[role];
      expect(await statusOf(path, (await world.a.signIn(userId, credentials)).token), role).toBe(status);
    }
    expect(await statusOf(`${path}?cursor=abc`, world.a.owner.token)).toBe(400);
    expect(await statusOf(`${path}?format=xml`, world.a.owner.token)).toBe(400);
  });
});

describe("the life of access", () => {
  it("in numbers that lists reproduce", async () => {
    const { id } = await granted({ duration: "P3D" });
    await granted({ isPermanent: true, duration: null });
    await passDays(2);
    const dashboard = await get("/access-lifecycle/dashboard");
    const within = (days: number) => dashboard.expiring.find((one: { days: number }) => one.days === days);
    expect(within(1).value).toBeGreaterThan(0);
    for (const { days, value, url } of dashboard.expiring) {
      const { items } = await get(`${url.replace("/api/v1", "")}&size=100`);
      expect(items.length, String(days)).toBe(value);
    }
    for (const { value, url } of [
      ...dashboard.assignments.byStatus,
      ...dashboard.assignments.byTarget,
      ...dashboard.certifications,
      dashboard.revokeFailed,
    ])
      expect((await get(url.replace("/api/v1", ""))).totalItems, url).toBe(value);
    for (const { value, unknown, url } of dashboard.unused) {
      const list = await get(`${url.replace("/api/v1", "")}&size=100`);
      expect([list.items.length, list.unknown.length]).toEqual([value, unknown.value]);
    }
    expect(JSON.stringify(await get("/access-expiring?days=1&size=100"))).toContain(id);
    expect(JSON.stringify(await get("/access-expiring?days=1&size=100", world.b))).not.toContain(id);
    expect(await get("/access-lifecycle/dashboard", world.b)).toMatchObject({ expiring: [{ value: 0 }, {}, {}] });
  });

  it("counts what is over by time although no job has run", async () => {
    const { id } = await granted({ duration: "PT2H" });
    world.clock.advance(3 * 60 * MINUTE);
    const dashboard = await get("/access-lifecycle/dashboard");
    const { value, url } = dashboard.assignments.byStatus.find(({ key }: { key: string }) => key === "revoking");
    const list = await get(url.replace("/api/v1", ""));
    expect(list.totalItems).toBe(value);
    expect(JSON.stringify(list.items)).toContain(id);
    expect(JSON.stringify(await get("/access-expiring?days=30&size=100"))).not.toContain(id);
  });

  it("pages through what ends, and refuses the cursor of another list", async () => {
    await granted({ duration: "PT5H" });
    await granted({ duration: "PT6H" });
    const first = await get("/access-expiring?days=1&size=1");
    expect(first.items).toHaveLength(1);
    const second = await get(`/access-expiring?days=1&size=1&cursor=${first.nextCursor}`);
    expect(second.items[0].id).not.toBe(first.items[0].id);
    const { owner } = world.a;
    expect(await statusOf(`/access-expiring?days=2&cursor=${first.nextCursor}`, owner.token)).toBe(400);
    expect(await statusOf(`/access-unused?days=1&cursor=${first.nextCursor}`, owner.token)).toBe(400);
    expect(await statusOf(`/access-expiring?days=1&cursor=${first.nextCursor}`, world.b.owner.token)).toBe(400);
    for (const days of ["0", "366", "-1", "x", "1e2"])
      expect(await statusOf(`/access-expiring?days=${days}`, owner.token), days).toBe(400);
  });

  it("of an asset at a glance", async () => {
    const { bench, id } = await granted({ duration: "P9D" });
    const at = `/ai-assets/${bench.assetId}/access-summary`;
    expect(await get(at)).toMatchObject({
      effective: 1,
      profiles: [{ accessProfileId: bench.accessProfileId, assignments: 1, privilegeLevel: 1 }],
      maxPrivilegeLevel: 1,
      conflicts: [],
      identities: [{ id: bench.identityId }],
      lastUsedAt: null,
      nextExpiry: { assignmentId: id },
      complete: true,
    });
    await bench.act(id, "revoke", { reason: "The agent does not need it." });
    expect(await get(at)).toMatchObject({ effective: 0, profiles: [], maxPrivilegeLevel: null, nextExpiry: null });
    expect(await statusOf(at, world.b.owner.token)).toBe(404);
  });
});

describe("retention", () => {
  it("deletes old uses with old events, and reads none of them again", async () => {
    const access = new ScriptedAccess({ granularity: "profile", retentionDays: 90 });
    const connectors = [new ScriptedConnector().connector, access.connector];
    const kept = world;
    world = { ...(await createWorld({ tokenLifetime: 86_400, activityRetentionDays: 3, connectors })), access };
    try {
      const { bench, list } = await granted();
      world.clock.advance(MINUTE);
      bench.account.uses = [await useOf(bench)];
      await later(QUARTER);
      expect((await get(list)).totalItems).toBe(1);
      await passDays(5);
      expect((await get(list)).totalItems).toBe(0);
      const { tenantId } = world.a;
      const days = await world.store.forTenant(tenantId).scan(usageDays, { size: 100 });
      expect(days.filter(({ value }) => value.subject === bench.assetId)).toEqual([]);
      expect((await world.store.forTenant(tenantId).scan(accessUses, { size: 100 })).length).toBe(0);
    } finally {
      world = kept;
    }
  });
});
