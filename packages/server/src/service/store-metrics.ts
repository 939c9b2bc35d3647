import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@reeve/core";
import { Counter, Gauge, type Registry } from "prom-client";

/** What a store says of itself for metrics. */
export type Measurable = Pick<Store, "stats" | "dues">;

/** How long what the database was asked is told, however often metrics are read, in ms. */
const KEPT_MS = 5_000;
/** How long metrics wait for a database, so that they come when it does not answer, in ms. */
const WAIT_MS = 1_000;

const POOL = "db_client_connection_pool_name";
const STATE = "db_client_connection_state";

/** Metrics of the connections, the replica and what is due. Resolves when they are measured anew. */
export function storeMetrics(store: Measurable, register: Registry): () => Promise<void> {
  const registers = [register];
  const connections = new Gauge({
    name: "db_client_connection_count",
    help: "Connections of a pool, idle and used.",
    labelNames: [POOL, STATE],
    registers,
  });
  const limit = new Gauge({
    name: "db_client_connection_max",
    help: "The most connections of a pool.",
    labelNames: [POOL],
    registers,
  });
  const pending = new Gauge({
    name: "db_client_connection_pending_requests",
    help: "Who waits for a connection of a pool.",
    labelNames: [POOL],
    registers,
  });
  const reads = new Counter({
    name: "reeve_replica_reads_total",
    help: "Reads that the replica could serve, by what has become of them.",
    labelNames: ["outcome"],
    registers,
  });
  const age = new Gauge({
    name: "reeve_replica_age_seconds",
    help: "How old the last answer of the replica was at most; absent where that is not known.",
    registers,
  });
  const tenants = new Gauge({
    name: "reeve_jobs_due_tenants",
    help: "Tenants with jobs that are due, of the earliest 10000: waiting, or claimed by a process.",
    labelNames: ["state"],
    registers,
  });
  const oldest = new Gauge({
    name: "reeve_jobs_oldest_waiting_seconds",
    help: "For how long the first of the waiting tenants has had jobs due; 0 where none waits.",
    registers,
  });
  const measureHeld = () => {
    const { pools = [], replica } = store.stats?.() ?? {};
    for (const pool of pools) {
      const of = { [POOL]: pool.name };
      connections.set({ ...of, [STATE]: "used" }, pool.used);
      connections.set({ ...of, [STATE]: "idle" }, pool.idle);
      limit.set(of, pool.limit);
      pending.set(of, pool.waiting);
    }
    reads.reset();
    const { ageMs, passedOver, ...outcomes } = replica ?? {};
    if (passedOver !== undefined)
      for (const [outcome, count] of Object.entries({ ...outcomes, passed_over: passedOver }))
        reads.inc({ outcome }, count);
    setOrRemove(age, ageMs === undefined ? undefined : ageMs / 1_000);
  };
  const due = answeredInTime(() => store.dues.backlog(new Date().toISOString()), KEPT_MS);
  return async () => {
    // Before the database is asked, which takes a connection.
    measureHeld();
    const found = await due();
    tenants.reset();
    if (found) for (const state of ["waiting", "claimed"] as const) tenants.set({ state }, found[state]);
    setOrRemove(oldest, found && secondsSince(found.oldestAt));
  };
}

/** 0 where there is no such time. */
export function secondsSince(at: string | null): number {
  return at === null ? 0 : Math.max(0, (Date.now() - Date.parse(at)) / 1_000);
}

/** Asks again once an answer is older than `keptMs`. `undefined` where none comes in time, which holds up no metrics. */
export function answeredInTime<T>(ask: () => Promise<T>, keptMs = 0): () => Promise<T | undefined> {
  let answer: Promise<T | undefined> = Promise.resolve(undefined);
  let againAt = Number.NEGATIVE_INFINITY;
  const askAgain = () => {
    againAt = Number.POSITIVE_INFINITY;
    answer = ask()
      .catch(() => undefined)
      .finally(() => {
        againAt = performance.now() + keptMs;
      });
  };
  return () => {
    if (performance.now() >= againAt) askAgain();
    return Promise.race([answer, sleep(WAIT_MS, undefined, { ref: false })]);
  };
}

function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}
