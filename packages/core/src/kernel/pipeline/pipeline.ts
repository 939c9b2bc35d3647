import type { Span } from "#ports/tracer.js";
import { andThen, type MaybePromise } from "../async/maybe-promise.js";
import { inSpan, markFailed } from "../async/span.js";
import type { Environment } from "../config/environment.js";
import type { KernelOptions } from "../config/options.js";
import type { Principal } from "../config/principal.js";
import { readBody } from "../http/body.js";
import { ReeveError } from "../http/errors.js";
import {
  authorizationOf,
  hostOf,
  isFromElsewhere,
  type NeutralRequest,
  type NeutralResponse,
  singleHeader,
  wantsNewest,
  wantsPage,
} from "../http/http.js";
import { publishedError } from "../http/store-errors.js";
import { parseQuery } from "../http/target.js";
import { versionCondition } from "../http/version-condition.js";
import type { Gates, TenantState } from "../operation/gates.js";
import type { Operation } from "../operation/operation.js";
import type { RequestFacts } from "../operation/read-context.js";
import { admitTenant, checkAccess } from "./access.js";
import { refuseCondition, requireCondition } from "./concurrency.js";
import { recordDenial } from "./denial.js";
import { withDeprecation } from "./deprecation.js";
import { type Answer, encodeProblem, encodeResult, notModified, toResponse, withWarnings } from "./encode.js";
import { execute } from "./execute.js";
import type { Execution } from "./execution.js";
import { refuseForeignForm } from "./foreign-form.js";
import { Hints } from "./hints.js";
import { idempotentRequest } from "./idempotency.js";
import { parseInput, queryNames, type RawInput } from "./input.js";
import { type MatchedTarget, matchTarget } from "./match-target.js";
import { tellingKind } from "./other-kind.js";
import { isOfNobody, type Spending, spendingOf, spendingOfRejected } from "./rate-limit/buckets.js";
import { RateLimiter, requireQuota } from "./rate-limit/limiter.js";
import { renewalOf, toldChanges } from "./renewal.js";
import type { Router } from "./router.js";
import { callSpan, requestSpan } from "./spans.js";
import { requireStorable } from "./storable-input.js";
import { nearMisses, refuseUnknownFields, unknownFields } from "./unknown-fields.js";
import { repeatableIfIdempotent } from "./unknown-outcome.js";

/** Who sent the request. `undefined` without a bearer token. Rejects with 401 when the token is invalid. */
export type Authenticate = (request: NeutralRequest) => MaybePromise<Principal | undefined>;

/** Refusals with a 5xx status that are not faults of the service. */
const EXPECTED: ReadonlySet<string> = new Set(["shutting_down", "kill_switch_active", "overloaded", "not_configured"]);
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Every step from request to answer, in the published order. The first step that refuses answers. */
export class Pipeline {
  readonly #limiter: RateLimiter;

  constructor(
    readonly env: Environment,
    readonly router: Router,
    readonly gates: Gates,
    readonly authenticate: Authenticate,
  ) {
    this.#limiter = new RateLimiter(env);
  }

  /** The operation that answers a request, or why none does. `undefined` when its target is not Reeve's. */
  match(request: NeutralRequest): MatchedTarget | ReeveError | undefined {
    return matchTarget(this.router, request);
  }

  /** Answers a request for what `match` has found. */
  handle(request: NeutralRequest, match: MatchedTarget | ReeveError): Promise<NeutralResponse> {
    const facts = this.#factsOf(request);
    const { tracer } = this.env;
    if (!tracer || ReeveError.is(match)) return this.#answer(request, facts, match);
    return inSpan(tracer, requestSpan(match, facts), async (span) => {
      const response = await this.#answer(request, facts, match, span);
      span.setAttribute("http.response.status_code", response.status);
      return response;
    });
  }

  async #answer(
    request: NeutralRequest,
    facts: RequestFacts,
    match: MatchedTarget | ReeveError,
    span?: Span,
  ): Promise<NeutralResponse> {
    const operation = ReeveError.is(match) ? undefined : match.operation;
    let limits: Readonly<Record<string, string>> = {};
    let answer: Answer;
    let spending: Spending | undefined;
    try {
      if (ReeveError.is(match)) throw match;
      const { operation, params, path } = match;
      const query = parseQuery(request.target, operation.openQuery ? queryNames(operation) : undefined);
      const unless = versionCondition(request, "if-none-match");
      const body = operation.body ? await readBody(request, operation.dialect !== undefined) : undefined;
      const seen = this.env.use(toldChanges).count;
      const identified = this.#identify(operation, request, params);
      const principal = identified instanceof Promise ? await identified : identified;
      if (principal) refuseForeignForm(operation, request, this.env.options.baseUrl);
      const bound = admitTenant(this.gates, { operation, principal, facts });
      const tenant = bound instanceof Promise ? await bound : bound;
      if (principal) span?.setAttribute("reeve.tenant.id", principal.tenantId);
      const asked = spendingOf(operation, principal, request.remoteAddress);
      const spent = this.#spendQuota(asked);
      limits = spent instanceof Promise ? await spent : spent;
      spending = asked;
      const known = boundFacts(facts, tenant, operation.dialect && dialectFacts(request, this.env.options));
      answer = await this.#authorised({ operation, principal, facts: known, params }, tenant, () => {
        requireCondition(operation, facts.ifMatch, this.env.options);
        refuseCondition(operation, unless);
        const input = parseInput(operation, { params, query, body });
        const unknown = unknownFields(operation, body);
        if (tenant?.strictBodies) refuseUnknownFields(unknown);
        const once = idempotentRequest(request, { operation, principal, path, query, body }, this.env.options);
        const identify = () => this.#identify(operation, request, params);
        const caller = { operation, principal, facts: known };
        const renew = renewalOf(this.env, this.gates, caller, seen, identify);
        const execution = { operation, principal, facts: known, once, renew };
        const hints = operation.hints && new Hints(this.env, execution, input);
        const warnings = nearMisses(unknown);
        const encode = (result: unknown) => withWarnings(encodeResult(operation, result, facts.mountPath), warnings);
        const done = execute(this.env, execution, input, encode, hints);
        return hints ? done.then((given) => hints.added(given)) : done;
      });
      if (operation.method === "GET") answer = notModified(answer, unless);
    } catch (thrown) {
      if (span) markFailed(span, thrown);
      const refusal = await this.#countRefused(thrown, request, spending);
      answer = this.#refusal(refusal, facts, operation, request);
    }
    answer = marked(answer, match, facts);
    return toResponse(answer, limits, facts.requestId, request.method === "HEAD", operation);
  }

  /** Answers a request before the pipeline runs, while the service closes or the store is not ready. */
  refuse(request: NeutralRequest, match: MatchedTarget | ReeveError, thrown: unknown): NeutralResponse {
    const operation = ReeveError.is(match) ? undefined : match.operation;
    const facts = this.#factsOf(request);
    const answer = marked(this.#refusal(thrown, facts, operation, request), match, facts);
    return toResponse(answer, {}, facts.requestId, request.method === "HEAD", operation);
  }

  /** Runs the same steps in process, without HTTP: tenant, switches, capability, permission, input, transaction. */
  call(operation: Operation, caller: Principal | undefined, raw: RawInput, version?: number): Promise<unknown> {
    const { tracer } = this.env;
    if (!tracer) return this.#call(operation, caller, raw, version);
    return inSpan(tracer, callSpan(operation, caller), () => this.#call(operation, caller, raw, version));
  }

  async #call(
    operation: Operation,
    caller: Principal | undefined,
    raw: RawInput,
    version: number | undefined,
  ): Promise<unknown> {
    const nowMs = this.env.clock.now();
    const requestId = `req_${this.env.ids.next(nowMs)}`;
    const ifMatch = version === undefined ? undefined : [`"${version}"`];
    const facts: RequestFacts = { requestId, nowMs, ifMatch, mountPath: "" };
    try {
      if (operation.access !== "public" && !caller) throw new ReeveError("token_missing");
      const principal = operation.access === "public" ? undefined : caller;
      const seen = this.env.use(toldChanges).count;
      const tenant = await admitTenant(this.gates, { operation, principal, facts });
      const bound = { operation, principal, facts: boundFacts(facts, tenant), params: raw.params };
      // In process the host answers for the principal itself.
      const execution = { ...bound, renew: renewalOf(this.env, this.gates, bound, seen, () => principal) };
      return await this.#authorised(execution, tenant, () => {
        requireStorable(raw);
        const input = parseInput(operation, raw);
        if (tenant?.strictBodies) refuseUnknownFields(unknownFields(operation, raw.body));
        return execute(this.env, execution, input, (result) => result);
      });
    } catch (thrown) {
      throw publishedError(thrown);
    }
  }

  /**
   * Checks whether a principal may run an operation now, for work of many transactions. Resolves to the facts of the
   * next one.
   */
  async admit(operation: Operation, principal: Principal, requestId: string): Promise<RequestFacts> {
    const facts: RequestFacts = { requestId, nowMs: this.env.clock.now(), mountPath: "" };
    const bound = admitTenant(this.gates, { operation, principal, facts });
    const tenant = bound instanceof Promise ? await bound : bound;
    const execution = { operation, principal, facts: boundFacts(facts, tenant) };
    return await this.#authorised(execution, tenant, () => execution.facts);
  }

  #factsOf(request: NeutralRequest): RequestFacts {
    const nowMs = this.env.clock.now();
    const given = singleHeader(request, "x-request-id");
    const accepted = typeof given === "string" && REQUEST_ID.test(given);
    return {
      requestId: accepted ? given : `req_${this.env.ids.next(nowMs)}`,
      nowMs,
      ifMatch: versionCondition(request, "if-match"),
      remoteAddress: request.remoteAddress,
      host: hostOf(request),
      mayBeBehind: !wantsNewest(request),
      mountPath: request.mountPath ?? "",
    };
  }

  #identify(
    operation: Operation,
    request: NeutralRequest,
    params: Readonly<Record<string, string>>,
  ): MaybePromise<Principal | undefined> {
    const isPublic = operation.access === "public";
    if (isPublic && !operation.identify) return undefined;
    authorizationOf(request);
    return andThen(this.authenticate(request), (bearer) =>
      andThen(bearer ?? operation.identify?.(this.env, request, params), (principal) => {
        if (!principal && !isPublic) throw new ReeveError("token_missing");
        return principal;
      }),
    );
  }

  #spendQuota(spending: Spending): MaybePromise<Readonly<Record<string, string>>> {
    return andThen(this.#limiter.spend(this.gates.rateLimits(), spending), (decision) => {
      requireQuota(decision);
      return decision.headers;
    });
  }

  /**
   * Counts what is refused of nobody known apart from what succeeds, and gives back what it took of that. Returns the
   * refusal to answer.
   */
  async #countRefused(thrown: unknown, request: NeutralRequest, spending: Spending | undefined): Promise<unknown> {
    if (spending) this.#limiter.giveBack(spending);
    const isAnswer = ReeveError.is(thrown) && (spending ? thrown.status < 500 : thrown.status === 401);
    if (!isAnswer || (spending && !isOfNobody(spending))) return thrown;
    try {
      await this.#spendQuota(spendingOfRejected(request.remoteAddress));
      return thrown;
    } catch (refused) {
      return refused;
    }
  }

  /** Checks capability and permission before the work. Records a refused write in the activity stream. */
  async #authorised<T>(execution: Execution, tenant: TenantState | undefined, work: () => MaybePromise<T>): Promise<T> {
    const { operation, principal } = execution;
    try {
      checkAccess(this.env, operation, principal, tenant);
      const done = work();
      return done instanceof Promise ? await done : done;
    } catch (thrown) {
      const error = publishedError(thrown);
      await recordDenial(this.env, execution, error);
      throw await tellingKind(this.env, execution, tenant, error);
    }
  }

  #refusal(
    thrown: unknown,
    { requestId }: RequestFacts,
    operation: Operation | undefined,
    request: NeutralRequest,
  ): Answer {
    const error = repeatableIfIdempotent(publishedError(thrown), operation, request);
    if (error.status >= 500) {
      const { name, message, stack } = error.cause instanceof Error ? error.cause : error;
      const fields = { requestId, operation: operation?.id, code: error.code, cause: { name, message, stack } };
      if (EXPECTED.has(error.code)) this.env.logger.warn(fields, "request refused");
      else this.env.logger.error(fields, "request failed");
    }
    const dialect = operation?.dialect;
    if (!dialect) return encodeProblem(error, requestId, this.env.options);
    const problem = encodeProblem(dialect.refusal(error), requestId, this.env.options, dialect.wantsPlainJson(request));
    const page = dialect.page?.(error, request);
    return page ? { ...problem, body: page.body, headers: { ...problem.headers, ...page.headers } } : problem;
  }
}

/** Marks every answer of a deprecated operation, including refusals. */
function marked(answer: Answer, match: MatchedTarget | ReeveError, { mountPath }: RequestFacts): Answer {
  if (ReeveError.is(match) || !match.operation.deprecated) return answer;
  return withDeprecation(answer, match.operation.deprecated, { params: match.params, mountPath });
}

type DialectFacts = Pick<RequestFacts, "authorization" | "query" | "wantsPage" | "fromElsewhere">;

/** What only operations of another protocol read themselves: credentials, the raw query, and what browsers say. */
function dialectFacts(request: NeutralRequest, { baseUrl }: Pick<KernelOptions, "baseUrl">): DialectFacts {
  const mark = request.target.indexOf("?");
  const query = mark < 0 ? "" : request.target.slice(mark + 1);
  return {
    authorization: authorizationOf(request),
    query,
    wantsPage: wantsPage(request),
    fromElsewhere: isFromElsewhere(request, baseUrl),
  };
}

/** The facts with the caller's tenant. Written out, because a spread costs many times more on every request. */
function boundFacts(facts: RequestFacts, tenant: TenantState | undefined, more?: DialectFacts): RequestFacts {
  const { requestId, nowMs, ifMatch, remoteAddress, host, mayBeBehind, mountPath } = facts;
  const { authorization, query, wantsPage, fromElsewhere } = more ?? {};
  return {
    requestId,
    nowMs,
    ifMatch,
    remoteAddress,
    authorization,
    query,
    wantsPage,
    fromElsewhere,
    host,
    mayBeBehind,
    mountPath,
    tenant,
  };
}
