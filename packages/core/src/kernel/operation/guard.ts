import type { Collection } from "../records/collection.js";
import type { Machine, Transition } from "../records/machine.js";
import type { ReadContext } from "./read-context.js";

/** The record to move, its target, and its collection. */
export interface GuardSubject<R> {
  readonly record: R;
  /** The record as it will be, with the fields that change together with the state. */
  readonly after: R;
  readonly to: string;
  readonly ctx: ReadContext;
  // biome-ignore lint/suspicious/noExplicitAny: see Guard
  readonly collection: Collection<any>;
}

/** The input of a guard, which returns what is missing, or `undefined` when it holds. */
// biome-ignore lint/suspicious/noExplicitAny: a machine is held in tables next to machines over other records
export interface Guard<R = any> {
  readonly description: string;
  check(subject: GuardSubject<R>): string | undefined | Promise<string | undefined>;
}

interface MachineSpec<S extends string, E extends string, G extends string, R> {
  readonly name: string;
  readonly field: string;
  readonly eventType: string;
  readonly states: Readonly<Record<S, string>>;
  readonly initial: readonly [NoInfer<S>, ...NoInfer<S>[]];
  readonly guards: Readonly<Record<G, Guard<R>>>;
  readonly transitions: readonly Transition<NoInfer<S>, E, NoInfer<G>>[];
}

/**
 * Declares a machine over records `R`: `defineMachine<Asset>()({...})`. A misspelt state, event or guard does not
 * compile.
 */
export function defineMachine<R>() {
  return <const S extends string, const E extends string, const G extends string>(
    spec: MachineSpec<S, E, G, R>,
  ): Machine<S, E> => Object.freeze(spec);
}
