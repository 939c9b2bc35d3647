import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@reeve/core/store";
import { assets } from "./estate.js";
import type { Ground } from "./grounds.js";
import { shuffled } from "./operations.js";
import { type Asset, assetOf, NewAsset } from "./reference/asset.js";
import type { Backend } from "./reference/backend.js";
import { createdEvent, type Event } from "./reference/event.js";
import { PostgresBackend } from "./reference/postgres.js";
import { SqliteBackend } from "./reference/sqlite.js";
import { sampleBody } from "./samples.js";
import { median } from "./stats.js";
import { openStore } from "./subject.js";

export interface StoreComparison {
  readonly operation: "get" | "list" | "create";
  /** Operations per second, one after the other. */
  readonly store: number;
  readonly driver: number;
  /** The store's rate relative to the driver's: the median of the rounds. */
  readonly ratio: number;
}

interface Side {
  get(id: string): unknown;
  list(): unknown;
  create(asset: Asset, event: Event): unknown;
  close(): unknown;
}

/** Compares the store with the same statements on the driver alone, in this process, one operation after the other. */
export async function compareStore(
  ground: Ground,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<StoreComparison[]> {
  const { tenantId, userId, reads } = ground.estate;
  const place = (name: string) => ground.database(name);
  const sides: Record<"store" | "driver", Side> = {
    store: storeSide(openStore(place("store")), tenantId),
    driver: driverSide(openDriver(place("driver")), tenantId),
  };
  const newAsset = (at: number): [Asset, Event] => {
    const now = Date.now();
    const asset = assetOf(NewAsset.parse(sampleBody(at)), userId, now);
    return [asset, createdEvent(asset, userId, "req_bench", now)];
  };
  const operations: Record<StoreComparison["operation"], (side: Side, at: number) => unknown> = {
    get: (side, at) => side.get(reads[at % reads.length] as string),
    list: (side) => side.list(),
    create: (side, at) => side.create(...newAsset(at)),
  };
  const found: StoreComparison[] = [];
  for (const [operation, run] of Object.entries(operations)) {
    const rates: Record<"store" | "driver", number[]> = { store: [], driver: [] };
    for (let round = 0; round <= rounds; round++) {
      for (const name of shuffled(["store", "driver"] as const)) {
        const rate = await rateOf((at) => run(sides[name], at), seconds);
        // The first round warms up.
        if (round > 0) rates[name].push(rate);
        await sleep(20);
      }
    }
    found.push({
      operation: operation as StoreComparison["operation"],
      store: median(rates.store),
      driver: median(rates.driver),
      ratio: median(rates.store.map((rate, round) => rate / (rates.driver[round] as number))),
    });
  }
  for (const side of Object.values(sides)) await side.close();
  return found;
}

async function rateOf(run: (at: number) => unknown, seconds: number): Promise<number> {
  const started = performance.now();
  const end = started + seconds * 1_000;
  let done = 0;
  while (performance.now() < end) {
    await run(done);
    done++;
  }
  return (done / (performance.now() - started)) * 1_000;
}

function openDriver({ store, location }: ReturnType<Ground["database"]>): Backend {
  return store === "sqlite" ? new SqliteBackend(location) : new PostgresBackend(location);
}

function storeSide(store: Store, tenantId: string): Side {
  const tenant = store.forTenant(tenantId);
  return {
    get: async (id) => (await tenant.get(assets, id))?.text,
    list: () => tenant.list(assets, { size: 25, page: 0 }),
    create: (asset, event) =>
      store.transaction(tenantId, async (tx) => {
        await tx.insert(assets, asset);
        await tx.append(event);
      }),
    close: () => store.close(),
  };
}

function driverSide(driver: Backend, tenantId: string): Side {
  return {
    get: (id) => driver.find(tenantId, id),
    list: () => driver.page({ tenantId, size: 25, page: 0, asText: true }),
    create: (asset, event) => driver.create(tenantId, asset, event),
    close: () => driver.close(),
  };
}
