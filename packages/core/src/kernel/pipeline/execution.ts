import type { Principal } from "../config/principal.js";
import type { Operation } from "../operation/operation.js";
import type { RequestFacts } from "../operation/read-context.js";
import type { IdempotentRequest } from "./idempotency.js";

/** One run of an operation: the operation, its principal and the facts of the request. */
export interface Execution {
  readonly operation: Operation;
  readonly principal: Principal | undefined;
  readonly facts: RequestFacts;
  /** Parameters of the path as they were sent. */
  readonly params?: Readonly<Record<string, string>>;
  readonly once?: IdempotentRequest | undefined;
}
