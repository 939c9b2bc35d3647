import { brand, brandOf, isBranded } from "#ports/brand.js";

/** The status of a guarded session. `unknown` when it cannot be read, `closed` when the guard is closed. */
export type BlockedStatus =
  | "active"
  | "suspended"
  | "terminating"
  | "terminated"
  | "completed"
  | "expired"
  | "deleted"
  | "unknown"
  | "closed";

interface Block {
  readonly status: BlockedStatus;
  /** The reason of the decision, or a key: `lease_lost`, `limit_reached:<limit>`, `kill_switch:<key>`. */
  readonly reason: string;
  /** The `controlEpoch` of the decision that blocks, if known. */
  readonly epoch: number;
}

const SESSION_BLOCKED = brandOf("SessionBlockedError");

/** The session is blocked, so a call or its result is refused. */
export class SessionBlockedError extends Error {
  /** Whether a value is one, also of another copy of this package. */
  static is(value: unknown): value is SessionBlockedError {
    return isBranded(value, SESSION_BLOCKED);
  }

  override readonly name = "SessionBlockedError";
  readonly status: BlockedStatus;
  readonly reason: string;
  readonly epoch: number;

  constructor({ status, reason, epoch }: Block) {
    super(`The session is ${status}: ${reason}.`);
    this.status = status;
    this.reason = reason;
    this.epoch = epoch;
  }
}

brand(SessionBlockedError, SESSION_BLOCKED);
