import { ReeveError } from "../http/errors.js";

/** A guard of any machine. Only its definition knows the type of the subject. */
export interface AnyGuard {
  readonly description: string;
  check(subject: never): string | undefined | Promise<string | undefined>;
}

/** A row of a machine: `event` takes a record from any of `from` to `to`. */
export interface Transition<S extends string = string, E extends string = string, G extends string = string> {
  readonly event: E;
  readonly from: readonly S[];
  readonly to: S;
  readonly guards?: readonly G[];
  /** The caller must give a reason of ten characters or more. */
  readonly needsReason?: boolean;
  /**
   * It takes something out of use, so it acts whatever the reason is: without ten characters, whoever makes it is asked
   * for one afterwards. It loosens nothing.
   */
  readonly stops?: boolean;
  /** A permission beyond the operation's own. */
  readonly permission?: string;
  /** The record's owner needs no permission for it. */
  readonly ownerMay?: boolean;
  /** Whoever makes it is involved in the next decision. */
  readonly asks?: boolean;
  /** Refused to machines and to everybody with a conflict of interest: who asked for it, changed it or owns it. */
  readonly fourEyes?: boolean;
  /** A decision that looks at no change, so that the next one still takes another than who made it. */
  readonly keepsInvolved?: boolean;
  /** Refused without `If-Match`: whoever decides names the version that they have seen. */
  readonly seen?: boolean;
  /** Refused to machine clients, as `fourEyes` also is. */
  readonly byPeople?: boolean;
  /** Decides something about the state and keeps it. Only its event names it, because a target would mean no move. */
  readonly stays?: boolean;
  /** Its events are of severity WARN, because it takes something out of use. */
  readonly warns?: boolean;
  /** Made by time or another rule. Nobody can request it. */
  readonly automatic?: boolean;
}

/** A state machine as data. Only `ctx.transition()` executes it. */
export interface Machine<S extends string = string, E extends string = string> {
  readonly name: string;
  /** The record's field that holds the state. */
  readonly field: string;
  /** Event type without prefix and version, as in `asset.lifecycle.changed`. */
  readonly eventType: string;
  readonly states: Readonly<Record<S, string>>;
  /** The possible states of a new record. The first is the default. */
  readonly initial: readonly [S, ...S[]];
  readonly guards: Readonly<Record<string, AnyGuard>>;
  readonly transitions: readonly Transition<S, E>[];
}

/** The states of a machine, as a tuple for `z.enum`. */
export function statesOf<S extends string>(machine: Machine<S>): [S, ...S[]] {
  return Object.keys(machine.states) as [S, ...S[]];
}

/** The states that a caller can request from `state`, each once. */
export function targetsFrom(machine: Machine, state: string): string[] {
  const rows = machine.transitions.filter((row) => row.from.includes(state) && !row.automatic && !row.stays);
  return [...new Set(rows.map((row) => row.to))];
}

/**
 * The row from `state` by `move`, an event or a target state. 409 `invalid_transition` for illegal moves and for
 * automatic ones that a caller requests.
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
      ("event" in move ? candidate.event === move.event : candidate.to === move.to && !candidate.stays),
  );
  if (row) return row;
  const wanted = "event" in move ? move.event : move.to;
  throw transitionRefused(`"${wanted}" is not possible from "${state}".`, { machine, current: state });
}

/** A state in which a move is refused. `allowed` is what is possible instead: what its machine allows, when absent. */
interface RefusedState {
  readonly machine?: Machine | Pick<Machine, "name">;
  readonly current: string;
  readonly allowed?: readonly string[];
  readonly wanted?: string;
}

/** 409 `invalid_transition`, also for what a rule beside a machine refuses. Its remedy names `current` and `allowed`. */
export function transitionRefused(detail: string, { machine, current, allowed, wanted }: RefusedState): ReeveError {
  const possible = machine && "transitions" in machine ? targetsFrom(machine, current) : [];
  return new ReeveError("invalid_transition", detail, {
    members: {
      ...(machine && { machine: machine.name }),
      current,
      allowed: [...(allowed ?? possible)],
      ...(wanted !== undefined && { wanted }),
    },
  });
}
