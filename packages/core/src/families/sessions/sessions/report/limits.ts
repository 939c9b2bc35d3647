import { z } from "zod";

const Seconds = z.int().min(1).max(31_536_000).nullable().default(null);

/** What a session may spend; `null` for no limit. */
export const SessionLimits = z
  .object({
    maxIterations: z.int().min(1).max(1_000_000_000).nullable().default(null),
    maxCostUsd: z.number().positive().max(1_000_000_000).nullable().default(null),
    maxDurationSec: Seconds.meta({ description: "From its start." }),
    idleTimeoutSec: Seconds.meta({ description: "An active session that is silent for so long expires." }),
  })
  .meta({ id: "AiSessionLimits" });
export type SessionLimits = z.output<typeof SessionLimits>;

export const NO_LIMITS: SessionLimits = {
  maxIterations: null,
  maxCostUsd: null,
  maxDurationSec: null,
  idleTimeoutSec: null,
};

const Amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** What a session has spent. */
export const Usage = z
  .object({
    iterations: Amount,
    toolCalls: Amount,
    inputTokens: Amount,
    outputTokens: Amount,
    costUsd: z.number().min(0).max(1e15),
  })
  .meta({ id: "AiSessionUsage" });
export type Usage = z.output<typeof Usage>;
export type UsageKey = keyof Usage;

export const USAGE_KEYS = Object.keys(Usage.shape) as UsageKey[];
export const NO_USAGE: Usage = { iterations: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** Adds up what was spent; costs are kept to the millionth of a dollar, so that many small ones sum up right. */
export function addUsage(usage: Usage, more: Partial<Usage>): Usage {
  const sum = (key: UsageKey) => usage[key] + (more[key] ?? 0);
  const whole = (key: UsageKey) => Math.min(sum(key), Number.MAX_SAFE_INTEGER);
  return {
    iterations: whole("iterations"),
    toolCalls: whole("toolCalls"),
    inputTokens: whole("inputTokens"),
    outputTokens: whole("outputTokens"),
    costUsd: Math.min(Math.round(sum("costUsd") * 1e6) / 1e6, 1e15),
  };
}

/** The tighter of two in each limit. */
export function tightest(one: SessionLimits, other: Partial<SessionLimits>): SessionLimits {
  const least = (key: keyof SessionLimits) => {
    const given = [one[key], other[key]].filter((value) => typeof value === "number");
    return given.length === 0 ? null : Math.min(...given);
  };
  return {
    maxIterations: least("maxIterations"),
    maxCostUsd: least("maxCostUsd"),
    maxDurationSec: least("maxDurationSec"),
    idleTimeoutSec: least("idleTimeoutSec"),
  };
}

/** Whether `after` lets more happen than `before` in any limit. */
export function loosened(before: SessionLimits, after: SessionLimits): boolean {
  return (Object.keys(NO_LIMITS) as (keyof SessionLimits)[]).some(
    (key) => before[key] !== null && (after[key] === null || (after[key] as number) > (before[key] as number)),
  );
}

/** What limits are measured against. */
export interface Spending {
  readonly limitsInForce: SessionLimits;
  readonly usage: Usage;
  readonly startedAt: string;
}

/** The first limit that is reached, by its name; silence ends a session instead (`expired`). */
export function limitReached({ limitsInForce: limits, usage, startedAt }: Spending, nowMs: number): string | undefined {
  const at = (limit: number | null, spent: number) => limit !== null && spent >= limit;
  if (at(limits.maxIterations, usage.iterations)) return "maxIterations";
  if (at(limits.maxCostUsd, usage.costUsd)) return "maxCostUsd";
  if (at(limits.maxDurationSec, (nowMs - Date.parse(startedAt)) / 1_000)) return "maxDurationSec";
  return undefined;
}
