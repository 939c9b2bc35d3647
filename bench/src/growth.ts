import type { BurstResult } from "./burst.js";
import { lengthOf, summary } from "./compare.js";
import type { Contender } from "./contender.js";
import { cursorPage, growing, type Operation, shuffled } from "./operations.js";
import type { BenchOptions } from "./options.js";
import type { Progress } from "./progress.js";
import { medianOf } from "./stats.js";
import { warmUp } from "./warm-up.js";

const PATH = "/api/v1/ai-assets";
const PAGE = 100;
/** One request at a time. With two, random waiting between them changes a median by a third. */
const CONNECTIONS = 1;

export interface Growth {
  readonly operation: string;
  readonly small: BurstResult;
  readonly large: BurstResult;
  /** The large tenant relative to the small one: the median of the rounds. */
  readonly p50: number;
  readonly p99: number;
}

/** The same reads on a small and a large tenant in turn, to find what grows with the number of assets. */
export async function measureGrowth(
  small: { readonly contender: Contender; readonly size: number },
  large: { readonly contender: Contender; readonly size: number },
  options: Pick<BenchOptions, "rounds" | "seconds">,
  progress: Progress,
): Promise<Growth[]> {
  const deep = new Map<Contender, Operation>();
  for (const { contender, size } of [small, large])
    deep.set(contender, cursorPage(await deepCursor(contender, size, progress)));
  const deepName = [...deep.values()][0]?.name ?? "";
  const found: Growth[] = [];
  for (const name of [...growing.map((operation) => operation.name), deepName]) {
    const results = new Map<Contender, BurstResult[]>();
    const operationOf = (contender: Contender) =>
      (growing.find((operation) => operation.name === name) ?? deep.get(contender)) as Operation;
    for (const { contender } of [small, large]) {
      progress.at(`growth, ${contender.database.store}: ${name}, warming up`);
      await warmUp(contender, operationOf(contender), CONNECTIONS, options);
    }
    for (let round = 0; round < options.rounds; round++) {
      for (const { contender } of shuffled([small, large])) {
        progress.at(`growth, ${contender.database.store}: ${name}, round ${round + 1} of ${options.rounds}`);
        const result = await contender.load(operationOf(contender), CONNECTIONS, lengthOf(options));
        results.set(contender, [...(results.get(contender) ?? []), result]);
      }
    }
    const [ours, theirs] = [results.get(large.contender) ?? [], results.get(small.contender) ?? []];
    const ratio = (of: "p50" | "p99") =>
      medianOf(ours.map((result, round) => result[of] / (theirs[round] as BurstResult)[of])) ?? Number.NaN;
    found.push({ operation: name, small: summary(theirs), large: summary(ours), p50: ratio("p50"), p99: ratio("p99") });
  }
  return found;
}

/** Follows cursors through nine tenths of the list. */
async function deepCursor(contender: Contender, size: number, progress: Progress): Promise<string> {
  const pages = Math.max(1, Math.floor((size * 0.9) / PAGE));
  let cursor: string | null = null;
  for (let page = 0; page < pages; page++) {
    const query: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await contender.get(`${PATH}?size=${PAGE}${query}`);
    const next = (body as { nextCursor: string | null }).nextCursor;
    if (next === null) throw new Error(`the list of ${size} assets ended after page ${page + 1}`);
    cursor = next;
    progress.at(`following cursors: page ${page + 1} of ${pages}`);
  }
  if (cursor === null) throw new Error("there are too few assets for a cursor");
  // A cursor does not contain the page size, so the measured page has the usual one.
  return cursor;
}
