import { record } from "./answer.js";
import type { Backend, Question, Watch, WatchOptions } from "./backend.js";
import { RunEndedError } from "./run-ended.js";

/** The members of a control plane of `@reeve/core` that are used. */
export interface ControlPlaneLike<P> {
  readonly operations: readonly { readonly id: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: the types of core know each operation, and this package knows none
  call(id: any, principal: P, input: any): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  decide(principal: P, request: any): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  sessionGuard(options: any): Promise<SessionGuardLike>;
}

/** The members of a session guard of `@reeve/core` that are used. */
export interface SessionGuardLike {
  check(): Promise<void>;
  readonly signal: AbortSignal;
  wrapTool<R>(tool: (call: { readonly signal: AbortSignal }) => Promise<R>): () => Promise<R>;
  close(): Promise<void>;
}

/** The operation that takes names in place of ids. It exists with the option `doors`. */
const DOOR = "authzen.evaluate";

/** Asks a control plane of the same process, as `principal`. */
export function inProcess<P>(controlPlane: ControlPlaneLike<P>, principal: P): Backend {
  const takesNames = controlPlane.operations.some(({ id }) => id === DOOR);
  return {
    decide: (question: Question) =>
      takesNames ? controlPlane.call(DOOR, principal, { body: question }) : controlPlane.decide(principal, question),
    readApproval: (id) => controlPlane.call("aiApprovals.read", principal, { params: { id } }),
    watch: (options) => watchOf(controlPlane, principal, options),
  };
}

async function watchOf<P>(controlPlane: ControlPlaneLike<P>, principal: P, options: WatchOptions): Promise<Watch> {
  const session = await told(controlPlane.sessionGuard({ ...options, principal }));
  const controller = new AbortController();
  const { signal } = session;
  signal.addEventListener("abort", () => controller.abort(endOf(signal.reason) ?? signal.reason), { once: true });
  return {
    signal: controller.signal,
    check: () => told(session.check()),
    run: (work) => told(session.wrapTool((call) => work(call.signal))()),
    close: () => session.close(),
  };
}

/** The same, with what blocks a session in the words of this package. */
async function told<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    throw endOf(error) ?? error;
  }
}

function endOf(error: unknown): RunEndedError | undefined {
  const { name, status, reason } = record(error) ?? {};
  return name === "SessionBlockedError" ? new RunEndedError(String(status), String(reason)) : undefined;
}
