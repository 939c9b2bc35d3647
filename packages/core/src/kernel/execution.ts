import type { IdempotentRequest } from "./idempotency.js";
import type { Operation } from "./operation.js";
import type { Principal } from "./principal.js";
import type { RequestFacts } from "./read-context.js";

/** One run of an operation: who, what, and the facts of the request. */
export interface Execution {
  readonly operation: Operation;
  readonly principal: Principal | undefined;
  readonly facts: RequestFacts;
  readonly once?: IdempotentRequest | undefined;
}
