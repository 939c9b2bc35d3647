import { GENESIS_HASH, type Writer } from "@reeve/core/store";
import { expect } from "vitest";
import { account, at, event, idOf, manyThings, setting, ticket } from "../builders.js";
import { accounts, settings, things, tickets } from "../collections.js";
import type { CaseGroup, Contract } from "../contract.js";

const FAR = at(1e9);
const claim = { key: "calls", limit: 10, until: 1e15, spent: 0, wanted: 4 };

/** Gives a tenant rows of every kind: 8 records of its own, 3 accounts, 5 events, counters, dues and a quota. */
async function fill({ store }: Contract, tenant: Writer, offset = 0): Promise<void> {
  const made = manyThings(4, (n) => ({ kind: "a", slug: `slug-${n}`, note: "searchable words" }));
  await tenant.insertMany(things, made);
  await tenant.remove(things, made[3] as (typeof made)[number], at(9));
  await tenant.insertMany(tickets, [ticket(1, { team: "blue", tags: ["x"], text: "a text" }), ticket(2)]);
  await tenant.insertMany(settings, [setting("one", 1), setting("two", 2)]);
  await tenant.insertMany(
    accounts,
    [1, 2, 3].map((n) => account(offset + n, { email: `${offset + n}@a.example` })),
  );
  // The newest event has the least id.
  await tenant.append(...[5, 4, 3, 2, 1].map((n) => event(n, ["all", `n${n}`])));
  await store.transaction(tenant.tenantId, (tx) => tx.due(at(5)));
  await store.reserveQuota(tenant.tenantId, [claim], 0);
}

/** All that can be read of a tenant. */
async function seen({ store }: Contract, tenant: Writer) {
  const [inThings, inTickets, inSettings, inAccounts] = await Promise.all([
    tenant.scan(things, { size: 100 }),
    tenant.scan(tickets, { size: 100 }),
    tenant.scan(settings, { size: 100 }),
    tenant.scan(accounts, { size: 100 }),
  ]);
  return {
    texts: [...inThings, ...inTickets, ...inSettings, ...inAccounts].map(({ text }) => text),
    events: await tenant.scanEvents({ size: 100 }),
    stream: (await tenant.events({ stream: "all", size: 100 })).events.length,
    total: (await tenant.events({ size: 1 })).total.count,
    found: (await tenant.find(things, { search: "searchable", size: 100 })).rows.length,
    kinds: [...(await tenant.countBy(things, "kind"))],
    due: (await store.dues.find(FAR, 100)).filter(({ tenantId }) => tenantId === tenant.tenantId),
  };
}

const NOTHING = { texts: [], events: [], stream: 0, total: 0, found: 0, kinds: [], due: [] };
const ALL = { contract_things: 4, contract_tickets: 2, contract_settings: 2, contract_accounts: 3, events: 5 };

/** Deletes a tenant in steps. Returns what each of them has deleted. */
async function purgeAll({ store }: Contract, tenantId: string, size: number) {
  const steps: Readonly<Record<string, number>>[] = [];
  for (;;) {
    const { counts, done } = await store.transaction(tenantId, (tx) => tx.purge("all", size));
    steps.push(counts);
    if (done) return steps;
  }
}

function summed(steps: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, n] of steps.flatMap((step) => Object.entries(step))) sum[name] = (sum[name] ?? 0) + n;
  return sum;
}

export const purgeCases: CaseGroup = {
  "nothing of a tenant is left, and another tenant keeps all": async (c) => {
    const other = c.tenant();
    await fill(c, c.owner);
    await fill(c, other, 10);
    const before = await seen(c, other);
    expect(before).not.toEqual(NOTHING);
    expect(summed(await purgeAll(c, c.owner.tenantId, 1_000))).toEqual(ALL);
    expect(await seen(c, c.owner)).toEqual(NOTHING);
    expect(await seen(c, other)).toEqual(before);
    const [grant] = await c.store.reserveQuota(other.tenantId, [{ ...claim, wanted: 10 }], 0);
    expect(grant).toEqual({ granted: 6, left: 0 });
  },
  "a step deletes no more rows than it is asked for, and the next one goes on": async (c) => {
    await fill(c, c.owner);
    const steps = await purgeAll(c, c.owner.tenantId, 3);
    for (const step of steps) expect(Object.values(step).reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(3);
    expect(steps.length).toBeGreaterThan(5);
    expect(summed(steps)).toEqual(ALL);
    expect(await seen(c, c.owner)).toEqual(NOTHING);
  },
  "events go after a tenant's own records, the oldest first, and before its records of platform scope": async (c) => {
    await fill(c, c.owner);
    const order: string[] = [];
    for (let done = false; !done; ) {
      const purged = await c.store.transaction(c.owner.tenantId, (tx) => tx.purge("all", 1));
      order.push(...Object.keys(purged.counts));
      done = purged.done;
      const left = (await c.owner.scanEvents({ size: 9 })).map(({ sequence }) => sequence);
      expect(left).toEqual([1, 2, 3, 4, 5].slice(5 - left.length));
    }
    expect(order.filter((name) => name === "events")).toHaveLength(5);
    expect(Math.max(order.lastIndexOf("contract_things"), order.lastIndexOf("contract_settings"))).toBeLessThan(
      order.indexOf("events"),
    );
    expect(order.indexOf("contract_accounts")).toBeGreaterThan(order.lastIndexOf("events"));
  },
  "keys, ids, quotas and the chain are free again": async (c) => {
    await fill(c, c.owner);
    await purgeAll(c, c.owner.tenantId, 4);
    await fill(c, c.owner);
    expect((await c.owner.scanEvents({ size: 1 }))[0]).toMatchObject({ sequence: 1, prevHash: GENESIS_HASH });
    expect((await c.owner.lookup(things, "slug", { slug: "slug-1" }))?.id).toBe(idOf("thg", 1));
    const [grant] = await c.store.reserveQuota(c.owner.tenantId, [{ ...claim, wanted: 10 }], 0);
    expect(grant).toEqual({ granted: 6, left: 0 });
    expect((await c.owner.find(things, { search: "searchable", size: 9 })).rows).toHaveLength(3);
    expect(await c.owner.countBy(things, "kind")).toEqual(new Map([["a", 3]]));
  },
  "a step that is rolled back deletes nothing": async (c) => {
    await fill(c, c.owner);
    const before = await seen(c, c.owner);
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      expect((await tx.purge("all", 1_000)).done).toBe(true);
      expect(await tx.get(settings, "one")).toBeUndefined();
      expect(await tx.scanEvents({ size: 9 })).toEqual([]);
      throw new Error("changed my mind");
    });
    await expect(work).rejects.toThrow("changed my mind");
    expect(await seen(c, c.owner)).toEqual(before);
    expect(await c.owner.find(things, { search: "searchable", size: 9 })).toMatchObject({ rows: { length: 3 } });
  },
  "a step can be part of a transaction of another tenant, which keeps what it writes": async (c) => {
    const other = c.tenant();
    await fill(c, c.owner);
    const counts = await c.store.transaction(other.tenantId, async (tx) => {
      await tx.insert(settings, setting("begun", true));
      const purged = await tx.as(c.owner.tenantId).purge("all", 1_000);
      await tx.insert(settings, setting("counts", purged.counts));
      return purged.counts;
    });
    expect(counts).toEqual(ALL);
    expect(await seen(c, c.owner)).toEqual(NOTHING);
    expect((await other.scan(settings, { size: 9 })).map(({ value }) => value.value)).toEqual([true, ALL]);
  },
  "steps of several at once delete each row once": async (c) => {
    await fill(c, c.owner);
    const some = await Promise.all([1, 2, 3, 4].map(() => purgeAll(c, c.owner.tenantId, 2)));
    expect(summed(some.flat())).toEqual(ALL);
    expect(await seen(c, c.owner)).toEqual(NOTHING);
  },
  "a tenant without data has nothing to delete": async (c) => {
    expect(await c.store.transaction(c.stranger.tenantId, (tx) => tx.purge("all", 10))).toEqual({
      counts: {},
      done: true,
    });
  },
  "events of a tenant that is not deleted whole stay as they were": async (c) => {
    await c.owner.append(event(1), event(2));
    await expect(c.store.transaction(c.owner.tenantId, (tx) => tx.purge("all", 0))).rejects.toThrow(TypeError);
    await expect(c.store.transaction(c.owner.tenantId, (tx) => tx.purge("all", 1_001))).rejects.toThrow(TypeError);
    expect(await c.owner.scanEvents({ size: 9 })).toHaveLength(2);
  },
  "removed rows that are kept are found, and deleted by the time of their removal": async (c) => {
    const retaining = [things, tickets];
    const made = manyThings(6, (n) => ({ slug: `slug-${n}`, note: "searchable words" }));
    for (const tenant of [c.owner, c.tenant()]) {
      await tenant.insertMany(things, made);
      await tenant.insert(tickets, ticket(1, { text: "a text" }));
      await tenant.insert(settings, setting("one", 1));
    }
    expect(await c.owner.firstRemoval(retaining)).toBeUndefined();
    for (const [index, one] of made.slice(0, 4).entries()) await c.owner.remove(things, one, at(100 + index));
    await c.owner.remove(tickets, ticket(1, { text: "a text" }), at(99));
    await c.owner.remove(settings, setting("one", 1), at(1));
    expect(await c.owner.firstRemoval(retaining)).toBe(at(99));
    expect(await c.owner.firstRemoval([things])).toBe(at(100));
    expect(await c.owner.firstRemoval([])).toBeUndefined();
    await c.store.reserveQuota(c.owner.tenantId, [claim], 0);
    const drop = (through: number, size: number) =>
      c.store.transaction(c.owner.tenantId, (tx) => tx.purge({ removedThrough: at(through) }, size));
    expect(await drop(98, 10)).toEqual({ counts: {}, done: true });
    expect(await drop(101, 2)).toMatchObject({ done: false });
    expect(await drop(101, 10)).toMatchObject({ done: true });
    expect(await c.owner.firstRemoval(retaining)).toBe(at(102));
    expect(await drop(200, 1)).toEqual({ counts: { contract_things: 1 }, done: false });
    expect(await drop(200, 10)).toEqual({ counts: { contract_things: 1 }, done: true });
    expect(await c.owner.firstRemoval(retaining)).toBeUndefined();
    expect((await c.owner.scan(things, { size: 10 })).map(({ id }) => id)).toEqual([idOf("thg", 5), idOf("thg", 6)]);
    expect((await c.owner.find(things, { search: "searchable", size: 10 })).rows).toHaveLength(2);
    expect((await c.owner.count(things)).count).toBe(2);
    // The tenant goes on, and so do its quotas.
    const [grant] = await c.store.reserveQuota(c.owner.tenantId, [{ ...claim, wanted: 10 }], 0);
    expect(grant).toEqual({ granted: 6, left: 0 });
  },
  "removed rows of another tenant are neither found nor deleted": async (c) => {
    await c.owner.insertMany(things, manyThings(2));
    await c.owner.remove(things, manyThings(2)[0] as never, at(5));
    expect(await c.stranger.firstRemoval([things])).toBeUndefined();
    const drop = (tenantId: string) =>
      c.store.transaction(tenantId, async (tx) => {
        expect(await tx.firstRemoval([things])).toBe(tenantId === c.owner.tenantId ? at(5) : undefined);
        return tx.purge({ removedThrough: at(1e6) }, 10);
      });
    expect(await drop(c.stranger.tenantId)).toEqual({ counts: {}, done: true });
    expect(await c.owner.firstRemoval([things])).toBe(at(5));
    expect(await drop(c.owner.tenantId)).toEqual({ counts: { contract_things: 1 }, done: true });
    await c.owner.insert(things, manyThings(2)[0] as never);
    expect((await c.owner.count(things)).count).toBe(2);
  },
};
