import { StoreError, type Transaction } from "@reeve/core/store";
import { expect } from "vitest";
import { account, at, event, idOf, manyThings, setting, successor, thing } from "../builders.js";
import { accounts, type Setting, settings, things } from "../collections.js";
import type { CaseGroup } from "../contract.js";

export const racingCases: CaseGroup = {
  "increments that read and write lose none": async (c) => {
    await c.owner.insert(settings, setting("n", 0));
    await Promise.all(Array.from({ length: c.parallel }, () => c.store.transaction(c.owner.tenantId, increment)));
    expect((await c.owner.get(settings, "n"))?.value).toMatchObject({ value: c.parallel, version: c.parallel + 1 });
    expect(await c.stranger.get(settings, "n")).toBeUndefined();
  },
  "increments of two tenants lose none": async (c) => {
    const both = [c.owner, c.stranger];
    for (const tenant of both) await tenant.insert(settings, setting("n", 0));
    await Promise.all(
      Array.from({ length: c.parallel }, (_, n) =>
        c.store.transaction((n % 2 === 0 ? c.owner : c.stranger).tenantId, increment),
      ),
    );
    const counts = await Promise.all(both.map(async (tenant) => (await tenant.get(settings, "n"))?.value.value));
    expect(counts).toEqual([Math.ceil(c.parallel / 2), Math.floor(c.parallel / 2)]);
  },
  "transactions of one tenant do not interleave": async (c) => {
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        c.store.transaction(c.owner.tenantId, async (tx) => {
          await tx.insert(things, thing(n));
          await tx.count(things);
          most = Math.max(most, ++inside);
          await turnOfTheLoop();
          inside -= 1;
        }),
      ),
    );
    expect(most).toBe(1);
  },
  "what a transaction read does not change before it ends": async (c) => {
    await c.owner.insert(settings, setting("n", 0));
    const begun = signal();
    const rival = begun.given.then(() => c.store.transaction(c.owner.tenantId, increment));
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      const before = await tx.get(settings, "n");
      begun.give();
      await turnOfTheLoop();
      expect((await tx.get(settings, "n"))?.version).toBe(before?.version);
    });
    await rival;
    expect((await c.owner.get(settings, "n"))?.version).toBe(2);
  },
  "of racing inserts under one id one wins": async (c) => {
    const results = await race(c.parallel, (n) => c.owner.insert(things, thing(1, { size: n })));
    expect(results).toEqual({ won: 1, duplicate: c.parallel - 1 });
    expect((await c.owner.count(things)).count).toBe(1);
  },
  "of racing inserts of one unique key one wins": async (c) => {
    const results = await race(c.parallel, (n) => c.owner.insert(things, thing(n, { slug: "s" })));
    expect(results).toEqual({ won: 1, duplicate: c.parallel - 1 });
    expect((await c.owner.count(things)).count).toBe(1);
  },
  "of racing tenants one gets a key of platform scope": async (c) => {
    const tenants = Array.from({ length: 10 }, () => c.tenant());
    const results = await race(tenants.length, async (n) => {
      await tenants[n]?.insert(accounts, account(n, { username: "ada" }));
    });
    expect(results).toEqual({ won: 1, duplicate: tenants.length - 1 });
    expect((await c.store.platform.find(accounts, { size: 99 })).rows.length).toBe(1);
  },
  "of racing transactions with one unique key one wins whole": async (c) => {
    const results = await race(10, (n) =>
      c.store.transaction(c.owner.tenantId, async (tx) => {
        await tx.append(event(n));
        await tx.insert(things, thing(n, { slug: "s" }));
      }),
    );
    expect(results).toEqual({ won: 1, duplicate: 9 });
    expect((await c.owner.scanEvents({ size: 99 })).length).toBe(1);
  },
  "of racing replaces of one version one wins": async (c) => {
    await c.owner.insert(things, thing(1));
    const results = await race(c.parallel, (n) => c.owner.replace(things, successor(thing(1), { size: n }), thing(1)));
    expect(results).toEqual({ won: 1, stale: c.parallel - 1 });
    expect((await c.owner.get(things, idOf("thg", 1)))?.version).toBe(2);
  },
  "of racing removes one wins": async (c) => {
    await c.owner.insert(things, thing(1));
    const results = await race(c.parallel, () => c.owner.remove(things, thing(1), at(9)));
    expect(results).toEqual({ won: 1, stale: c.parallel - 1 });
    expect((await c.owner.count(things)).count).toBe(0);
  },
  "of a racing replace and remove one wins": async (c) => {
    for (let n = 1; n <= 10; n++) {
      await c.owner.insert(things, thing(n));
      const results = await race(2, (turn) =>
        turn === 0 ? c.owner.replace(things, successor(thing(n)), thing(n)) : c.owner.remove(things, thing(n), at(9)),
      );
      expect(results).toEqual({ won: 1, stale: 1 });
    }
  },
  "transactions that bind two tenants in opposite order all end": async (c) => {
    for (const tenant of [c.owner, c.stranger]) await tenant.insert(settings, setting("n", 0));
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const [first, second] = n % 2 === 0 ? [c.owner, c.stranger] : [c.stranger, c.owner];
        return c.store.transaction(first.tenantId, async (tx) => {
          await increment(tx);
          await increment(tx.as(second.tenantId));
        });
      }),
    );
    for (const tenant of [c.owner, c.stranger]) expect((await tenant.get(settings, "n"))?.value.value).toBe(20);
  },
  "a write outside waits for the transaction and is kept": async (c) => {
    const begun = signal();
    const outside = begun.given.then(() => c.owner.insert(things, thing(2)));
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, thing(1));
      begun.give();
      await turnOfTheLoop();
      await tx.insert(things, thing(3));
    });
    await outside;
    expect((await c.owner.count(things)).count).toBe(3);
  },
  "half the transactions fail and leave nothing": async (c) => {
    const all = manyThings(c.parallel, (n) => ({ kind: n % 2 === 0 ? "kept" : "dropped", slug: `s${n}` }));
    const results = await Promise.allSettled(
      all.map((one) =>
        c.store.transaction(c.owner.tenantId, async (tx) => {
          await tx.insert(things, one);
          await tx.append(event(Number(one.id.slice(-6)), [one.kind as string]));
          if (one.kind === "dropped") throw new Error("dropped");
        }),
      ),
    );
    const kept = results.filter((result) => result.status === "fulfilled").length;
    expect(await c.owner.countBy(things, "kind")).toEqual(new Map([["kept", kept]]));
    expect(kept).toBe(Math.floor(c.parallel / 2));
    expect((await c.owner.scanEvents({ size: 999 })).map((one) => one.sequence)).toEqual(
      Array.from({ length: kept }, (_, n) => n + 1),
    );
    expect((await c.owner.events({ stream: "dropped", size: 9 })).total.count).toBe(0);
  },
};

/** Lets other work run. */
function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A promise and the function that resolves it, to start a rival outside of the transaction. */
function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

/** Reads a setting and writes it plus one. */
export async function increment(tx: Transaction): Promise<void> {
  const row = await tx.get(settings, "n");
  if (!row) throw new Error("the setting is there");
  const next: Setting = { ...row.value, version: row.version + 1, value: Number(row.value.value) + 1 };
  await tx.replace(settings, next, row.value);
}

/** Starts all at once. Counts the successes, and the failures by code. */
export async function race(count: number, start: (n: number) => Promise<unknown>): Promise<Record<string, number>> {
  const results = await Promise.allSettled(Array.from({ length: count }, (_, n) => start(n)));
  const counts: Record<string, number> = {};
  for (const result of results) {
    const outcome = result.status === "fulfilled" ? "won" : codeOf(result.reason);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

function codeOf(reason: unknown): string {
  return StoreError.is(reason) ? reason.code : String(reason);
}
