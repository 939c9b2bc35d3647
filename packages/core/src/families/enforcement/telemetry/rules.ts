import { TOKENS, type Tokens, type Use } from "./read/uses.js";
import type { UsageRow } from "./schema.js";

/** What an installation may add in a day. What goes beyond is dropped, counted and said. */
export const LIMITS = {
  /** Calls of one export. */
  callsOfExport: 2_000,
  calls: 20_000,
  /** Combinations of agent, model, tool and server. */
  names: 200,
} as const;

/** What the calls of one row have in common. */
export type Cell = Pick<
  UsageRow,
  "day" | "installationId" | "agentId" | "team" | "kind" | "provider" | "model" | "tool" | "server"
>;
export type Sums = Omit<UsageRow, keyof Cell | "id" | "version" | "createdAt">;

type Sum = UsageRow["nanoUsd"];

const NONE: Sum = { sum: 0, unknown: 0 };
export const NO_USE: Sums = {
  ...{ calls: 0, failed: 0, refused: 0, nanoUsd: NONE, milliseconds: NONE, longest: null },
  tokens: { input: NONE, output: NONE, cached: NONE, cacheWritten: NONE, reasoning: NONE },
};

export const eachToken = <T>(value: (part: keyof Tokens) => T) =>
  Object.fromEntries(TOKENS.map((part) => [part, value(part)])) as Record<keyof Tokens, T>;

/** The sums with one more call. Only calls of models have tokens and a price. */
export function withUse(sums: Sums, { kind, outcome, tokens, costUsd, milliseconds }: Use): Sums {
  const told = kind === "model";
  const one = (sum: Sum, value: number | null) =>
    value === null ? { ...sum, unknown: sum.unknown + 1 } : { ...sum, sum: sum.sum + value };
  return {
    calls: sums.calls + 1,
    failed: sums.failed + (outcome === "failed" ? 1 : 0),
    refused: sums.refused + (outcome === "refused" ? 1 : 0),
    tokens: told ? eachToken((part) => one(sums.tokens[part], tokens[part])) : sums.tokens,
    nanoUsd: told ? one(sums.nanoUsd, costUsd === null ? null : Math.round(costUsd * 1e9)) : sums.nanoUsd,
    milliseconds: one(sums.milliseconds, milliseconds),
    longest: milliseconds === null ? sums.longest : Math.max(sums.longest ?? 0, milliseconds),
  };
}

/** The sums of both. */
export function bothSums(one: Sums, other: Sums): Sums {
  const both = (a: Sum, b: Sum) => ({ sum: a.sum + b.sum, unknown: a.unknown + b.unknown });
  const longest = [one.longest, other.longest].filter((time) => time !== null);
  return {
    calls: one.calls + other.calls,
    failed: one.failed + other.failed,
    refused: one.refused + other.refused,
    tokens: eachToken((part) => both(one.tokens[part], other.tokens[part])),
    nanoUsd: both(one.nanoUsd, other.nanoUsd),
    milliseconds: both(one.milliseconds, other.milliseconds),
    longest: longest.length === 0 ? null : Math.max(...longest),
  };
}
