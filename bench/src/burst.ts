import { existsSync, readFileSync } from "node:fs";
import autocannon from "autocannon";

/** Ticks per second in process times on Linux. */
const TICKS = 100;

export interface BurstResult {
  readonly requests: number;
  /** Answers per second. */
  readonly rps: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Processor time of the server per request, in microseconds. Absent where it cannot be measured. */
  readonly cpu: number | undefined;
}

export interface Burst {
  readonly url: string;
  readonly pid: number | undefined;
  readonly connections: number;
  /** Ends after this many seconds or requests. */
  readonly length: { readonly seconds: number } | { readonly requests: number };
  /** Makes the requests of one connection. */
  readonly requests: () => readonly autocannon.Request[];
  /** The status every answer must have. */
  readonly expected: number;
  /** Waits for work of the server after its answers, so that it counts too. */
  readonly settle?: () => Promise<void>;
}

/** A short load on one server. Rejects on an unexpected answer, because a fast refusal is no measurement. */
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
    p95: percentile(times, 0.95),
    p99: percentile(times, 0.99),
    cpu: cpu === undefined ? undefined : (cpu / times.length) * 1e6,
  };
}

/** A percentile of sorted values. */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number;
}

/** User and system time of a process so far, in seconds. */
function cpuSeconds(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (pid === undefined || !existsSync(file)) return undefined;
  const stat = readFileSync(file, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
