import type { ServerConfig } from "./server.js";

/** The required and the desired value of a ratio. */
export interface Goal {
  readonly must: number;
  readonly aim?: number;
  /** Whether higher is better. */
  readonly higher: boolean;
}

export type Verdict = "aim" | "must" | "BELOW" | "";

type Store = "sqlite" | "postgres";
type Job = "read" | "list" | "create";

const JOBS: Readonly<Record<string, Job>> = {
  read: "read",
  list: "list",
  filtered: "list",
  create: "create",
  transition: "create",
};

const FASTIFY: Readonly<Record<Store, Readonly<Record<Job, readonly [must: number, aim: number]>>>> = {
  sqlite: { read: [0.8, 1], list: [1, 1.45], create: [0.75, 0.95] },
  postgres: { read: [0.8, 0.9], list: [0.9, 1.1], create: [0.75, 0.9] },
};

/** Answers per second relative to the hand-written handler. A refusal is compared with its read. */
export function throughputGoal(
  store: Store,
  framework: ServerConfig["framework"],
  operation: string,
): Goal | undefined {
  if (operation === "denied") return { must: 1, higher: true };
  const job = JOBS[operation];
  if (!job) return undefined;
  if (framework === "express") return { must: 0.9, aim: 1.1, higher: true };
  if (framework === "listener") return { must: 0.8, aim: 0.95, higher: true };
  const [must, aim] = FASTIFY[store][job];
  return { must, aim, higher: true };
}

/** Processor time per request relative to the handler. */
export function cpuGoal(store: Store, framework: ServerConfig["framework"], operation: string): Goal | undefined {
  if (store !== "sqlite" || framework !== "fastify" || operation !== "read") return undefined;
  return { must: 1.25, higher: false };
}

/** The 99th percentile relative to the handler. Only at two connections is it more than waiting time. */
export function tailGoal(operation: string, connections: number): Goal | undefined {
  return connections <= 2 && operation in JOBS ? { must: 2, higher: false } : undefined;
}

/** Growth with the number of assets: the largest size relative to the smallest. */
export const GROWTH = {
  p50: { must: 1.2, higher: false },
  p99: { must: 1.5, higher: false },
  /** A search at the largest size, in ms. */
  searchMs: { must: 5, higher: false },
} as const satisfies Record<string, Goal>;

/** A token may slow a read by a twentieth. */
export const BEARER: Goal = { must: 0.95, higher: true };

/** Imported items per second. A first import of 100,000 then takes minutes. */
export const IMPORT: Goal = { must: 1_000, higher: true };

export const PROCESS = {
  coldStartMs: { must: 1_000, aim: 600, higher: false },
  idleMb: { must: 130, aim: 100, higher: false },
  loadedMb: { must: 250, aim: 180, higher: false },
} as const satisfies Record<string, Goal>;

/** Time until a session is cut off in ms, and until a lost lease takes effect, as a share of the lease. */
export const SESSIONS = {
  cancelMs: { must: 5, higher: false },
  farCancelMs: { must: 100, higher: false },
  leaseShare: { must: 1, higher: false },
} as const satisfies Record<string, Goal>;

export function verdict(value: number | undefined, goal: Goal | undefined): Verdict {
  if (!goal || value === undefined) return "";
  const reaches = (limit: number) => (goal.higher ? value >= limit : value <= limit);
  if (goal.aim !== undefined && reaches(goal.aim)) return "aim";
  return reaches(goal.must) ? "must" : "BELOW";
}
