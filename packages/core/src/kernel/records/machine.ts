import { ReeveError } from "../http/errors.js";

/** A condition of a transition, as tables of machines hold it: what it checks is known where it is defined. */
export interface AnyGuard {
  readonly description: string;
  check(subject: never): string | undefined | Promise<string | undefined>;
}

/** One row: `event` takes a record from any of `from` to `to`. */
export interface Transition<S extends string = string, E extends string = string, G extends string = string> {
  readonly event: E;
  readonly from: readonly S[];
  readonly to: S;
  readonly guards?: readonly G[];
  /** The caller must say why, in ten characters or more. */
  readonly needsReason?: boolean;
  /** A permission beyond the operation's own. */
  readonly permission?: string;
  /** The record's owner may do it without that permission. */
  readonly ownerMay?: boolean;
  /** Must not be done by whoever asked for it (`requestedBy`) or owns it (`owner`). */
  readonly secondPerson?: boolean;
  /** No machine client may do it. A second person is always a person. */
  readonly byPeople?: boolean;
  /** Only time or another rule makes it; nobody can request it. */
  readonly automatic?: boolean;
}

/** A state machine as data. `ctx.transition()` is the only code that follows it. */
export interface Machine<S extends string = string, E extends string = string> {
  readonly name: string;
  /** The record's field that holds the state. */
  readonly field: string;
  /** Event type without prefix and version, as in `asset.lifecycle.changed`. */
  readonly eventType: string;
  readonly states: Readonly<Record<S, string>>;
  /** The states that a new record may have; the first is the default. */
  readonly initial: readonly [S, ...S[]];
  readonly guards: Readonly<Record<string, AnyGuard>>;
  readonly transitions: readonly Transition<S, E>[];
}

/** The states of a machine as the tuple that `z.enum` wants. */
export function statesOf<S extends string>(machine: Machine<S>): [S, ...S[]] {
  return Object.keys(machine.states) as [S, ...S[]];
}

/** Where somebody can take a record that is in `state`, each target once. */
export function targetsFrom(machine: Machine, state: string): string[] {
  const rows = machine.transitions.filter((row) => row.from.includes(state) && !row.automatic);
  return [...new Set(rows.map((row) => row.to))];
}

/**
 * The row that leads from `state` by `move`: an event's name, or a target state. Illegal moves are 409 `invalid_transition`,
 * and so are automatic ones that somebody asks for.
 */
export function findTransition<S extends string, E extends string>(
  machine: Machine<S, E>,
  state: string,
  move: { readonly event: E } | { readonly to: string },
  asked: boolean,
): Transition<S, E> {
  const row = machine.transitions.find(
    (candidate) =>
      (candidate.from as readonly string[]).includes(state) &&
      !(asked && candidate.automatic) &&
      ("event" in move ? candidate.event === move.event : candidate.to === move.to),
  );
  if (row) return row;
  const wanted = "event" in move ? move.event : move.to;
  throw new ReeveError("invalid_transition", `"${wanted}" is not possible from "${state}".`, {
    members: { machine: machine.name, current: state, allowed: targetsFrom(machine, state) },
  });
}
