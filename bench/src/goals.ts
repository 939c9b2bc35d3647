import type { ServerConfig } from "./server.js";

/** What a ratio must reach, and what it should. */
export interface Goal {
  readonly must: number;
  readonly aim?: number;
  /** Whether more is better. */
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

/** Answers a second beside the hand-written handler; a refusal is compared with the handler's read. */
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

/** Processor time for each request beside the handler's. */
export function cpuGoal(store: Store, framework: ServerConfig["framework"], operation: string): Goal | undefined {
  if (store !== "sqlite" || framework !== "fastify" || operation !== "read") return undefined;
  return { must: 1.25, higher: false };
}

/** The slowest hundredth beside the handler's, told apart from waiting only at two connections. */
export function tailGoal(operation: string, connections: number): Goal | undefined {
  return connections <= 2 && operation in JOBS ? { must: 2, higher: false } : undefined;
}

/** As assets grow: the largest size divided by the smallest. */
export const GROWTH = {
  p50: { must: 1.2, higher: false },
  p99: { must: 1.5, higher: false },
  /** A search at the largest size, in ms. */
  searchMs: { must: 5, higher: false },
} as const satisfies Record<string, Goal>;

/** A token may cost a read a twentieth. */
export const BEARER: Goal = { must: 0.95, higher: true };

/** Items of an import a second: a first import of 100,000 takes minutes. */
export const IMPORT: Goal = { must: 1_000, higher: true };

export const PROCESS = {
  coldStartMs: { must: 1_000, aim: 600, higher: false },
  idleMb: { must: 130, aim: 100, higher: false },
  loadedMb: { must: 250, aim: 180, higher: false },
} as const satisfies Record<string, Goal>;

/** How soon a session is cut off, in ms, and a lost lease, as a share of it. */
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
