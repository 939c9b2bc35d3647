import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ErrorCode } from "@reeve/core";
import { createDatabase, freePort } from "@reeve/testkit/postgres";
import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
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
  const head = await fetch(`${other}/metrics`, { method: "HEAD" });
  expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
    200,
    expect.stringContaining("text/plain"),
    "",
  ]);
  expect((await fetch(`${other}/metrics`, { method: "POST" })).status).toBe(404);
  expect((await fetch(`${own}/metrics`)).status).toBe(404);
  expect((await fetch(`${other}/elsewhere`)).status).toBe(404);
  expect(await server.stop("SIGTERM")).toBe(0);
});

it("shows metrics beside the operations, and not at all unless asked", async () => {
  const on = await start(() => ({ REEVE_METRICS: "/internal/metrics" }));
  const head = await fetch(`${on.own}/internal/metrics`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(await (await fetch(`${on.own}/internal/metrics`)).text()).toContain("# HELP reeve_request_duration_seconds");
  const off = await start(() => ({}));
  expect((await fetch(`${off.own}/metrics`)).status).toBe(404);
});

it("shows who holds and who waits for connections of PostgreSQL, and which jobs are late", async () => {
  const database = await createDatabase(inject("postgresUrl"));
  onTestFinished(() => database.drop());
  const { own, other } = await start((port) => ({
    ...{ REEVE_STORE: database.url, REEVE_MASTER_KEY: randomBytes(32).toString("base64"), REEVE_POOL_SIZE: "3" },
    ...{ REEVE_METRICS: `:${port}/metrics`, REEVE_TICK_SECONDS: "3600", REEVE_RATE_LIMIT: "off" },
  }));
  const metric = async (name: string) => {
    const lines = (await (await fetch(`${other}/metrics`)).text()).split("\n");
    const line = lines.find((each) => each.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length + 1));
  };
  const pool = 'db_client_connection_pool_name="requests"';
  const used = `db_client_connection_count{${pool},db_client_connection_state="used"}`;
  const post = (path: string, body: object) =>
    fetch(`${own}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const person = { username: "owner@acme.example", password: "quiet harbour at four" };
  expect((await post("/register", { organization: "Acme", ...person })).status).toBe(201);
  const { token } = (await (await post("/auth/signin", person)).json()) as { token: string };
  // Ticks come an hour apart, so that what is due waits.
  await expect.poll(() => metric('reeve_jobs_due_tenants{state="waiting"}'), { timeout: 20_000 }).toBeGreaterThan(0);
  const late = (await metric("reeve_jobs_oldest_waiting_seconds")) as number;
  await expect.poll(() => metric("reeve_jobs_oldest_waiting_seconds")).toBeGreaterThan(late);
  expect(await metric(`db_client_connection_max{${pool}}`)).toBe(3);
  expect(await metric(used)).toBe(0);
  expect(await metric("reeve_replica_age_seconds")).toBeUndefined();

  const holder = new pg.Client(database.url);
  await holder.connect();
  await holder.query("begin; lock table reeve.ai_assets in access exclusive mode");
  const headers = { authorization: `Bearer ${token}` };
  const reads = Array.from({ length: 6 }, () => fetch(`${own}/api/v1/ai-assets`, { headers }));
  // They come without an answer of the database, to which no connection is free.
  await expect.poll(() => metric(`db_client_connection_pending_requests{${pool}}`)).toBeGreaterThan(0);
  expect(await metric(used)).toBe(3);
  await holder.query("rollback");
  await holder.end();
  await Promise.all(reads);
  await expect.poll(() => metric(used)).toBe(0);
  expect(await metric(`db_client_connection_pending_requests{${pool}}`)).toBe(0);
}, 60_000);

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
  const backlog = async () => {
    if (isAway) throw new Error("the store is away");
    return [
      { target: "webhooks", events: 3, oldestAt },
      { target: "file", events: 0, oldestAt: null },
    ];
  };
  const { page } = createMetrics({ backlog });
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
