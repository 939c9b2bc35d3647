import { Worker } from "node:worker_threads";
import { ReeveError } from "@reeve/core";
import { freePort } from "@reeve/testkit/postgres";
import { expect, it, onTestFinished } from "vitest";
import { startProbeThread } from "../src/probes/probe-thread.js";
import { Readiness, readinessPages } from "../src/probes/readiness.js";

const HELD_MS = 400;
const log = { error: () => undefined };

async function readinessOf(ping: () => Promise<{ readonly status: string }>, countsMs = 60_000) {
  const drain = { begun: false };
  const readiness = new Readiness(ping, drain, { pauseMs: 5, countsMs });
  onTestFinished(() => readiness.stop());
  await readiness.start();
  return { readiness, drain };
}

async function askable(readiness: Readiness) {
  const port = await freePort();
  const end = await startProbeThread(readinessPages(readiness), { host: "127.0.0.1", port, heldMs: HELD_MS }, log);
  onTestFinished(end);
  const url = `http://127.0.0.1:${port}`;
  const probe = async (path: string, init?: RequestInit) => {
    const answer = await fetch(`${url}${path}`, init);
    return [answer.status, await answer.text()];
  };
  return { port, url, probe };
}

/** Asks from a thread of its own, until the statuses that it was given are wanted. */
function asker(url: string) {
  const program = `
    const { parentPort, workerData } = require("node:worker_threads");
    const seen = { "/livez": [], "/readyz": [] };
    const ask = async () => {
      for (const path of Object.keys(seen)) seen[path].push((await fetch(workerData + path)).status);
      setTimeout(ask, 10);
    };
    ask();
    parentPort.on("message", () => parentPort.postMessage(seen));`;
  const thread = new Worker(program, { eval: true, workerData: url });
  onTestFinished(() => void thread.terminate());
  return () =>
    new Promise<Record<string, number[]>>((resolve) => {
      thread.once("message", resolve);
      thread.postMessage("tell");
    });
}

it("tells of readiness while the store hangs, and that it is unknown once it has hung for long", async () => {
  let hangs = false;
  const ping = () => (hangs ? new Promise<never>(() => undefined) : Promise.resolve({ status: "ok" }));
  const { readiness, drain } = await readinessOf(ping, 300);
  const { probe } = await askable(readiness);
  expect(await probe("/readyz")).toEqual([200, "ok"]);
  hangs = true;
  const unknown = { status: 503, text: "storage_unavailable unknown" };
  await expect.poll(() => readiness.told()).toEqual(unknown);
  expect(readiness.told(["writes"])).toEqual(unknown);
  await expect.poll(() => probe("/readyz/reads")).toEqual([503, unknown.text]);
  expect(await probe("/livez")).toEqual([200, "ok"]);
  drain.begun = true;
  await expect.poll(() => probe("/healthz")).toEqual([503, "shutting_down"]);
});

it("names the checks that fail, and leaves one out for who only reads", async () => {
  let failing: readonly string[] = ["writes"];
  const { readiness } = await readinessOf(async () => {
    const checks = { store: "ok", ...Object.fromEntries(failing.map((name) => [name, "unavailable"])) };
    if (failing.length > 0) throw new ReeveError("storage_unavailable", "Not usable.", { members: { checks } });
    return { status: "degraded" };
  });
  expect(readiness.told()).toEqual({ status: 503, text: "storage_unavailable writes" });
  expect(readiness.told(["writes"])).toEqual({ status: 200, text: "ok" });
  failing = ["store", "writes"];
  await expect.poll(() => readiness.told(["writes"]).status).toBe(503);
  failing = [];
  await expect.poll(() => readiness.told()).toEqual({ status: 200, text: "degraded" });
});

it("answers probes while the event loop is held, and says so once it is held for long", async () => {
  const { readiness } = await readinessOf(async () => ({ status: "ok" }));
  const { url, probe } = await askable(readiness);
  const seen = asker(url);
  await expect.poll(async () => (await seen())["/livez"]).toContain(200);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4 * HELD_MS);
  const statuses = await seen();
  for (const path of ["/livez", "/readyz"]) {
    expect(statuses[path]).toContain(503);
    await expect.poll(async () => (await probe(path))[0]).toBe(200);
  }
});

it("answers only probes, to GET and HEAD, and says where it cannot listen", async () => {
  const { readiness } = await readinessOf(async () => ({ status: "ok" }));
  const { port, probe } = await askable(readiness);
  expect(await probe("/livez?now", { method: "HEAD" })).toEqual([200, ""]);
  expect((await probe("/livez", { method: "POST" }))[0]).toBe(404);
  for (const path of ["/", "/metrics", "/__proto__", "/toString"]) expect((await probe(path))[0]).toBe(404);
  const twice = startProbeThread(new Map(), { host: "127.0.0.1", port }, log);
  await expect(twice).rejects.toMatchObject({ code: "EADDRINUSE" });
});
