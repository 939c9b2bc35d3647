import { existsSync, readFileSync } from "node:fs";
import autocannon from "autocannon";

/** Ticks of process times in a second on Linux. */
const TICKS = 100;

export interface BurstResult {
  readonly requests: number;
  /** Answers a second. */
  readonly rps: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server for each request in microseconds; absent where it cannot be told. */
  readonly cpu: number | undefined;
}

export interface Burst {
  readonly url: string;
  readonly pid: number | undefined;
  readonly connections: number;
  /** Ends after so many seconds, or so many requests. */
  readonly length: { readonly seconds: number } | { readonly requests: number };
  /** The requests of one connection, made anew for each. */
  readonly requests: () => readonly autocannon.Request[];
  /** The status every answer must have. */
  readonly expected: number;
  /** Waits for what the server does after its answers, so that it is counted too. */
  readonly settle?: () => Promise<void>;
}

/** One short load on one server. Rejects when an answer is not the expected one: a fast refusal is no measurement. */
export async function burst({
  url,
  pid,
  connections,
  length,
  requests,
  expected,
  settle,
}: Burst): Promise<BurstResult> {
  const times: number[] = [];
  let wrong: string | undefined;
  let last = 0;
  const cpuBefore = cpuSeconds(pid);
  const started = performance.now();
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections,
        timeout: 10,
        sampleInt: 100,
        ...("seconds" in length ? { duration: length.seconds } : { amount: Math.max(length.requests, connections) }),
        setupClient: (client) => client.setRequests([...requests()]),
      },
      (error: unknown) => (error ? reject(error) : resolve()),
    );
    instance.on("response", (_client, status, _bytes, time) => {
      last = performance.now();
      times.push(time);
      if (status !== expected) wrong ??= `${status} where ${expected} was due`;
    });
    instance.on("reqError", (error: Error) => {
      wrong ??= error.message;
    });
  });
  await settle?.();
  if (wrong !== undefined || times.length === 0) throw new Error(`${url}: ${wrong ?? "no answer"}`);
  const cpu = cpuBefore === undefined ? undefined : (cpuSeconds(pid) ?? 0) - cpuBefore;
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    rps: (times.length / (last - started)) * 1_000,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpu: cpu === undefined ? undefined : (cpu / times.length) * 1e6,
  };
}

/** Of sorted values. */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number;
}

/** User and system time of a process so far. */
function cpuSeconds(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (pid === undefined || !existsSync(file)) return undefined;
  const stat = readFileSync(file, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
