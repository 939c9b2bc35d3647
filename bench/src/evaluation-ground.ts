import { createMemoryStore } from "@reeve/core";
import type { Store } from "@reeve/core/store";
import { type EmptyDatabase, type Grounds, postgresGrounds, sqliteGrounds } from "./grounds.js";
import type { Progress } from "./progress.js";
import { copyRows } from "./raw-inserts.js";
import { searchSettled } from "./search-settled.js";
import { openStore } from "./subject.js";

/** What a first run writes. Counters and the search index are left out. */
const WRITTEN = ["findings", "events", "event_streams", "asset_results", "evaluation_marks"];
/** Assets of one part of a run with fifty policies. */
const PART = 100;

/** An empty store, and what is asked of its database beside it. */
export interface EvaluationGround {
  readonly store: Store;
  /** Waits until every record is indexed for searches. */
  settled(assets: number): Promise<void>;
  /** The time of the bare driver for the rows of a run, in as many transactions, in ms. `undefined` in memory. */
  bare?(tenantId: string, assets: number): Promise<number>;
  remove(): Promise<void>;
}

/** Makes grounds of one kind of store, in a folder for those that have files. */
export async function evaluationGrounds(kind: string, progress: Progress, folder: string) {
  if (kind === "memory") {
    const settled = async () => {};
    return { empty: async () => ({ store: createMemoryStore(), settled, remove: settled }), close: settled };
  }
  const grounds = kind === "sqlite" ? sqliteGrounds(progress, folder) : await postgresGrounds(progress);
  return { empty: () => groundOf(grounds), close: () => grounds.close() };
}

async function groundOf(grounds: Pick<Grounds, "empty">): Promise<EvaluationGround> {
  const { database, remove } = await grounds.empty();
  const copies: EmptyDatabase[] = [];
  return {
    store: openStore(database),
    async settled(assets) {
      if (database.store === "sqlite") await searchSettled(database.location, "the estate", 60_000 + 2 * assets);
    },
    async bare(tenantId, assets) {
      const copy = await grounds.empty();
      copies.push(copy);
      const store = openStore(copy.database);
      await store.migrate();
      await store.close();
      return (await copyRows(tenantId, database, copy.database, Math.ceil(assets / PART), WRITTEN)) * 1_000;
    },
    async remove() {
      for (const each of copies) await each.remove();
      await remove();
    },
  };
}
