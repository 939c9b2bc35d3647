import type { Environment } from "#kernel/config/environment.js";
import { type Principal, systemPrincipal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { minutesMs } from "#ports/durations.js";
import { heartbeat, isOver, type Session, sessions, type Usage } from "../../index.js";
import { SessionBlockedError } from "./blocked.js";
import { type GuardedCall, GuardState, type WrapOptions } from "./guard.js";
import { contextOf, guardHub } from "./hub.js";

/** The session that a host guards, with the enforcement point and its options. */
export interface SessionGuardOptions {
  /** The tenant, for a guard that acts as the system. Or `principal`, who must hold `ai-session:report`. */
  readonly tenantId?: string;
  readonly principal?: Principal;
  readonly sessionId: string;
  /** Name of this enforcement point, unique in the session. Generated when absent. */
  readonly pepId?: string;
  /** The longest a decision can go unnoticed, in ms: 100 to 60,000, 5,000 when absent. */
  readonly leaseMs?: number;
  /**
   * Whether a suspension lets running calls finish (`graceful`, the default) or aborts them. A termination aborts them.
   */
  readonly mode?: "graceful" | "immediate";
}

/** Checks what the agent of a session does. */
export interface SessionGuard {
  /** Throws `SessionBlockedError` unless the session may continue. Call it before each call of a model or tool. */
  check(): Promise<void>;
  /** Aborts when the session ends, and on an immediate suspension. A resumed session has a new signal. */
  readonly signal: AbortSignal;
  /**
   * Wraps a function: checks the session, runs the function with the signal, and returns its result only if the session
   * still allows it. Counts as one tool call. Throws `SessionBlockedError`.
   */
  wrapTool<A extends unknown[], R>(
    tool: (call: GuardedCall, ...args: A) => Promise<R> | R,
    options?: WrapOptions<R>,
  ): (...args: A) => Promise<R>;
  /**
   * Adds to the session's usage, which counts against limits at once and is stored in batches. A field that is left out
   * or `undefined` adds nothing. Throws `TypeError` and counts nothing unless every field is one of a usage report, with a
   * value that such a report may have.
   */
  record(usage: Partial<Usage>): void;
  /** The session as last read. */
  readonly session: Session;
  /** Stores the last reports and unregisters the enforcement point. Everything is refused afterwards. */
  close(): Promise<void>;
}

/**
 * Registers an enforcement point for a session and guards it. 404 when there is no session, `SessionBlockedError` when
 * it has ended.
 */
export async function openSessionGuard(env: Environment, options: SessionGuardOptions): Promise<SessionGuard> {
  const { principal = options.tenantId === undefined ? undefined : systemPrincipal(options.tenantId) } = options;
  if (!principal) throw new ReeveError("invalid_request", "A session guard needs a tenantId or a principal.");
  if (options.principal) requirePermission(env, principal, "ai-session:report");
  const { tenantId } = principal;
  const { sessionId, leaseMs = 5_000, mode = "graceful" } = options;
  const pepId = options.pepId ?? `pep-${env.ids.next(env.clock.now())}`;
  if (!Number.isInteger(leaseMs) || leaseMs < 100 || leaseMs > minutesMs(1))
    throw new ReeveError("invalid_request", "leaseMs must be 100 to 60000.");
  if (!/^[\x21-\x7e]{1,100}$/.test(pepId))
    throw new ReeveError("invalid_request", "pepId must be 1 to 100 visible ASCII characters.");
  const session = await contextOf(env, principal).write(async (ctx) =>
    heartbeat(ctx, await ctx.getOrThrow(sessions, sessionId), { pepId }),
  );
  if (isOver(session)) {
    const { status, control, controlEpoch: epoch } = session;
    throw new SessionBlockedError({ status, reason: control?.reason ?? status, epoch });
  }
  const hub = env.use(guardHub);
  const guard = new GuardState(env, hub, { tenantId, principal, sessionId, pepId, leaseMs, mode }, session);
  await hub.add(guard);
  return {
    check: () => guard.check(),
    get signal() {
      return guard.signal;
    },
    wrapTool:
      (tool, wrap = {}) =>
      (...args) =>
        guard.run((call) => tool(call, ...args), wrap),
    record: (usage) => guard.record(usage),
    get session() {
      return guard.session;
    },
    close: () => guard.close(),
  };
}
