import type { Span } from "#ports/tracer.js";
import type { MaybePromise } from "../async/maybe-promise.js";
import type { Principal } from "../config/principal.js";
import type { NeutralRequest } from "../http/http.js";
import type { VersionCondition } from "../http/version-condition.js";
import type { TenantState } from "../operation/gates.js";
import type { Operation } from "../operation/operation.js";
import type { RequestFacts } from "../operation/read-context.js";
import type { Execution } from "./execution.js";
import type { ParsedInput, RawInput } from "./input.js";
import type { Spending } from "./rate-limit/buckets.js";
import type { UnknownField } from "./unknown-fields.js";

/** How an operation is reached: over HTTP, in process by its host, or by work of many transactions, which asks first. */
export type Way = "request" | "call" | "admission";

/** What a run begins with. */
export interface Start {
  readonly way: Way;
  readonly operation: Operation;
  readonly facts: RequestFacts;
  /** Who asks, as they are now. Throws for whom the operation is not. */
  readonly identify: () => MaybePromise<Principal | undefined>;
  /** Parameters of the path as they were sent. */
  readonly params?: Readonly<Record<string, string>>;
  readonly raw?: RawInput;
  /** The request with its path, over HTTP. */
  readonly http?: { readonly request: NeutralRequest; readonly path: string; readonly span: Span | undefined };
}

const NOTHING = Object.freeze({});
/** Shared by all runs, because nothing changes what a run holds. */
const NO_INPUT = Object.freeze({ params: NOTHING, query: NOTHING, body: undefined });

/** One run of an operation, from what was asked to its result. The steps fill it in. */
export class Run {
  facts: RequestFacts;
  raw: RawInput;
  unless: VersionCondition | undefined;
  /** How many changes were told of before the caller was identified. */
  seen = 0;
  principal: Principal | undefined;
  tenant: TenantState | undefined;
  /** What the request took of its caller's quota, once it has. */
  spending: Spending | undefined;
  limits: Readonly<Record<string, string>> = NOTHING;
  input: ParsedInput = NO_INPUT;
  unknown: readonly UnknownField[] = [];
  once: Execution["once"];
  result: unknown;

  constructor(readonly start: Start) {
    this.facts = start.facts;
    this.raw = start.raw ?? NO_INPUT;
  }

  /** The run as the operation is executed for it. */
  execution(renew?: Execution["renew"]): Execution {
    const { operation, params } = this.start;
    const { principal, facts, once } = this;
    return { operation, principal, facts, params, once, renew };
  }
}
