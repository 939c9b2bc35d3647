import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ErrorCode } from "@reeve/core";
import { freePort } from "@reeve/testkit/postgres";
import { expect, it, onTestFinished } from "vitest";
import { createMetrics } from "../src/service/metrics.js";
import { ServerProcess } from "./server-process.js";

async function start(settings: (port: number) => Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), "reeve-metrics-"));
  const [port, other] = [await freePort(), await freePort()];
  const server = ServerProcess.spawn(directory, { ...settings(other), PORT: String(port) });
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
    rmSync(directory, { recursive: true, force: true });
  });
  await server.ready();
  return { server, own: `http://127.0.0.1:${port}`, other: `http://127.0.0.1:${other}` };
}

it("shows metrics by operation on a port of their own", async () => {
  const { server, own, other } = await start((port) => ({ REEVE_METRICS: `:${port}/metrics` }));
  await fetch(`${own}/api/v1/monitor/ping`);
  await fetch(`${own}/nothing`);
  await fetch(`${own}/api/v1/ai-assets`);
  const text = await (await fetch(`${other}/metrics`)).text();
  expect(text).toMatch(/^reeve_request_duration_seconds_count\{operation="monitor.ping",status="2xx"\} 1$/m);
  expect(text).toMatch(/^reeve_request_duration_seconds_count\{operation="none",status="4xx"\} 1$/m);
  expect(text).toMatch(/^reeve_errors_total\{code="token_missing",status="4xx"\} 1$/m);
  expect(text).toMatch(/^reeve_store_failures_total\{reason="busy"\} 0$/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect((await fetch(`${own}/metrics`)).status).toBe(404);
  expect((await fetch(`${other}/elsewhere`)).status).toBe(404);
  expect(await server.stop("SIGTERM")).toBe(0);
});

it("shows metrics beside the operations, and not at all unless asked", async () => {
  const on = await start(() => ({ REEVE_METRICS: "/internal/metrics" }));
  expect(await (await fetch(`${on.own}/internal/metrics`)).text()).toContain("# HELP reeve_request_duration_seconds");
  const off = await start(() => ({}));
  expect((await fetch(`${off.own}/metrics`)).status).toBe(404);
});

it("says in one line that the port of metrics is taken, and leaves nothing open", async () => {
  const { other } = await start((port) => ({ REEVE_METRICS: `:${port}/metrics` }));
  const directory = mkdtempSync(join(tmpdir(), "reeve-metrics-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const { port } = new URL(other);
  const second = ServerProcess.spawn(directory, { PORT: String(await freePort()), REEVE_METRICS: `:${port}/metrics` });
  expect(await second.ended).toBe(1);
  expect(second.errors).toBe(`reeve: 127.0.0.1 port ${port} is in use already; set REEVE_METRICS to a free one\n`);
});

it("counts what ticks did, and what failed", async () => {
  const { ticked, page } = createMetrics();
  ticked({ done: 3, failed: 0 });
  ticked({ done: 1, failed: 2 });
  ticked("failed");
  const text = String((await page()).body);
  expect(text).toMatch(/^reeve_tick_changes_total 4$/m);
  expect(text).toMatch(/^reeve_tick_failures_total\{scope="tenant"\} 2$/m);
  expect(text).toMatch(/^reeve_tick_failures_total\{scope="whole"\} 1$/m);
  expect(text).toMatch(/^reeve_tick_last_success_timestamp_seconds 1\d{9}/m);
});

it("tells what waits to be sent, and nothing of it without the store", async () => {
  const oldestAt = new Date(Date.now() - 90_000).toISOString();
  let isAway = false;
  const { page } = createMetrics(async () => {
    if (isAway) throw new Error("the store is away");
    return [
      { target: "webhooks", events: 3, oldestAt },
      { target: "file", events: 0, oldestAt: null },
    ];
  });
  const text = String((await page()).body);
  expect(text).toMatch(/^reeve_delivery_waiting_events\{target="webhooks"\} 3$/m);
  expect(text).toMatch(/^reeve_delivery_waiting_events\{target="file"\} 0$/m);
  expect(Number(/seconds\{target="webhooks"\} ([\d.]+)/.exec(text)?.[1])).toBeGreaterThanOrEqual(90);
  isAway = true;
  expect(String((await page()).body)).not.toMatch(/^reeve_delivery_\w+\{/m);
});

it("counts refusals by code, and those of the store by reason", async () => {
  const { answered, page } = createMetrics();
  const refusal = (status: number, errorCode: ErrorCode) => ({ status, headers: {}, body: undefined, errorCode });
  answered(refusal(503, "storage_busy"), 1);
  answered(refusal(503, "storage_busy"), 1);
  answered(refusal(503, "storage_unavailable"), 1);
  answered(refusal(404, "not_found"), 1);
  answered({ status: 200, headers: {}, body: undefined }, 1);
  const lines = String((await page()).body).split("\n");
  expect(lines.filter((line) => /^reeve_(errors|store_failures)_total/.test(line)).sort()).toEqual([
    'reeve_errors_total{code="not_found",status="4xx"} 1',
    'reeve_errors_total{code="storage_busy",status="5xx"} 2',
    'reeve_errors_total{code="storage_unavailable",status="5xx"} 1',
    'reeve_store_failures_total{reason="busy"} 2',
    'reeve_store_failures_total{reason="full"} 0',
    'reeve_store_failures_total{reason="outcome_unknown"} 0',
    'reeve_store_failures_total{reason="unavailable"} 1',
  ]);
});
