import type { Environment } from "../../../../kernel/config/environment.js";
import { type Principal, systemPrincipal } from "../../../../kernel/config/principal.js";
import { ReeveError } from "../../../../kernel/http/errors.js";
import { requirePermission } from "../../../../kernel/operation/permission.js";
import { heartbeat, isOver, type Session, sessions, type Usage } from "../../index.js";
import { SessionBlockedError } from "./blocked.js";
import { type GuardedCall, GuardState, type WrapOptions } from "./guard.js";
import { contextOf, guardHub } from "./hub.js";

/** Which session a host guards, under whose name, and how. */
export interface SessionGuardOptions {
  /** The tenant, for a guard that acts as Reeve itself; or `principal`, who must hold `ai-session:report`. */
  readonly tenantId?: string;
  readonly principal?: Principal;
  readonly sessionId: string;
  /** Name of this enforcement point, unique among those of the session; one is made up when absent. */
  readonly pepId?: string;
  /** The longest a decision can go unnoticed, in ms: 100 to 60,000, 5,000 when absent. */
  readonly leaseMs?: number;
  /** Whether a suspension lets calls under way finish (`graceful`, the default) or cancels them. A termination cancels. */
  readonly mode?: "graceful" | "immediate";
}

/** Stands between a session's agent and what it does. */
export interface SessionGuard {
  /** Throws `SessionBlockedError` unless the session may go on. Call it before every call of a model or tool. */
  check(): Promise<void>;
  /** Fires when the session ends, and on a suspension that is immediate. Another one once the session goes on. */
  readonly signal: AbortSignal;
  /**
   * Wraps a function: it is checked, run with the signal, and its result given out only when the session still stands;
   * the call counts as one of a tool. A result that is held back is a `SessionBlockedError`.
   */
  wrapTool<A extends unknown[], R>(
    tool: (call: GuardedCall, ...args: A) => Promise<R> | R,
    options?: WrapOptions<R>,
  ): (...args: A) => Promise<R>;
  /** Adds to what the session has spent; written down in batches, and counted against its limits at once. */
  record(usage: Partial<Usage>): void;
  /** The session as it was last read. */
  readonly session: Session;
  /** Reports what is left and withdraws the enforcement point. Everything is refused from then on. */
  close(): Promise<void>;
}

/** Registers an enforcement point with a session and guards it. 404 when there is none; `SessionBlockedError` when it has ended. */
export async function openSessionGuard(env: Environment, options: SessionGuardOptions): Promise<SessionGuard> {
  const { principal = options.tenantId === undefined ? undefined : systemPrincipal(options.tenantId) } = options;
  if (!principal) throw new ReeveError("invalid_request", "A session guard needs a tenantId or a principal.");
  if (options.principal) requirePermission(env, principal, "ai-session:report");
  const { tenantId } = principal;
  const { sessionId, leaseMs = 5_000, mode = "graceful" } = options;
  const pepId = options.pepId ?? `pep-${env.ids.next(env.clock.now())}`;
  if (!Number.isInteger(leaseMs) || leaseMs < 100 || leaseMs > 60_000)
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
