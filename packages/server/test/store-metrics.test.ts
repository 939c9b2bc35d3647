import type { DueBacklog, StoreStats } from "@reeve/core/store";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { storeMetrics } from "../src/service/store-metrics.js";

const POOL = { name: "requests", used: 7, idle: 1, waiting: 4, limit: 8 };

/** The lines of samples that a store gives, which says and answers this. */
async function samplesOf(stats: StoreStats | undefined, backlog: () => Promise<DueBacklog>, times = 1) {
  const register = new Registry();
  const dues = { backlog } as never;
  const measure = storeMetrics({ dues, ...(stats ? { stats: () => stats } : {}) }, register);
  for (let left = times; left > 0; left--) await measure();
  return (await register.metrics()).split("\n").filter((line) => /^[^#]/.test(line));
}

const none = async () => ({ waiting: 0, claimed: 0, oldestAt: null });
const NONE_DUE = [
  'reeve_jobs_due_tenants{state="waiting"} 0',
  'reeve_jobs_due_tenants{state="claimed"} 0',
  "reeve_jobs_oldest_waiting_seconds 0",
];

it("says nothing of what a store does not have, or does not answer in time", async () => {
  expect(await samplesOf(undefined, none)).toEqual(NONE_DUE);
  expect(await samplesOf(undefined, () => Promise.reject(new Error("away")))).toEqual([]);
  expect(await samplesOf(undefined, () => new Promise(() => undefined))).toEqual([]);
});

it("tells connections, what became of reads, and how old a replica is only where that is known", async () => {
  const replica = { served: 5, dropped: 2, failed: 1, passedOver: 9 };
  const known = await samplesOf({ pools: [POOL], replica: { ...replica, ageMs: 1_500 } }, none, 2);
  expect(known).toEqual([
    'db_client_connection_count{db_client_connection_pool_name="requests",db_client_connection_state="used"} 7',
    'db_client_connection_count{db_client_connection_pool_name="requests",db_client_connection_state="idle"} 1',
    'db_client_connection_max{db_client_connection_pool_name="requests"} 8',
    'db_client_connection_pending_requests{db_client_connection_pool_name="requests"} 4',
    'reeve_replica_reads_total{outcome="served"} 5',
    'reeve_replica_reads_total{outcome="dropped"} 2',
    'reeve_replica_reads_total{outcome="failed"} 1',
    'reeve_replica_reads_total{outcome="passed_over"} 9',
    "reeve_replica_age_seconds 1.5",
    ...NONE_DUE,
  ]);
  expect((await samplesOf({ pools: [POOL], replica }, none)).join()).not.toContain("reeve_replica_age_seconds");
});

it("asks the database once, however often metrics are read", async () => {
  let asked = 0;
  const oldestAt = new Date(Date.now() - 90_000).toISOString();
  const samples = await samplesOf(
    undefined,
    async () => {
      asked += 1;
      return { waiting: 3, claimed: 1, oldestAt };
    },
    5,
  );
  expect(asked).toBe(1);
  expect(samples.slice(0, 2)).toEqual([
    'reeve_jobs_due_tenants{state="waiting"} 3',
    'reeve_jobs_due_tenants{state="claimed"} 1',
  ]);
  expect(Number(samples[2]?.split(" ")[1])).toBeGreaterThanOrEqual(90);
});
