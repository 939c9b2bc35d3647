import type { BurstResult } from "./burst.js";
import type { Contender, Length } from "./contender.js";
import { type Operation, operationNamed, shuffled } from "./operations.js";
import type { BenchOptions } from "./options.js";
import { median, medianOf } from "./stats.js";

export type Reference = "dto" | "text";

/** Ratio of Reeve to the other contender: the median of the rounds. */
export interface Ratio {
  readonly rps: number;
  readonly cpu: number | undefined;
  readonly p99: number;
}

export interface Comparison {
  readonly operation: string;
  readonly connections: number;
  readonly subject: BurstResult;
  readonly references: Partial<Record<Reference, { readonly result: BurstResult; readonly ratio: Ratio }>>;
}

/** Loads all contenders in turn, in a new order each round, and compares Reeve with each of the others. */
export async function compare(
  operation: Operation,
  contenders: readonly Contender[],
  { connections, rounds, length }: { connections: number; rounds: number; length: Length },
): Promise<Comparison> {
  const results = new Map<Contender, BurstResult[]>(contenders.map((contender) => [contender, []]));
  for (let round = 0; round < rounds; round++) {
    for (const contender of shuffled(contenders)) {
      const beside = contender.kind !== "reeve" && operation.beside;
      const asked = beside ? operationNamed(beside) : operation;
      results.get(contender)?.push(await contender.load(asked, connections, length));
    }
  }
  const of = (kind: string) => [...results].find(([contender]) => contender.kind === kind)?.[1];
  const ours = of("reeve") ?? [];
  const references: Record<string, { result: BurstResult; ratio: Ratio }> = {};
  for (const kind of ["dto", "text"] as const) {
    const theirs = of(kind);
    if (theirs) references[kind] = { result: summary(theirs), ratio: ratioOf(ours, theirs) };
  }
  return { operation: operation.name, connections, subject: summary(ours), references };
}

export function lengthOf({ seconds }: Pick<BenchOptions, "seconds">): Length {
  return { seconds };
}

export function summary(results: readonly BurstResult[]): BurstResult {
  const of = (name: "requests" | "rps" | "p50" | "p95" | "p99") => median(results.map((result) => result[name]));
  return {
    requests: of("requests"),
    rps: of("rps"),
    p50: of("p50"),
    p95: of("p95"),
    p99: of("p99"),
    cpu: medianOf(results.map(({ cpu }) => cpu)),
  };
}

export function ratioOf(ours: readonly BurstResult[], theirs: readonly BurstResult[]): Ratio {
  const each = (of: (result: BurstResult) => number | undefined) =>
    ours.map((result, round) => {
      const [our, their] = [of(result), of(theirs[round] as BurstResult)];
      return our === undefined || their === undefined ? undefined : our / their;
    });
  return {
    rps: medianOf(each(({ rps }) => rps)) ?? Number.NaN,
    p99: medianOf(each(({ p99 }) => p99)) ?? Number.NaN,
    cpu: medianOf(each(({ cpu }) => cpu)),
  };
}
