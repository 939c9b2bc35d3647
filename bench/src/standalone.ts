import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@reeve/testkit/postgres";
import { burst } from "./burst.js";
import { sampleBody } from "./samples.js";
import { median } from "./stats.js";

const PROGRAM = fileURLToPath(new URL("../../packages/server/dist/reeve.js", import.meta.url));
const PERSON = { username: "bench@reeve.example", password: "a long passphrase for benchmarks" };
const PATIENCE_MS = 20_000;
const IDLE_MS = 2_000;
const PATH = "/api/v1/ai-assets";

export interface StandaloneFigures {
  /** From spawn to the first answer in milliseconds, on an empty database and on an existing one. */
  readonly firstStartMs: number;
  readonly coldStartMs: number;
  /** Resident memory in MiB, after two idle seconds and at the peak under load. */
  readonly idleMb: number;
  readonly loadedMb: number;
}

/** Starts the standalone server several times and loads it; `undefined` when it is not built. */
export async function measureStandalone(starts: number, seconds: number): Promise<StandaloneFigures | undefined> {
  if (!existsSync(PROGRAM)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-standalone-"));
  try {
    const first = await start(folder);
    await first.stop();
    const again: number[] = [];
    for (let at = 0; at < starts; at++) {
      const server = await start(folder);
      again.push(server.startedMs);
      await server.stop();
    }
    const server = await start(folder);
    try {
      await sleep(IDLE_MS);
      const idleMb = residentMb(server.pid);
      const loadedMb = await load(server, seconds);
      return { firstStartMs: first.startedMs, coldStartMs: median(again), idleMb, loadedMb };
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts the standalone server on a database in `folder`. Resolves at its first answer. */
export async function start(folder: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      REEVE_STORE: `sqlite:${join(folder, "reeve.sqlite")}`,
      REEVE_RATE_LIMIT: "off",
      LOG_LEVEL: "error",
    },
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`the standalone server ended with ${child.exitCode}`);
    if (performance.now() - began > PATIENCE_MS) {
      await stop();
      throw new Error("the standalone server did not answer");
    }
    await sleep(5);
  }
  return { url, pid: child.pid as number, startedMs: performance.now() - began, stop };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/v1/monitor/ping`)).status < 500;
  } catch {
    return false;
  }
}

/** Reads, lists and creates at fifty connections. Returns the peak memory of the process. */
async function load({ url, pid }: { url: string; pid: number }, seconds: number): Promise<number> {
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { token: string };
  };
  await post("/api/v1/register", { organization: "Bench", ...PERSON });
  const { token } = await post("/api/v1/auth/signin", PERSON);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, residentMb(pid));
  }, 100);
  const shared = { url, pid, connections: 50, length: { seconds } };
  const creates = Array.from({ length: 50 }, (_, at) => JSON.stringify(sampleBody(at)));
  await burst({
    ...shared,
    expected: 201,
    requests: () => creates.map((body) => ({ method: "POST", path: PATH, headers, body })),
  });
  await burst({ ...shared, expected: 200, requests: () => [{ method: "GET", path: `${PATH}?size=100`, headers }] });
  await burst({ ...shared, expected: 200, requests: () => [{ method: "GET", path: PATH, headers }] });
  clearInterval(watch);
  return Math.max(most, residentMb(pid));
}

function residentMb(pid: number): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return Number.NaN;
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(status, "utf8"))?.[1]) / 1_024;
}
