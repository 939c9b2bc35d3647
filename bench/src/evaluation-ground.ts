import { createMemoryStore } from "@reeve/core";
import type { Store } from "@reeve/core/store";
import { type Grounds, postgresGrounds, sqliteGrounds } from "./grounds.js";
import type { Progress } from "./progress.js";
import { copyRows } from "./raw-writes.js";
import { searchSettled } from "./search-settled.js";
import { openStore } from "./subject.js";

/** What a first run inserts, and in what it keeps numbers of findings. Counters and the search index are left out. */
const INSERTED = ["findings", "events", "event_streams", "asset_results", "evaluation_marks"];
const UPDATED = ["ai_assets", "ai_agents", "ai_models", "ai_tools"];
/** Assets of one part of a run with fifty policies. */
const PART = 100;

/** An empty store, and what is asked of its database beside it. */
export interface EvaluationGround {
  readonly store: Store;
  /** Waits until every record is indexed for searches. */
  settled(assets: number): Promise<void>;
  /** Copies the estate before a run. */
  copyEstate?(tenantId: string): Promise<unknown>;
  /**
   * The time in ms of the bare driver for what the run wrote since, on the copy and in as many transactions. `undefined`
   * in memory.
   */
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
  const [{ database, remove }, copy] = [await grounds.empty(), await grounds.empty()];
  return {
    store: openStore(database),
    async settled(assets) {
      if (database.store === "sqlite") await searchSettled(database.location, "the estate", 60_000 + 2 * assets);
    },
    async copyEstate(tenantId) {
      const store = openStore(copy.database);
      await store.migrate();
      await store.close();
      await copyRows(tenantId, database, copy.database, 1, { inserted: UPDATED });
    },
    async bare(tenantId, assets) {
      const written = { inserted: INSERTED, updated: UPDATED };
      return (await copyRows(tenantId, database, copy.database, Math.ceil(assets / PART), written)) * 1_000;
    },
    async remove() {
      await copy.remove();
      await remove();
    },
  };
}
