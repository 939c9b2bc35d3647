import type { Gates, TenantState } from "./access.js";
import { bindTenant, checkCapability, checkKillSwitches, checkPermission } from "./access.js";
import { type JsonObject, readBody } from "./body.js";
import { versionCondition } from "./concurrency.js";
import { Context } from "./context.js";
import { encodeProblem, encodeResult, notModified, toResponse } from "./encode.js";
import type { Environment } from "./environment.js";
import { ReeveError } from "./errors.js";
import { type Execution, execute } from "./execute.js";
import { type NeutralRequest, type NeutralResponse, singleHeader } from "./http.js";
import { idempotentRequest } from "./idempotency.js";
import { parseInput, type RawInput } from "./input.js";
import { effectOf, type Operation } from "./operation.js";
import type { Principal } from "./principal.js";
import { RateLimiter, requireQuota } from "./rate-limit.js";
import type { RequestFacts } from "./read-context.js";
import type { Router } from "./router.js";
import { publishedError } from "./store-errors.js";
import { parsePath, parseQuery } from "./target.js";

/** Who sent the request. Rejects with 401 when a bearer is there but worthless; `undefined` when there is none. */
export type Authenticate = (request: NeutralRequest) => Promise<Principal | undefined>;

const OWNED = /^\/api\/v1(?:[/?]|$)/;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Every step from bytes to answer, in the published order. The first step that refuses answers. */
export class Pipeline {
  readonly #limiter: RateLimiter | undefined;

  constructor(
    readonly env: Environment,
    readonly router: Router,
    readonly gates: Gates,
    readonly authenticate: Authenticate,
  ) {
    const { rateLimits } = env.options;
    this.#limiter = rateLimits === "off" ? undefined : new RateLimiter(rateLimits, env.clock);
  }

  /** Answers a request, or gives `undefined` when its target is not ours. */
  async handle(request: NeutralRequest): Promise<NeutralResponse | undefined> {
    const nowMs = this.env.clock.now();
    const requestId = this.#requestId(request, nowMs);
    const head = request.method === "HEAD";
    const matched = this.#match(request);
    if (matched === undefined) return undefined;
    if (matched instanceof ReeveError) {
      return toResponse(encodeProblem(matched, requestId, this.env.options), requestId, head, undefined);
    }
    const { operation, params } = matched;
    let limits: Readonly<Record<string, string>> = {};
    try {
      const query = parseQuery(request.target);
      const body = operation.body ? await readBody(request) : undefined;
      const principal = operation.access === "public" ? undefined : await this.#identify(request);
      const tenant = principal && (await bindTenant(principal, this.gates));
      await checkKillSwitches(operation, this.gates, this.env);
      limits = this.#rateLimit(request, principal);
      const facts: RequestFacts = {
        requestId,
        nowMs,
        ifMatch: versionCondition(request, "if-match"),
        remoteAddress: request.remoteAddress,
        mountPath: request.mountPath ?? "",
      };
      const answer = await this.#run(request, { operation, principal, facts }, tenant, { params, query, body });
      const condition =
        request.headers["if-none-match"] === undefined ? undefined : versionCondition(request, "if-none-match");
      return toResponse(
        notModified({ ...answer, headers: { ...limits, ...answer.headers } }, condition),
        requestId,
        head,
        operation,
      );
    } catch (thrown) {
      const error = publishedError(thrown);
      if (error.status >= 500) this.#logFailure(error, requestId, operation);
      const problem = encodeProblem(error, requestId, this.env.options);
      return toResponse({ ...problem, headers: { ...limits, ...problem.headers } }, requestId, head, operation);
    }
  }

  /** The same steps in process, without HTTP: tenant, switches, capability, permission, input, transaction. */
  async call(
    operation: Operation,
    principal: Principal | undefined,
    raw: RawInput,
    ifMatch?: number,
  ): Promise<unknown> {
    const nowMs = this.env.clock.now();
    const facts: RequestFacts = {
      requestId: `req_${this.env.ids.next(nowMs)}`,
      nowMs,
      ...(ifMatch === undefined ? {} : { ifMatch: [`"${ifMatch}"`] }),
      mountPath: "",
    };
    if (operation.access !== "public" && !principal) throw new ReeveError("token_missing");
    try {
      const bound = operation.access === "public" ? undefined : principal;
      const tenant = bound && (await bindTenant(bound, this.gates));
      await checkKillSwitches(operation, this.gates, this.env);
      const execution: Execution = { operation, principal: bound, facts };
      return await this.#guarded(execution, tenant, () => execute(this.env, execution, parseInput(operation, raw)));
    } catch (thrown) {
      throw publishedError(thrown);
    }
  }

  async #run(request: NeutralRequest, execution: Execution, tenant: TenantState | undefined, raw: RawInput) {
    const { operation, principal, facts } = execution;
    return this.#guarded(execution, tenant, async () => {
      if (
        this.env.options.requireIfMatch &&
        operation.path.includes("{id}") &&
        effectOf(operation) === "write" &&
        operation.method !== "POST"
      ) {
        if (facts.ifMatch === undefined) throw new ReeveError("precondition_required");
      }
      const input = parseInput(operation, raw);
      const path = parsePath(request.target) as string;
      const once =
        principal &&
        idempotentRequest(
          request,
          operation,
          principal,
          path,
          raw.body as JsonObject,
          this.env.options.requireIdempotencyKey,
        );
      return execute(this.env, { ...execution, once }, input, (result) =>
        encodeResult(operation, result, facts.mountPath),
      );
    });
  }

  /** Capability and permission before the work; a refused write leaves a trace in the activity stream. */
  async #guarded<T>(execution: Execution, tenant: TenantState | undefined, work: () => Promise<T>): Promise<T> {
    const { operation, principal } = execution;
    try {
      if (tenant) checkCapability(operation, tenant);
      if (principal) checkPermission(operation, principal);
      return await work();
    } catch (thrown) {
      const error = publishedError(thrown);
      const denied = error.status === 403 || error.status === 404 || error.status === 409;
      if (denied && principal && effectOf(operation) !== "read") await this.#recordDenial(execution, error);
      throw error;
    }
  }

  async #recordDenial({ operation, principal, facts }: Execution, error: ReeveError): Promise<void> {
    if (!principal) return;
    await this.env.store.transaction(principal.tenantId, async (tx) => {
      const ctx = new Context(this.env, facts, principal, tx);
      await ctx.emit({
        type: "request.denied",
        subject: { id: principal.userId, type: principal.kind, path: `/api/v1/users/${principal.userId}` },
        data: { operation: operation.id, status: error.status, code: error.code },
        outcome: "denied",
      });
    });
  }

  async #identify(request: NeutralRequest): Promise<Principal> {
    if (singleHeader(request, "authorization") === "duplicate") {
      throw new ReeveError("invalid_request", "The header Authorization was sent more than once.");
    }
    const principal = await this.authenticate(request);
    if (!principal) throw new ReeveError("token_missing");
    return principal;
  }

  #rateLimit(request: NeutralRequest, principal: Principal | undefined): Readonly<Record<string, string>> {
    if (!this.#limiter) return {};
    const decision = this.#limiter.take(
      principal
        ? { tenant: principal.tenantId, principal: principal.userId }
        : { address: request.remoteAddress ?? "unknown" },
    );
    requireQuota(decision);
    return decision.headers;
  }

  #match(
    request: NeutralRequest,
  ): { operation: Operation; params: Readonly<Record<string, string>> } | ReeveError | undefined {
    let owned = OWNED.test(request.target);
    let path: string | undefined;
    try {
      path = parsePath(request.target);
    } catch (error) {
      return owned ? (error as ReeveError) : undefined;
    }
    if (path === undefined) return owned ? new ReeveError("route_not_found") : undefined;
    owned ||= OWNED.test(path);
    const match = this.router.match(request.method, path);
    if (match.kind === "operation") return match;
    if (!owned) return undefined;
    if (match.kind === "none") return new ReeveError("route_not_found");
    return new ReeveError("method_not_allowed", undefined, { headers: { allow: match.allow.join(", ") } });
  }

  #requestId(request: NeutralRequest, nowMs: number): string {
    const given = singleHeader(request, "x-request-id");
    return given !== undefined && given !== "duplicate" && REQUEST_ID.test(given)
      ? given
      : `req_${this.env.ids.next(nowMs)}`;
  }

  #logFailure(error: ReeveError, requestId: string, operation: Operation): void {
    const cause =
      error.cause instanceof Error
        ? { name: error.cause.name, message: error.cause.message, stack: error.cause.stack }
        : {};
    this.env.logger.error({ requestId, operation: operation.id, code: error.code, cause }, "request failed");
  }
}
