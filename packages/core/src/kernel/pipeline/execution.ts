import type { MaybePromise } from "../async/maybe-promise.js";
import type { Principal } from "../config/principal.js";
import type { TenantState } from "../operation/gates.js";
import type { Operation } from "../operation/operation.js";
import type { RequestFacts } from "../operation/read-context.js";
import type { IdempotentRequest } from "./idempotency.js";

/** The caller of a request as they are now, with the state of their tenant. */
export interface Caller {
  readonly principal: Principal;
  readonly tenant: TenantState | undefined;
}

/** One run of an operation: the operation, its principal and the facts of the request. */
export interface Execution {
  readonly operation: Operation;
  readonly principal: Principal | undefined;
  readonly facts: RequestFacts;
  /** Parameters of the path as they were sent. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly once?: IdempotentRequest | undefined;
  /** The caller after slow work, refused as a new request would be; `undefined` where nothing is known to have changed. */
  readonly renew?: (() => MaybePromise<Caller | undefined>) | undefined;
}
