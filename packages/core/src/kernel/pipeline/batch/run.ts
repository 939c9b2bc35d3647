import { yieldToEventLoop } from "#store/event-loop.js";
import { inChunks } from "../../async/in-chunks.js";
import type { Environment } from "../../config/environment.js";
import type { Principal } from "../../config/principal.js";
import { ReeveError } from "../../http/errors.js";
import { inProcess } from "../../http/in-process.js";
import type { RequestFacts } from "../../operation/read-context.js";
import { commitAtomic, commitBatch, refusalOf } from "./commit.js";
import { ForeseenTotals } from "./foreseen-totals.js";
import { prepareItems } from "./prepare.js";
import { type BatchProgress, BatchProgressCounter, type BatchReport } from "./progress.js";
import type { BatchItem, BatchOutcome, BatchWork, Waiting } from "./work.js";

/** The most inputs in one transaction. */
export const BATCH_LIMIT = 1_000;
const BATCH_SIZE = 500;
/** The most inputs that may wait for later ones. */
const WAITING_LIMIT = 10_000;

/** Options of a run, and its listeners. */
export interface BatchOptions<T, P extends BatchProgress = BatchProgress> {
  /** Inputs per transaction: 1 to 1,000, by default 500. Other writes of the tenant wait while one lasts. */
  readonly batchSize?: number;
  /** All or nothing: one transaction of at most 1,000 inputs, which rejects when one of them is refused. */
  readonly atomic?: boolean;
  /** Stops before the next transaction. Rejects with the signal's reason and keeps what was committed. */
  readonly signal?: AbortSignal;
  /** How many inputs there are. Not needed for an array. */
  readonly total?: number;
  /** Called after each commit. */
  readonly onProgress?: (progress: P) => void;
  /** Called for each input once it is committed or finally refused. */
  readonly onOutcome?: (outcome: BatchOutcome<T>) => void;
}

/** The inputs: a list or an iterable. */
export type BatchInputs<I> = Iterable<I> | AsyncIterable<I>;

/** A run: the work, its principal, and the checks around each transaction. */
export interface BatchRun<I, P, T> {
  readonly env: Environment;
  readonly principal: Principal;
  readonly work: BatchWork<I, P, T>;
  readonly inputs: BatchInputs<I>;
  readonly options: BatchOptions<T>;
  /** Undoes each transaction, so that nothing is stored. */
  readonly dryRun?: boolean;
  /** Rejects unless the principal may do this now. Resolves to the facts of the next transaction. */
  admit(): Promise<RequestFacts>;
  /** Runs one transaction, unless the control plane is closing. */
  guarded<R>(step: () => Promise<R>): Promise<R>;
  /** Records refused inputs in the activity stream. */
  trace(facts: RequestFacts, refused: readonly ReeveError[]): Promise<void>;
}

/**
 * Runs the work on every input, in bounded transactions. Rejects when the store fails or the principal loses access.
 */
export async function runBatch<I, P, T>(run: BatchRun<I, P, T>): Promise<BatchReport> {
  const { inputs, options, env } = run;
  const known = options.total ?? (Array.isArray(inputs) ? inputs.length : undefined);
  const counter = new BatchProgressCounter<T>(env.clock, known, options);
  const size = sizeOf(options);
  const foreseen = run.dryRun ? new ForeseenTotals() : undefined;
  let waiting: Waiting<P>[] = [];
  for await (const chunk of chunksOf(inputs, size)) {
    if (options.atomic && (chunk[0]?.index ?? 0) > 0) throw tooMany();
    const { items, refused } = await prepareItems(run.work, chunk);
    if (options.atomic && refused.length > 0) throw refusalOf(refused);
    counter.note(refused);
    const still = await commit(run, items, counter, foreseen);
    const room = WAITING_LIMIT - waiting.length;
    waiting.push(...still.slice(0, room));
    counter.note(still.slice(room));
  }
  while (waiting.length > 0) {
    const again = waiting;
    waiting = await inChunks(again, (some) => commit(run, some, counter, foreseen), size);
    if (waiting.length === again.length) break;
  }
  counter.note(waiting);
  if (waiting.length > 0) counter.notify();
  return counter.report();
}

/** Commits the inputs that can be done, reports them, and returns those that wait. */
async function commit<I, P, T>(
  { env, principal, work, options, admit, guarded, trace }: BatchRun<I, P, T>,
  items: readonly BatchItem<P>[],
  counter: BatchProgressCounter<T>,
  foreseen: ForeseenTotals | undefined,
): Promise<readonly Waiting<P>[]> {
  options.signal?.throwIfAborted();
  const waiting = await guarded(async () => {
    try {
      const facts = await admit();
      const actor = { env, principal, facts, foreseen };
      const committed = await (options.atomic ? commitAtomic : commitBatch)(actor, work, items);
      counter.note(committed.outcomes);
      counter.notify();
      const refused = committed.outcomes.flatMap(({ error }) => error ?? []);
      if (!foreseen) await trace(facts, refused);
      return committed.waiting;
    } catch (thrown) {
      throw inProcess(thrown);
    }
  });
  // Lets other work of this process run, and the next write of another caller.
  await yieldToEventLoop();
  return waiting;
}

async function* chunksOf<I>(inputs: BatchInputs<I>, size: number): AsyncGenerator<BatchItem<I>[]> {
  let index = 0;
  let chunk: BatchItem<I>[] = [];
  for await (const input of inputs) {
    chunk.push({ index, input });
    index += 1;
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

function sizeOf({ batchSize, atomic = false }: BatchOptions<never>): number {
  const size = batchSize ?? (atomic ? BATCH_LIMIT : BATCH_SIZE);
  if (!Number.isInteger(size) || size < 1 || size > BATCH_LIMIT) {
    throw new TypeError(`batchSize must be 1 to ${BATCH_LIMIT}, not ${size}`);
  }
  return size;
}

function tooMany(): ReeveError {
  const message = `At most ${BATCH_LIMIT} inputs can be stored all or none.`;
  return new ReeveError("invalid_request", message);
}
