import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DECIDERS, type Decide } from "./deciders.js";
import { median } from "./stats.js";

/** How long decisions one after another took, in milliseconds. */
export interface Taken {
  readonly p50: number;
  readonly p99: number;
}

interface Wanted {
  readonly calls: number;
  /** Left out: one after another. */
  readonly inFlight?: number;
}

/** A way to decide, in a process that does nothing else. */
export interface DeciderProcess {
  readonly name: string;
  timesOf(calls: number): Promise<Taken>;
  /** Decisions a second. */
  rateOf(calls: number, inFlight: number): Promise<number>;
  close(): Promise<void>;
}

/** Starts a process for the decider of this name. A host too has one store, and code that serves nothing else. */
export async function startDecider(name: string, policies: number): Promise<DeciderProcess> {
  const child = fork(process.argv[1] as string, ["decide", name, String(policies)]);
  const exited = once(child, "exit");
  const next = async () => {
    const ended = exited.then(([code, signal]) =>
      Promise.reject(new Error(`the process of "${name}" ended with ${code ?? signal}`)),
    );
    const [message] = await Promise.race([once(child, "message"), ended]);
    return message;
  };
  const ask = (wanted: Wanted) => {
    child.send(wanted);
    return next();
  };
  await next();
  return {
    name,
    timesOf: (calls) => ask({ calls }) as Promise<Taken>,
    rateOf: (calls, inFlight) => ask({ calls, inFlight }) as Promise<number>,
    async close() {
      child.disconnect();
      await exited;
    },
  };
}

/** The child process: measures for its parent until that disconnects. */
export async function decideForParent(name: string, policies: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-decisions-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  process.once("disconnect", () => process.exit());
  const decide = await (DECIDERS[name] as (typeof DECIDERS)[string])(policies, folder);
  process.on("message", async ({ calls, inFlight }: Wanted) => {
    process.send?.(await (inFlight ? rateOf(decide, calls, inFlight) : timesOf(decide, calls)));
  });
  process.send?.("ready");
}

async function rateOf(decide: Decide, calls: number, inFlight: number): Promise<number> {
  const started = performance.now();
  let left = calls;
  const one = async () => {
    while (left-- > 0) await decide();
  };
  await Promise.all(Array.from({ length: inFlight }, one));
  return (calls * 1_000) / (performance.now() - started);
}

async function timesOf(decide: Decide, calls: number): Promise<Taken> {
  const times: number[] = [];
  for (let call = 0; call < calls; call++) {
    const started = performance.now();
    const allowed = await decide();
    times.push(performance.now() - started);
    if (!allowed) throw new Error("what every contender must allow was denied");
  }
  times.sort((one, other) => one - other);
  return { p50: median(times), p99: times[Math.ceil(times.length * 0.99) - 1] as number };
}
