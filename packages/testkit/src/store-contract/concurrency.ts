import { randomUUID } from "node:crypto";
import type { Store, Writer } from "@reeve/core/store";
import { describe, expect, it } from "vitest";
import { account, at, event, idOf, ids, manyThings, setting, successor, thing } from "./builders.js";
import { verifiedChain } from "./cases/events.js";
import { increment, race } from "./cases/racing.js";
import { accounts, settings, things } from "./collections.js";

/** Two stores on the same database, opened separately. */
export interface StorePair {
  readonly stores: readonly [Store, Store];
  dispose(): Promise<void>;
}

/** How to run the concurrency suite on a kind of store, or why it is skipped. */
export type StoreConcurrencyOptions = { readonly name: string } & (StoreConcurrencyRun | { readonly skip: string });

interface StoreConcurrencyRun {
  /** Creates a migrated database with `contractCollections` and opens it twice. Called once per case. */
  createPair(): Promise<StorePair>;
  /** The number of competing callers; 50 when absent. */
  readonly concurrency?: number;
}

interface Pair {
  readonly stores: readonly [Store, Store];
  readonly parallel: number;
  readonly tenantId: string;
  /** The tenant on one store for even `n`, on the other for odd. */
  readonly turn: (n: number) => Writer;
  readonly store: (n: number) => Store;
}

const cases: Readonly<Record<string, (pair: Pair) => Promise<void>>> = {
  "what one commits the other reads": async ({ turn }) => {
    await turn(0).insert(things, thing(1, { note: "needle" }));
    expect(ids(await turn(1).find(things, { search: "needle", size: 9 }))).toEqual([idOf("thg", 1)]);
    await turn(1).replace(things, successor(thing(1)), thing(1));
    expect((await turn(0).get(things, idOf("thg", 1)))?.version).toBe(2);
    await turn(0).remove(things, successor(thing(1)), at(9));
    expect(await turn(1).get(things, idOf("thg", 1))).toBeUndefined();
  },
  "what one has not committed the other does not read": async ({ stores, tenantId, turn }) => {
    await stores[0].transaction(tenantId, async (tx) => {
      await tx.insert(things, thing(1));
      expect(await turn(1).get(things, idOf("thg", 1))).toBeUndefined();
      expect((await turn(1).count(things)).count).toBe(0);
    });
    expect((await turn(1).count(things)).count).toBe(1);
  },
  "increments from both lose none": async ({ store, tenantId, turn, parallel }) => {
    await turn(0).insert(settings, setting("n", 0));
    await Promise.all(Array.from({ length: parallel }, (_, n) => store(n).transaction(tenantId, increment)));
    expect((await turn(1).get(settings, "n"))?.value.value).toBe(parallel);
  },
  "appenders from both keep one chain": async ({ turn, parallel }) => {
    await Promise.all(Array.from({ length: parallel }, (_, n) => turn(n).append(event(n))));
    expect(await verifiedChain(turn(0))).toBe(parallel);
  },
  "of racing inserts of one unique key one wins": async ({ turn, parallel }) => {
    const results = await race(parallel, (n) => turn(n).insert(things, thing(n, { slug: "s" })));
    expect(results).toEqual({ won: 1, duplicate: parallel - 1 });
    expect((await turn(0).count(things)).count).toBe(1);
  },
  "of racing tenants one gets a key of platform scope": async ({ store }) => {
    const results = await race(10, (n) =>
      store(n)
        .forTenant(`ten_${randomUUID()}`)
        .insert(accounts, account(n, { username: "ada" })),
    );
    expect(results).toEqual({ won: 1, duplicate: 9 });
  },
  "of racing replaces of one version one wins": async ({ turn, parallel }) => {
    await turn(0).insert(things, thing(1));
    const results = await race(parallel, (n) => turn(n).replace(things, successor(thing(1), { size: n }), thing(1)));
    expect(results).toEqual({ won: 1, stale: parallel - 1 });
  },
  "of racing removes one wins": async ({ turn, parallel }) => {
    await turn(0).insert(things, thing(1));
    const results = await race(parallel, (n) => turn(n).remove(things, thing(1), at(9)));
    expect(results).toEqual({ won: 1, stale: parallel - 1 });
  },
  "counters kept from both agree with the rows": async ({ turn, parallel }) => {
    const leaving = manyThings(parallel, () => ({ kind: "tool" }));
    await turn(0).insertMany(things, leaving);
    await Promise.all(
      leaving.flatMap((one, n) => [
        turn(n).remove(things, one, at(9)),
        turn(n + 1).insert(things, thing(1_000 + n, { kind: "model" })),
      ]),
    );
    expect(await turn(0).countBy(things, "kind")).toEqual(new Map([["model", parallel]]));
    expect((await turn(1).count(things)).count).toBe(parallel);
  },
  "transactions over two tenants in opposite order all end": async ({ store }) => {
    const tenants = [`ten_${randomUUID()}`, `ten_${randomUUID()}`] as const;
    for (const tenant of tenants) await store(0).forTenant(tenant).insert(settings, setting("n", 0));
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const [first, second] = n % 2 === 0 ? tenants : [tenants[1], tenants[0]];
        return store(n).transaction(first, async (tx) => {
          await increment(tx);
          await increment(tx.as(second));
        });
      }),
    );
    for (const tenant of tenants) expect((await store(1).forTenant(tenant).get(settings, "n"))?.value.value).toBe(20);
  },
  "a quota is shared": async ({ store, tenantId, parallel }) => {
    const claim = { key: "k", limit: 2 * parallel, until: 60_000, spent: 0, wanted: 3 };
    const grants = await Promise.all(
      Array.from({ length: parallel }, (_, n) => store(n).reserveQuota(tenantId, [claim], 0)),
    );
    expect(grants.reduce((total, [grant]) => total + (grant?.granted ?? 0), 0)).toBe(2 * parallel);
  },
  "both migrate at once": async ({ stores, turn }) => {
    await turn(0).insert(things, thing(1));
    await Promise.all([stores[0].migrate(), stores[1].migrate()]);
    expect(ids(await turn(1).scan(things, { size: 9 }))).toEqual([idOf("thg", 1)]);
  },
  "closing one leaves the other open": async ({ stores, turn }) => {
    await turn(0).insert(things, thing(1));
    await stores[0].close();
    await turn(1).insert(things, thing(2));
    expect((await turn(1).count(things)).count).toBe(2);
  },
};

/** Declares the rules for two stores on one database, as two processes have them. */
export function describeStoreConcurrency(options: StoreConcurrencyOptions): void {
  describe(`store concurrency: ${options.name}`, () => {
    for (const [name, run] of Object.entries(cases)) {
      it(name, async (context) => {
        if ("skip" in options) return context.skip(options.skip);
        return runOn(options, run);
      });
    }
  });
}

async function runOn(options: StoreConcurrencyRun, run: (pair: Pair) => Promise<void>): Promise<void> {
  const { stores, dispose } = await options.createPair();
  const tenantId = `ten_${randomUUID()}`;
  const store = (n: number) => stores[n % 2 === 0 ? 0 : 1];
  const turn = (n: number) => store(n).forTenant(tenantId);
  try {
    await run({ stores, parallel: options.concurrency ?? 50, tenantId, turn, store });
  } finally {
    await dispose();
  }
}
