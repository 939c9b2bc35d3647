import type { ReeveError } from "../../http/errors.js";
import type { Context } from "../../operation/context.js";
import type { RequestFacts } from "../../operation/read-context.js";

/** One input with its number in the whole run, from 0. */
export interface BatchItem<I> {
  readonly index: number;
  readonly input: I;
}

/** An input that was not done, and why. */
export interface Refused {
  readonly index: number;
  readonly error: ReeveError;
}

/** What became of one input: what its work gave, or why it was refused. */
export type BatchOutcome<T> =
  | { readonly index: number; readonly value: T; readonly error?: undefined }
  | (Refused & { readonly value?: undefined });

/** An input that waits for others, with what it comes to when they never come. */
export type Waiting<I> = BatchItem<I> & Refused;

/** Thrown by work on an input that waits for another one; `error` is what it comes to when that never comes. */
export class DependencyPending extends Error {
  constructor(readonly error: ReeveError) {
    super("not yet");
  }
}

/** What is done with the inputs of a run: `I` as they are given, `P` as they are worked on. */
export interface BatchWork<I, P, T> {
  /** Looks at an input before any transaction; what it throws refuses the input. */
  prepare(input: I): P | Promise<P>;
  /** Begins a transaction of these inputs: reads for all of them at once. It begins again when the transaction must. */
  open(ctx: Context, inputs: readonly P[]): Promise<BatchTurn<P, T>>;
}

/** The work of one transaction. */
export interface BatchTurn<P, T> {
  /** Does one input. Rejecting refuses it, and what it has written is undone. */
  one(ctx: Context, input: P): Promise<T>;
  /** What the request of this input says beyond the run's own, such as the version it must meet. */
  facts?(input: P): Partial<RequestFacts>;
  /** The transaction has committed. */
  committed?(): void;
}
