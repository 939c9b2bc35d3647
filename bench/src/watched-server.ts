import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@reeve/testkit/postgres";
import { ask, type Probes } from "./prober.js";
import type { Database } from "./server.js";

const PATIENCE_MS = 30_000;
const TIMER_MS = 5;
const PROBES = ["/livez", "/readyz"] as const;

/**
 * Runs in the server: by how much timers are late, and by how much without the time for which the main thread was ready
 * and other processes had the cores. Linux tells the latter; elsewhere both are the same.
 */
const WATCH = `
import { existsSync, readFileSync } from "node:fs";
const file = "/proc/self/task/" + process.pid + "/schedstat";
const waitedMs = existsSync(file) ? () => Number(readFileSync(file, "latin1").split(" ")[1]) / 1e6 : () => 0;
let [late, own] = [[], []];
let [due, waited] = [performance.now() + ${TIMER_MS}, waitedMs()];
const look = () => {
  const before = waited;
  waited = waitedMs();
  const by = Math.max(0, performance.now() - due);
  late.push(by);
  own.push(Math.max(0, by - (waited - before)));
  due = performance.now() + ${TIMER_MS};
  setTimeout(look, ${TIMER_MS}).unref();
};
setTimeout(look, ${TIMER_MS}).unref();
process.on("message", () => {
  process.send({ late, own });
  [late, own] = [[], []];
});
process.channel.unref();`;

/** By how much timers were late, in ms: as measured, and without waiting for a core. */
export interface Delay {
  readonly late: readonly number[];
  readonly own: readonly number[];
}

/** A standalone server in a process of its own, whose event loop is watched. */
export interface WatchedServer {
  readonly url: string;
  /** The delays since this was last asked, sorted, and the 99th percentile that the server's own metrics tell, in ms. */
  delay(): Promise<Delay & { readonly told: number }>;
  /** Time of the main thread so far in ms: on a core, and ready for one that others had. */
  mainThread(): { readonly ran: number; readonly waited: number };
  /** The probes by name. */
  readonly probes: Probes;
  stop(): Promise<void>;
}

/** Starts `program` on an empty database, with its files in `folder`. */
export async function startWatched(
  program: string,
  { store, location }: Database,
  folder: string,
  flags: readonly string[] = [],
): Promise<WatchedServer> {
  mkdirSync(folder, { recursive: true });
  const [port, metricsPort, probePort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const watch = ["--import", `data:text/javascript,${encodeURIComponent(WATCH)}`];
  const child = spawn(process.execPath, [...watch, ...flags, program], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      PORT: String(port),
      REEVE_STORE: store === "sqlite" ? `sqlite:${location}` : location,
      REEVE_METRICS: `:${metricsPort}/metrics`,
      REEVE_PROBE_PORT: String(probePort),
      REEVE_RATE_LIMIT: "off",
    },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const exited = once(child, "exit");
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => (said += text));
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  for (const began = performance.now(); !said.includes("Reeve is ready"); await sleep(20)) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${said}`);
    if (performance.now() - began < PATIENCE_MS) continue;
    await stop();
    throw new Error(`the server did not get ready: ${said}`);
  }
  const agent = new Agent({ keepAlive: true });
  const ofProbes = `http://127.0.0.1:${probePort}`;
  // A build from before there was such a port has none.
  const hasPort = await ask(`${ofProbes}/livez`, agent).then(
    () => true,
    () => false,
  );
  const probed = new Map<string, string>(PROBES.map((path) => [path, `${url}${path}`]));
  if (hasPort) for (const path of PROBES) probed.set(`${path} of its own port`, `${ofProbes}${path}`);
  return {
    url,
    async delay() {
      const { text } = await ask(`http://127.0.0.1:${metricsPort}/metrics`, agent);
      const told = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1_000;
      child.send("delay");
      const [{ late, own }] = (await once(child, "message")) as [{ late: number[]; own: number[] }];
      return { told, late: late.sort((a, b) => a - b), own: own.sort((a, b) => a - b) };
    },
    mainThread: () => mainThreadOf(child.pid as number),
    probes: Object.fromEntries(probed),
    async stop() {
      agent.destroy();
      await stop();
    },
  };
}

function mainThreadOf(pid: number) {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  if (!existsSync(file)) return { ran: Number.NaN, waited: Number.NaN };
  const [ran, waited] = readFileSync(file, "utf8")
    .split(" ")
    .map((ns) => Number(ns) / 1e6);
  return { ran: ran as number, waited: waited as number };
}
