import { brand, brandOf, isBranded } from "../../../../kernel/http/brand.js";

/** Where a guarded session stands: its own state, or `unknown` when that cannot be read, `closed` when the guard is. */
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
  /** Why, as it was decided, or a key: `lease_lost`, `limit_reached:<limit>`, `kill_switch:<key>`. */
  readonly reason: string;
  /** The `controlEpoch` of the decision that blocks, as far as it is known. */
  readonly epoch: number;
}

const SESSION_BLOCKED = brandOf("SessionBlockedError");

/** What a guarded session was about to do, or has done, may not happen. */
export class SessionBlockedError extends Error {
  /** Whether a value is one, also of another copy of this package in the process. */
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
