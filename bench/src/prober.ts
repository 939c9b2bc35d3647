import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "./burst.js";

const EVERY_MS = 100;
const PATIENCE_MS = 30_000;

/** URLs by the name of what they probe. */
export type Probes = Readonly<Record<string, string>>;

/** Asks probes from a process of its own, which nothing else keeps busy. */
export interface Prober {
  /** Begins to ask each at intervals, on a connection of its own. */
  begin(probes: Probes): void;
  /** The 99th percentile of each in ms since `begin`. */
  end(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

export function startProber(): Prober {
  const child = fork(process.argv[1] as string, ["probe"]);
  const exited = once(child, "exit");
  return {
    begin: (probes) => void child.send(probes),
    async end() {
      child.send("end");
      const [told] = (await Promise.race([once(child, "message"), exited])) as unknown[];
      if (typeof told !== "object" || told === null) throw new Error("a probe failed");
      return told as Readonly<Record<string, number>>;
    },
    async close() {
      child.disconnect();
      await exited;
    },
  };
}

/** The child process: probes for its parent until that disconnects. A probe that fails ends it. */
export function probeForParent(): void {
  process.once("disconnect", () => process.exit());
  let isRunning = false;
  let all: Promise<(readonly [string, number])[]> = Promise.resolve([]);
  process.on("message", async (wanted: Probes | "end") => {
    isRunning = wanted !== "end";
    if (wanted === "end") process.send?.(Object.fromEntries(await all));
    else all = Promise.all(Object.entries(wanted).map(([name, url]) => probe(name, url, () => isRunning)));
  });
}

async function probe(name: string, url: string, isRunning: () => boolean): Promise<readonly [string, number]> {
  const times: number[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    while (isRunning()) {
      const from = performance.now();
      const { status, text } = await ask(url, agent);
      if (status !== 200) throw new Error(`${name}: ${status} ${text}`);
      times.push(performance.now() - from);
      await sleep(Math.max(0, EVERY_MS - (performance.now() - from)));
    }
  } finally {
    agent.destroy();
  }
  times.sort((a, b) => a - b);
  return [name, percentile(times, 0.99)];
}

/** The answer to a GET. */
export function ask(url: string, agent: Agent) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const asked = get(url, { agent, timeout: PATIENCE_MS }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => (text += part));
      answer.on("error", reject);
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.on("timeout", () => asked.destroy(new Error(`${url}: no answer in time`)));
    asked.on("error", reject);
  });
}
