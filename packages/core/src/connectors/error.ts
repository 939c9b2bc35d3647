import { daysMs } from "#ports/durations.js";
/** Kinds of failure, and what the control plane does about each. */
export const ERROR_CLASSES = {
  config: "The configuration cannot work. Nothing is tried again until somebody changes it.",
  auth: "The credentials are refused. Nothing is tried again until somebody changes them.",
  permission: "The credentials are not allowed to do this. Nothing is tried again until that changes.",
  not_found: "What the call is about does not exist.",
  conflict: "The target is in another state than the call expects. It is verified before anything else is done.",
  invalid: "The target refuses the values of this call. It is not tried again.",
  unsupported: "The target cannot do this. It is not tried again.",
  rate_limited: "The target wants fewer calls. It is tried again after `retryAfterMs`.",
  transient: "It may work later, and nothing has happened. It is tried again.",
  outcome_unknown: "A write may have taken effect. It is verified before it is tried again.",
  fatal: "The connector is wrong. It is not tried again.",
} as const;

export type ErrorClass = keyof typeof ERROR_CLASSES;

/** Classes after which an instance counts as misconfigured at once. */
export const MISCONFIGURED: ReadonlySet<ErrorClass> = new Set(["config", "auth", "permission"]);

export interface ConnectorErrorOptions {
  /** A word of the connector's own for the failure, such as `bad_credentials`. */
  readonly code?: string;
  /** Milliseconds until another attempt makes sense. More than a day is taken for a day. */
  readonly retryAfterMs?: number;
  /** Status of the target's answer, if it was HTTP. */
  readonly httpStatus?: number;
  /** Kept out of records, answers and events. */
  readonly cause?: unknown;
}

/** The longest pause that a target is believed, in milliseconds. */
const LONGEST_PAUSE = daysMs(1);

/** A pause as targets and authors name it; `undefined` where that is no time. */
const believable = (ms: number | undefined): number | undefined =>
  typeof ms === "number" && !Number.isNaN(ms) ? Math.min(LONGEST_PAUSE, Math.max(0, ms)) : undefined;

/**
 * A failure of a call to a target. The message stands in records that people read: never put text of the target, a
 * secret or an address in it.
 */
export class ConnectorError extends Error {
  override readonly name = "ConnectorError";
  readonly code: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly httpStatus: number | undefined;

  constructor(
    readonly errorClass: ErrorClass,
    message: string,
    { code, retryAfterMs, httpStatus, cause }: ConnectorErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryAfterMs = believable(retryAfterMs);
    this.httpStatus = httpStatus;
  }

  /** Whether a value is such an error, also one of another copy of this package. */
  static is(value: unknown): value is ConnectorError {
    return value instanceof Error && value.name === "ConnectorError" && "errorClass" in value;
  }
}
