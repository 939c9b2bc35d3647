import { checkSize, type Purge, type Purged } from "@reeve/core/store";
import type { TableSpec } from "../schema/table-spec.js";

/** The steps by which a database deletes rows of one tenant, in the transaction of the deletion. */
export interface PurgeSteps {
  /** Which of these tables have such rows. */
  held(tables: readonly string[], what: Purge): Promise<ReadonlySet<string>>;
  /** Deletes at most `size` such rows of a table. Returns how many. */
  drop(table: string, what: Purge, size: number): Promise<number>;
  /** Gives the whole chain up, so that the database lets its events go. */
  giveUpChain(): Promise<void>;
  /** Deletes the head of the chain, which the database keeps for as long as there are events. */
  dropHead(): Promise<void>;
}

const EVENTS = "events";

/** The tables of rows that belong to a tenant, in the order of their deletion. `kernel` are those without a collection. */
export function purgedTables(specs: readonly TableSpec[], kernel: readonly string[]): readonly string[] {
  const ofScope = (scope: TableSpec["scope"]) => specs.flatMap((spec) => (spec.scope === scope ? spec.name : []));
  return [...ofScope("tenant"), "event_streams", EVENTS, ...ofScope("platform"), ...kernel];
}

/** Deletes at most `size` rows of a tenant for good. */
export async function purge(
  steps: PurgeSteps,
  specs: readonly TableSpec[],
  kernel: readonly string[],
  what: Purge,
  size: number,
): Promise<Purged> {
  checkSize(size);
  const reported = new Set([...specs.map(({ name }) => name), EVENTS]);
  const counts: Record<string, number> = {};
  const tables =
    what === "all" ? purgedTables(specs, kernel) : specs.filter((spec) => spec.retain).map(({ name }) => name);
  const held = await steps.held(tables, what);
  let left = size;
  for (const table of tables) {
    if (!held.has(table)) continue;
    if (table === EVENTS) await steps.giveUpChain();
    const dropped = await steps.drop(table, what, left);
    if (reported.has(table)) counts[table] = dropped;
    left -= dropped;
    if (left <= 0) return { counts, done: false };
  }
  if (what === "all") await steps.dropHead();
  return { counts, done: true };
}
