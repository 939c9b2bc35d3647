import type { Span } from "#ports/tracer.js";
import { andThen, type MaybePromise } from "../async/maybe-promise.js";
import { inSpan, markFailed } from "../async/span.js";
import type { Environment } from "../config/environment.js";
import type { Principal } from "../config/principal.js";
import { ReeveError } from "../http/errors.js";
import {
  authorizationOf,
  hostOf,
  isFromElsewhere,
  lastEventId,
  listHeader,
  type NeutralRequest,
  type NeutralResponse,
  singleHeader,
  userAgentOf,
  wantsNewest,
} from "../http/http.js";
import { inProcess } from "../http/in-process.js";
import { namedAsIn } from "../http/problems.js";
import { publishedError } from "../http/store-errors.js";
import { versionCondition } from "../http/version-condition.js";
import type { Gates } from "../operation/gates.js";
import { effectOf, type Operation } from "../operation/operation.js";
import type { RequestFacts } from "../operation/read-context.js";
import { recordDenial } from "./denial.js";
import { withDeprecation } from "./deprecation.js";
import { type Answer, challenged, encodeProblem, notModified, toResponse } from "./encode.js";
import type { RawInput } from "./input.js";
import { type MatchedTarget, matchTarget } from "./match-target.js";
import { errorOfKind } from "./other-kind.js";
import { isOfNobody, type Spending, spendingOfRejected } from "./rate-limit/buckets.js";
import { RateLimiter, requireQuota } from "./rate-limit/limiter.js";
import type { Router } from "./router.js";
import { Run } from "./run.js";
import { callSpan, requestSpan } from "./spans.js";
import { ARRIVAL, type Tools, takeSteps, WORK } from "./steps.js";
import { repeatableIfIdempotent } from "./unknown-outcome.js";

/**
 * Who sent the request. `undefined` without a bearer token. Rejects with 401 when the token is invalid. `at`: the address of its own
 * that tokens may be for.
 */
export type Authenticate = (request: NeutralRequest, at?: string) => MaybePromise<Principal | undefined>;

/** Refusals with a 5xx status that are not faults of the service. */
const EXPECTED: ReadonlySet<string> = new Set(["shutting_down", "kill_switch_active", "overloaded", "not_configured"]);
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Every step from request to answer, in the published order. The first step that refuses answers. */
export class Pipeline {
  readonly #limiter: RateLimiter;
  readonly #tools: Tools;

  constructor(
    readonly env: Environment,
    readonly router: Router,
    readonly gates: Gates,
    readonly authenticate: Authenticate,
    /** Who sent a request that has no bearer, by the cookie of a browser session. */
    readonly bySession: Authenticate,
  ) {
    this.#limiter = new RateLimiter(env);
    this.#tools = { env, gates, spend: (spending) => this.#spendQuota(spending) };
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
    const run = ReeveError.is(match) ? undefined : this.#runOf(request, facts, match, span);
    let answer: Answer;
    try {
      if (!run) throw match;
      answer = (await this.#take(run)) as Answer;
      if (run.start.operation.method === "GET") answer = notModified(answer, run.unless);
    } catch (thrown) {
      if (span) markFailed(span, thrown);
      const refusal = await this.#countRefused(thrown, request, run?.spending);
      answer = this.#refusal(refusal, facts, operation, request);
    }
    answer = marked(answer, match, facts);
    return toResponse(answer, run?.limits ?? {}, facts.requestId, request.method === "HEAD", operation);
  }

  #runOf(request: NeutralRequest, facts: RequestFacts, { operation, params, path }: MatchedTarget, span?: Span): Run {
    const identify = () => this.#identify(operation, request, params);
    return new Run({ way: "request", operation, facts, identify, params, http: { request, path, span } });
  }

  /**
   * Answers a request that an operation makes for its own caller: an operation with its parameters, by all steps of a request. Its caller
   * is identified as that of the outer one was.
   */
  async within(request: NeutralRequest, match: MatchedTarget, outer: RequestFacts): Promise<NeutralResponse> {
    const { requestId } = outer;
    const facts = { ...this.#factsOf(request), requestId };
    const { operation, params, path } = match;
    const { identify = () => undefined } = outer;
    const known = () =>
      andThen(identify(), (principal) => {
        if (!principal) throw new ReeveError("token_missing");
        return principal;
      });
    const run = new Run({
      way: "request",
      operation,
      facts,
      identify: known,
      params,
      http: { request, path, span: undefined },
    });
    let answer: Answer;
    try {
      answer = (await this.#take(run)) as Answer;
    } catch (thrown) {
      if (run.spending) this.#limiter.giveBack(run.spending);
      answer = this.#refusal(thrown, facts, operation, request);
    }
    return toResponse(answer, run.limits, requestId, false, operation);
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
    const identify = () => {
      if (operation.access !== "public" && !caller) throw new ReeveError("token_missing");
      return operation.access === "public" ? undefined : caller;
    };
    try {
      return await this.#take(new Run({ way: "call", operation, facts, identify, params: raw.params, raw }));
    } catch (thrown) {
      throw inProcess(thrown);
    }
  }

  /**
   * Checks whether a principal may run an operation now, for work of many transactions. Resolves to the facts of the
   * next one.
   */
  async admit(operation: Operation, principal: Principal, requestId: string): Promise<RequestFacts> {
    const facts: RequestFacts = { requestId, nowMs: this.env.clock.now(), mountPath: "" };
    const run = new Run({ way: "admission", operation, facts, identify: () => principal });
    await this.#take(run);
    return run.facts;
  }

  /** Takes the steps of a run. Records a refused write in the activity stream. */
  async #take(run: Run): Promise<unknown> {
    const arriving = takeSteps(ARRIVAL, run, this.#tools);
    if (arriving) await arriving;
    try {
      const working = takeSteps(WORK, run, this.#tools);
      if (working) await working;
      return run.result;
    } catch (thrown) {
      const error = publishedError(thrown);
      await recordDenial(this.env, run.execution(), error);
      throw await errorOfKind(this.env, run.execution(), run.tenant, error, run.start.way);
    }
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
      lastEventId: lastEventId(request),
      userAgent: userAgentOf(request),
      mayBeBehind: !wantsNewest(request),
      acceptEncoding: listHeader(request, "accept-encoding"),
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
    const at = operation.ownAudience ? this.env.options.baseUrl + operation.path : undefined;
    return andThen(this.authenticate(request, at), (bearer) =>
      andThen(bearer ?? this.#withoutBearer(operation, request, params), (principal) => {
        if (!principal && !isPublic) throw new ReeveError("token_missing");
        return principal;
      }),
    );
  }

  /** Pages that browsers open have ways of their own, and take no cookie of the API. Other origins read nothing by one. */
  #withoutBearer(
    operation: Operation,
    request: NeutralRequest,
    params: Readonly<Record<string, string>>,
  ): MaybePromise<Principal | undefined> {
    const { identify, dialect } = operation;
    if (identify) return identify(this.env, request, params);
    if (dialect || (effectOf(operation) === "read" && isFromElsewhere(request, this.env.options.baseUrl)))
      return undefined;
    return this.bySession(request);
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
    if (operation?.ownAudience) return challenged(error, requestId, operation, this.env.options);
    const dialect = operation?.dialect;
    if (!dialect) return encodeProblem(namedAsIn(operation?.problems, error), requestId, this.env.options);
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
