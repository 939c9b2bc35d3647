import type { DeliveryBacklog, ErrorCode, NeutralResponse, TickOutcome } from "@reeve/core";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Page } from "../http/front.js";
import { answeredInTime, type Measurable, secondsSince, storeMetrics } from "./store-metrics.js";

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What each code says about the store. */
const STORE_FAILURES: Partial<Record<ErrorCode, string>> = {
  storage_busy: "busy",
  storage_unavailable: "unavailable",
  storage_full: "full",
  outcome_unknown: "outcome_unknown",
};

/** Metrics for Prometheus. No label contains a tenant, a user or a record. */
export interface Metrics {
  readonly answered: (answer: NeutralResponse, seconds: number) => void;
  readonly ticked: (outcome: TickOutcome) => void;
  /** All metrics as text. */
  readonly page: Page;
}

/** What is asked when the page is. */
export interface Asked {
  /** What waits to be sent. */
  readonly backlog?: () => Promise<readonly DeliveryBacklog[]>;
  readonly store?: Measurable;
}

export function createMetrics({ backlog = async () => [], store }: Asked = {}): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: "reeve_request_duration_seconds",
    help: "Requests by operation and class of status; `none` is what no operation answers.",
    labelNames: ["operation", "status"],
    buckets: SECONDS,
    registers,
  });
  const refusals = new Counter({
    name: "reeve_errors_total",
    help: "Refusals by code and class of status.",
    labelNames: ["code", "status"],
    registers,
  });
  const storeFailures = new Counter({
    name: "reeve_store_failures_total",
    help: "Requests that the store could not serve, by reason.",
    labelNames: ["reason"],
    registers,
  });
  // Alerts on a rate need the first failure to raise a number that is there.
  for (const reason of Object.values(STORE_FAILURES)) storeFailures.inc({ reason }, 0);
  const done = new Counter({ name: "reeve_tick_changes_total", help: "What ticks have done.", registers });
  const failed = new Counter({
    name: "reeve_tick_failures_total",
    help: "Ticks that could not run (whole) and tenants whose jobs failed (tenant).",
    labelNames: ["scope"],
    registers,
  });
  const last = new Gauge({
    name: "reeve_tick_last_success_timestamp_seconds",
    help: "When a tick last ran for every tenant, since the epoch.",
    registers,
  });
  const targets = { labelNames: ["target"], registers };
  const waiting = new Gauge({
    name: "reeve_delivery_waiting_events",
    help: "Events that wait for webhooks, all together, and for each audit sink, as far as this process knows.",
    ...targets,
  });
  const oldest = new Gauge({
    name: "reeve_delivery_oldest_waiting_seconds",
    help: "Age of the oldest of these events; 0 where none waits.",
    ...targets,
  });
  const behind = answeredInTime(backlog);
  const measureStore = store && storeMetrics(store, register);
  // Without the store the other metrics are still told, and these say nothing.
  const measure = async () => {
    const found = await behind();
    if (!found) for (const gauge of [waiting, oldest]) gauge.reset();
    for (const { target, events, oldestAt } of found ?? []) {
      waiting.set({ target }, events);
      oldest.set({ target }, secondsSince(oldestAt));
    }
  };
  return {
    answered({ operationId = "none", status: answered, errorCode }, seconds) {
      const status = `${Math.floor(answered / 100)}xx`;
      requests.observe({ operation: operationId, status }, seconds);
      if (errorCode === undefined) return;
      refusals.inc({ code: errorCode, status });
      const reason = STORE_FAILURES[errorCode];
      if (reason !== undefined) storeFailures.inc({ reason });
    },
    ticked(outcome) {
      if (outcome === "failed") return failed.inc({ scope: "whole" });
      done.inc(outcome.done);
      if (outcome.failed > 0) failed.inc({ scope: "tenant" }, outcome.failed);
      else last.setToCurrentTime();
    },
    async page() {
      await Promise.all([measureStore?.(), measure()]);
      const headers = { "content-type": register.contentType, "cache-control": "no-store" };
      return { status: 200, headers, body: await register.metrics() };
    },
  };
}
