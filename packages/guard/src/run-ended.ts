/** The same in each copy of this package. */
const RUN_ENDED = Symbol.for("@reeve/guard/RunEndedError");

/** The run may not go on: its session was ended or stopped. No tool is run and no model is asked any more. */
export class RunEndedError extends Error {
  /** Whether a value is one, also of another copy of this package. */
  static is(value: unknown): value is RunEndedError {
    return typeof value === "object" && value !== null && RUN_ENDED in value;
  }

  override readonly name = "RunEndedError";
  readonly [RUN_ENDED] = true;

  constructor(
    /** The status of the session; `active` where something else stops it, `unknown` where it cannot be read. */
    readonly status: string,
    /** The reason of whoever ended it, or a key such as `halt:…`. */
    readonly reason: string,
  ) {
    super(`The run has ended: its session is ${status} (${reason}).`);
  }
}

/** The end of a run behind an error of a framework, which wraps what a tool throws. `undefined` for other errors. */
export function runEndedOf(error: unknown): RunEndedError | undefined {
  let cause = error;
  for (let depth = 0; depth < 8 && typeof cause === "object" && cause !== null; depth += 1) {
    if (RunEndedError.is(cause)) return cause;
    const { cause: inner, error: other } = cause as { cause?: unknown; error?: unknown };
    cause = inner ?? other;
  }
  return undefined;
}
