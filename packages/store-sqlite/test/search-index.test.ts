import { SCAN_LIMIT, SEARCH_COUNT_LIMIT } from "@reeve/core/store";
import { manyThings, successor, thing, things } from "@reeve/testkit";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "./support.js";

const found = { rows: { length: 1 } };

function waiting(file: string): () => number {
  const db = new Database(file, { readonly: true });
  onTestFinished(() => void db.close());
  return () => db.prepare("select count(*) from reeve_search_pending").pluck().get() as number;
}

it("finds what waits to be indexed, then indexes it, of every tenant, without being asked", async () => {
  const { store, file } = await openStore();
  const pending = waiting(file);
  const tenants = Array.from({ length: 30 }, (_, n) => store.forTenant(`t${n}`));
  for (const tenant of tenants) await tenant.insert(things, thing(1, { note: "a needle here" }));
  expect(pending()).toBeGreaterThan(0);
  for (const tenant of tenants) expect(await tenant.find(things, { search: "needle", size: 9 })).toMatchObject(found);
  await expect.poll(pending, { timeout: 10_000 }).toBe(0);
  for (const tenant of tenants) expect(await tenant.find(things, { search: "needle", size: 9 })).toMatchObject(found);
});

it("keeps what waits over a close, and indexes it after the next open", async () => {
  const { store, file } = await openStore();
  const all = { count: SEARCH_COUNT_LIMIT, exact: true };
  await store.forTenant("t").insertMany(
    things,
    manyThings(SEARCH_COUNT_LIMIT, () => ({ note: "a needle here" })),
  );
  await store.close();
  const pending = waiting(file);
  expect(pending()).toBeGreaterThan(0);
  const { store: next } = await openStore({ file });
  expect(await next.forTenant("t").count(things, { search: "needle" })).toEqual(all);
  await expect.poll(pending, { timeout: 10_000 }).toBe(0);
  expect(await next.forTenant("t").count(things, { search: "needle" })).toEqual(all);
});

it("forgets the old text of an indexed record, and removed records", async () => {
  const { store, file } = await openStore();
  const pending = waiting(file);
  const tenant = store.forTenant("t");
  await tenant.insertMany(things, [thing(1, { note: "before" }), thing(2, { note: "before" })]);
  await expect.poll(pending, { timeout: 10_000 }).toBe(0);
  await tenant.replace(
    things,
    successor(thing(1, { note: "before" }), { note: "after" }),
    thing(1, { note: "before" }),
  );
  await tenant.remove(things, thing(2, { note: "before" }), "2026-01-01T00:00:00.000Z");
  for (const settled of [false, true]) {
    if (settled) await expect.poll(pending, { timeout: 10_000 }).toBe(0);
    expect((await tenant.find(things, { search: "before", size: 9 })).rows).toEqual([]);
    expect(await tenant.find(things, { search: "after", size: 9 })).toMatchObject(found);
  }
});

it("shows every one of more hits than it puts in order exactly once, page by page", async () => {
  const { store } = await openStore();
  const tenant = store.forTenant("t");
  const given = manyThings(SCAN_LIMIT + 500, () => ({ note: "a needle here" }));
  for (let at = 0; at < given.length; at += 500) await tenant.insertMany(things, given.slice(at, at + 500));
  const seen: string[] = [];
  let page = await tenant.find(things, { search: "needle", size: 700 });
  for (;;) {
    seen.push(...page.rows.map((row) => row.id));
    if (!page.next) break;
    page = await tenant.find(things, { search: "needle", size: 700, after: page.next });
  }
  expect(seen).toEqual(given.map((one) => one.id).reverse());
  expect(await tenant.count(things, { search: "needle" })).toEqual({ count: SEARCH_COUNT_LIMIT, exact: false });
});

it("finds what a tenant has beside more hits of the next than it looks at, and the other way round", async () => {
  const { store, file } = await openStore();
  const pending = waiting(file);
  const [first, second] = [store.forTenant("first"), store.forTenant("second")];
  await first.insertMany(things, [thing(1, { note: "a needle here" }), thing(2, { note: "a pin there" })]);
  // Without the index, only the newest rows are examined, up to the bound.
  const hay = manyThings(SCAN_LIMIT + 3).slice(2);
  for (let at = 0; at < hay.length; at += 1_000) await first.insertMany(things, hay.slice(at, at + 1_000));
  await expect.poll(pending, { timeout: 60_000 }).toBe(0);
  const flood = manyThings(SCAN_LIMIT, () => ({ note: "a needle here" }));
  for (let at = 0; at < flood.length; at += 1_000) await second.insertMany(things, flood.slice(at, at + 1_000));
  await second.insert(things, thing(SCAN_LIMIT + 1, { note: "a pin there" }));
  await expect.poll(pending, { timeout: 60_000 }).toBe(0);
  for (const [tenant, id] of [
    [first, thing(1).id],
    [second, flood.at(-1)?.id],
  ] as const) {
    const { rows } = await tenant.find(things, { search: "needle", size: 1 });
    expect(rows).toMatchObject([{ tenantId: tenant.tenantId, id }]);
  }
  expect(await first.count(things, { search: "needle" })).toEqual({ count: 1, exact: true });
  expect(await first.count(things, { search: "pin" })).toEqual({ count: 1, exact: true });
  expect(await second.count(things, { search: "pin" })).toEqual({ count: 1, exact: true });
});

it("shows and counts no row of another tenant, even where the index says that it is this one's", async () => {
  const { store, file } = await openStore();
  const pending = waiting(file);
  const [mine, theirs] = [store.forTenant("mine"), store.forTenant("theirs")];
  const note = "a needle here";
  await mine.insert(things, thing(1, { note }));
  await theirs.insertMany(
    things,
    manyThings(SEARCH_COUNT_LIMIT, () => ({ note })),
  );
  await expect.poll(pending, { timeout: 10_000 }).toBe(0);
  const db = new Database(file);
  onTestFinished(() => void db.close());
  const added = db.prepare(`insert into reeve_contract_things_fts (rowid, text)
    select (select no from reeve_search_tenants where tenant_id = 'mine') * 4294967296 + n, search_text
    from reeve_contract_things where tenant_id = 'theirs'`);
  expect(added.run().changes).toBe(SEARCH_COUNT_LIMIT);
  for (const search of ["needle", "ne"]) {
    expect(await mine.find(things, { search, size: 9 })).toMatchObject({ rows: [{ tenantId: "mine" }] });
    expect((await mine.list(things, { search, size: 9 })).total).toEqual({ count: 1, exact: true });
    expect(await mine.count(things, { search })).toEqual({ count: 1, exact: true });
    expect(await theirs.count(things, { search })).toEqual({ count: SEARCH_COUNT_LIMIT, exact: true });
  }
});

it("says what keeps it from indexing, waits longer each time, and goes on once it can", async () => {
  const reported: Record<string, unknown>[] = [];
  const quiet = () => undefined;
  const logger = { info: quiet, error: quiet, warn: (fields: Record<string, unknown>) => void reported.push(fields) };
  const { store, file } = await openStore({ logger });
  const pending = waiting(file);
  const other = new Database(file);
  onTestFinished(() => void other.close());
  other.exec(`alter table "reeve_${things.name}_fts" rename to aside`);
  await store.forTenant("t").insert(things, thing(1, { note: "a needle here" }));
  await expect.poll(() => reported.length, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(reported[0]).toMatchObject({ error: expect.stringContaining(`${things.name}_fts`), failures: 1 });
  expect(reported[1]).toMatchObject({ failures: 2 });
  other.exec(`alter table aside rename to "reeve_${things.name}_fts"`);
  await expect.poll(pending, { timeout: 20_000 }).toBe(0);
});

it("counts what waits as it is now and not as it was indexed, right at the bound of a total", async () => {
  const { store, file } = await openStore();
  const pending = waiting(file);
  const tenant = store.forTenant("t");
  const hits = manyThings(SCAN_LIMIT + 2, () => ({ note: "needle" }));
  for (let start = 0; start < hits.length; start += 1_000)
    await tenant.insertMany(things, hits.slice(start, start + 1_000));
  await expect.poll(pending, { timeout: 10_000 }).toBe(0);
  const total = async () => (await tenant.list(things, { search: "needle", size: 1 })).total;
  expect(await total()).toEqual({ count: SEARCH_COUNT_LIMIT, exact: false });
  const [removed, changed, another] = hits as [(typeof hits)[number], (typeof hits)[number], (typeof hits)[number]];
  await tenant.remove(things, removed, "2026-01-05T09:00:00.000Z");
  expect(await total()).toEqual({ count: SEARCH_COUNT_LIMIT, exact: false });
  await tenant.replace(things, successor(changed, { note: "hay" }), changed);
  // It waits too, and is a hit as before.
  await tenant.replace(things, successor(another, { note: "needle again" }), another);
  expect(await total()).toEqual({ count: SCAN_LIMIT, exact: true });
  expect(await store.forTenant("another").count(things, { search: "needle" })).toEqual({ count: 0, exact: true });
});
