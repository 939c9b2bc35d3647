import type { ReeveError } from "../../http/errors.js";
import type { Context } from "../../operation/context.js";
import type { RequestFacts } from "../../operation/read-context.js";

/** One input with its number in the whole run, from 0. */
export interface BatchItem<I> {
  readonly index: number;
  readonly input: I;
}

/** An input that was refused, and why. */
export interface Refused {
  readonly index: number;
  readonly error: ReeveError;
}

/** The outcome of one input: its result, or why it was refused. */
export type BatchOutcome<T> =
  | { readonly index: number; readonly value: T; readonly error?: undefined }
  | (Refused & { readonly value?: undefined });

/** An input that waits for others, with its refusal in case they never come. */
export type Waiting<I> = BatchItem<I> & Refused;

/** Thrown for an input that waits for another one. `error` is its refusal in case that one never comes. */
export class DependencyPending extends Error {
  constructor(readonly error: ReeveError) {
    super("not yet");
  }
}

/** The work of a run: `I` is an input as given, `P` as prepared. */
export interface BatchWork<I, P, T> {
  /** Checks an input before any transaction. A throw refuses it. */
  prepare(input: I): P | Promise<P>;
  /**
   * Starts a transaction of these inputs and reads for all of them at once. Called again when the transaction is
   * retried.
   */
  open(ctx: Context, inputs: readonly P[]): Promise<BatchTurn<P, T>>;
}

/** The work of one transaction. */
export interface BatchTurn<P, T> {
  /** Does one input. A rejection refuses it and rolls back its writes. */
  one(ctx: Context, input: P): Promise<T>;
  /** Request facts of this input in place of the run's, such as the version it must meet. */
  facts?(input: P): Partial<RequestFacts>;
  /** Called once the transaction has committed, or once a dry run has undone it. */
  committed?(): void;
}
