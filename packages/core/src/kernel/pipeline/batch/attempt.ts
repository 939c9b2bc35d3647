import { EventLoopYielder } from "#store/event-loop.js";
import { StoreError } from "#store/store-error.js";
import type { Environment } from "../../config/environment.js";
import type { Principal } from "../../config/principal.js";
import { publishedError } from "../../http/store-errors.js";
import { Context } from "../../operation/context.js";
import type { RequestFacts } from "../../operation/read-context.js";
import type { UnitOfWork } from "../../operation/unit-of-work.js";
import { BufferedTransaction } from "./buffered-transaction.js";
import type { ForeseenTotals } from "./foreseen-totals.js";
import type { Sends } from "./held-writes.js";
import { TakenKeys } from "./taken-keys.js";
import {
  type BatchItem,
  type BatchOutcome,
  type BatchTurn,
  type BatchWork,
  DependencyPending,
  type Refused,
  type Waiting,
} from "./work.js";

/** Who runs a batch, and when. */
export interface BatchActor {
  readonly env: Environment;
  readonly principal: Principal;
  readonly facts: RequestFacts;
  /** Of a dry run: what its earlier transactions would have stored. Each transaction is undone. */
  readonly foreseen?: ForeseenTotals | undefined;
}

/** The result of one transaction once it is committed. */
export interface Attempt<P, T> {
  /** By how many records collections have grown whose total was asked for. */
  readonly grown: ReadonlyMap<string, number>;
  readonly outcomes: readonly BatchOutcome<T>[];
  readonly waiting: readonly Waiting<P>[];
  readonly turn: BatchTurn<P, T>;
}

/** Some inputs cannot be undone alone, so the transaction must start again without them. */
export class BatchPoisoned extends Error {
  /** `clean`: nothing was sent to the store, so the transaction itself is unchanged. */
  constructor(
    readonly refused: readonly Refused[],
    readonly clean: boolean,
  ) {
    super("the transaction must begin again");
  }
}

/** The batch cannot go on, whatever its inputs. Nothing of the transaction is stored. */
class BatchStopped extends Error {
  constructor(cause: unknown) {
    super("the batch cannot go on", { cause });
  }
}

/** Ends the whole batch with an error, which its caller gets. For `open`. */
export function stopBatch(error: unknown): never {
  throw new BatchStopped(error);
}

/** The error by which a batch was stopped; any other as it is. */
export function causeOf(thrown: unknown): unknown {
  return thrown instanceof BatchStopped ? thrown.cause : thrown;
}

/** Failures of the store that an input causes. */
const OF_AN_ITEM: ReadonlySet<string> = new Set(["duplicate", "stale", "refused"]);

/** Whether an input may have caused a failure. */
export function concernsItem(error: unknown): boolean {
  if (error instanceof BatchStopped) return false;
  return !StoreError.is(error) || OF_AN_ITEM.has(error.code);
}

/**
 * Runs all inputs in an open transaction and sends their writes. Inputs that wait for others are tried again after
 * them.
 */
export async function attempt<P, T>(
  { env, principal, facts, foreseen }: BatchActor,
  unit: UnitOfWork,
  work: Pick<BatchWork<never, P, T>, "open">,
  items: readonly BatchItem<P>[],
  sends: Sends = "together",
): Promise<Attempt<P, T>> {
  const held = new BufferedTransaction(unit.tx, sends, foreseen);
  const inner = unit.through(held);
  // An attempt before this one in the same transaction sent nothing of what it told.
  inner.forgetUndone();
  const contextOf = (more: Partial<RequestFacts> = {}) => new Context(env, { ...facts, ...more }, principal, inner);
  const turn = await work.open(
    contextOf(),
    items.map(({ input }) => input),
  );
  const outcomes: BatchOutcome<T>[] = [];
  let round: readonly BatchItem<P>[] = items;
  let waiting: Waiting<P>[] = [];
  const yielder = new EventLoopYielder();
  do {
    if (waiting.length > 0) round = waiting;
    waiting = [];
    for (const { index, input } of round) {
      if (yielder.isDue) await yielder.pass();
      held.begin(index);
      try {
        outcomes.push({ index, value: await turn.one(contextOf(turn.facts?.(input)), input) });
        if (sends === "ahead") await held.sendAhead();
      } catch (thrown) {
        if (held.broken || thrown instanceof TakenKeys) throw poisonedBy(thrown, held);
        const error = thrown instanceof DependencyPending ? thrown.error : publishedError(thrown);
        if (!held.rollBack()) throw new BatchPoisoned([{ index, error }], false);
        inner.forgetUndone();
        if (thrown instanceof DependencyPending) waiting.push({ index, input, error });
        else outcomes.push({ index, error });
      }
    }
  } while (waiting.length > 0 && waiting.length < round.length);
  await yielder.end();
  try {
    await held.send();
  } catch (thrown) {
    throw poisonedBy(thrown, held);
  }
  return { outcomes, waiting, turn, grown: held.grown };
}

/** The inputs whose unique keys the store reports as taken. */
function poisonedBy(thrown: unknown, held: BufferedTransaction): unknown {
  if (!(thrown instanceof TakenKeys)) return thrown;
  const refused = [...thrown.errors].map(([index, error]) => ({ index, error: publishedError(error) }));
  return new BatchPoisoned(refused, held.clean);
}
