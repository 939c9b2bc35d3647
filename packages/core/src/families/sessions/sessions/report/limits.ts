import { z } from "#schema/z.js";

const Seconds = z.int().min(1).max(31_536_000).nullable().default(null);

/** The limits of a session. `null` for none. */
export const SessionLimits = z
  .object({
    maxIterations: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .nullable()
      .default(null)
      .meta({ description: "Rounds of the model." }),
    maxCostUsd: z
      .number()
      .positive()
      .max(1_000_000_000)
      .nullable()
      .default(null)
      .meta({ description: "Cost in US dollars." }),
    maxDurationSec: Seconds.meta({ description: "From its start." }),
    idleTimeoutSec: Seconds.meta({ description: "An active session that is silent for so long expires." }),
  })
  .meta({ id: "AiSessionLimits", description: "What it may use at most; `null` for no limit." });
export type SessionLimits = z.output<typeof SessionLimits>;

const { maxIterations, maxCostUsd } = SessionLimits.shape;

/** The limits that hold now. Below a session that has used all it may, nothing is left. */
export const LimitsInForce = SessionLimits.extend({
  maxIterations: z
    .int()
    .min(0)
    .nullable()
    .default(null)
    .meta(maxIterations.meta() ?? {}),
  maxCostUsd: z
    .number()
    .min(0)
    .nullable()
    .default(null)
    .meta(maxCostUsd.meta() ?? {}),
}).meta({
  id: "AiSessionLimitsInForce",
  description: "What it may use at most; `null` for no limit, 0 for nothing more.",
});

export const NO_LIMITS: SessionLimits = {
  maxIterations: null,
  maxCostUsd: null,
  maxDurationSec: null,
  idleTimeoutSec: null,
};

const Amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The usage of a session. */
export const Usage = z
  .object({
    iterations: Amount.meta({ description: "Rounds of the model." }),
    toolCalls: Amount.meta({ description: "Calls of tools." }),
    inputTokens: Amount.meta({ description: "Tokens sent to models." }),
    outputTokens: Amount.meta({ description: "Tokens models gave." }),
    costUsd: z.number().min(0).max(1e15).meta({ description: "Cost in US dollars." }),
  })
  .meta({ id: "AiSessionUsage", description: "Amounts that a session, or those below it, have used up." });
export type Usage = z.output<typeof Usage>;
export type UsageKey = keyof Usage;

export const USAGE_KEYS = Object.keys(Usage.shape) as UsageKey[];
export const NO_USAGE: Usage = { iterations: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

const Reported = z.strictObject(Usage.partial().shape);

/** Usage that a host reports in process. Throws `TypeError` for what a report over HTTP could not have. */
export function usageOf(given: unknown): Partial<Usage> {
  const { data, error } = Reported.safeParse(given);
  if (data) return data;
  const faults = error.issues.map(({ path, message }) => [...path, message].join(": "));
  throw new TypeError(`This usage cannot be counted. ${faults.join(". ")}.`);
}

/** The sum of usage. Costs are rounded to a millionth of a dollar, so that many small ones sum up exactly. */
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

/** The lower of two values for each limit. */
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

/** What a session uses together with those below it. */
export type Tree = { readonly usage: Usage; readonly usageBelow: Usage };
export const usageOfTree = ({ usage, usageBelow }: Tree): Usage => addUsage(usage, usageBelow);

/** The limits of a session that leave something to one below it: what is left, and what that one has used of it. */
export function roomBelow(limits: SessionLimits, above: Tree, below: Tree): SessionLimits {
  const [all, own] = [usageOfTree(above), usageOfTree(below)];
  const left = (limit: number | null, used: number) =>
    limit === null ? null : Math.max(0, Math.round((limit - used) * 1e6) / 1e6);
  return {
    ...limits,
    maxIterations: left(limits.maxIterations, all.iterations - own.iterations),
    maxCostUsd: left(limits.maxCostUsd, all.costUsd - own.costUsd),
  };
}

/** Whether `after` is less strict than `before` in any limit. */
export function loosened(before: SessionLimits, after: SessionLimits): boolean {
  return (Object.keys(NO_LIMITS) as (keyof SessionLimits)[]).some(
    (key) => before[key] !== null && (after[key] === null || (after[key] as number) > (before[key] as number)),
  );
}

/** The values that limits are compared with. */
export interface Spending {
  readonly limitsInForce: SessionLimits;
  readonly usage: Usage;
  /** Of the sessions below it, which counts as its own. */
  readonly usageBelow: Usage;
  readonly startedAt: string;
}

/** The name of the first limit that is reached. Idle time is no limit here: it makes a session `expired`. */
export function limitReached(spending: Spending, nowMs: number): string | undefined {
  const { limitsInForce: limits, startedAt } = spending;
  const usage = usageOfTree(spending);
  const at = (limit: number | null, spent: number) => limit !== null && spent >= limit;
  if (at(limits.maxIterations, usage.iterations)) return "maxIterations";
  if (at(limits.maxCostUsd, usage.costUsd)) return "maxCostUsd";
  if (at(limits.maxDurationSec, (nowMs - Date.parse(startedAt)) / 1_000)) return "maxDurationSec";
  return undefined;
}
