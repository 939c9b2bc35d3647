import type { EgressStreamRequest } from "../ports/egress.js";
import { timedOut } from "./failure.js";

const TIMEOUT = 10_000;
/** The longest that a timer of the platform can wait, in ms. */
const LONGEST = 2 ** 31 - 1;

/** The time one call has, over all its hops, and the caller's own wish to end it. */
export interface Call {
  /** Aborts at the end of the call, whatever ends it; every socket of the call closes with it. */
  readonly signal: AbortSignal;
  /** The headers are there; from now on only the lifetime counts. */
  answered(): void;
  /** Ends the call and tells why: `connector_timeout`, the reason of the caller's signal, or else `error`. */
  ended(error?: unknown): unknown;
}

export function startCall({ timeoutMs = TIMEOUT, lifetimeMs = timeoutMs, signal }: EgressStreamRequest): Call {
  const controller = new AbortController();
  const expire = () => controller.abort(timedOut());
  const untilHeaders = setTimeout(expire, Math.min(timeoutMs, LONGEST));
  const untilEnd = setTimeout(expire, Math.min(lifetimeMs, LONGEST));
  const leave = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", leave, { once: true });
  if (signal?.aborted) leave();
  return {
    signal: controller.signal,
    answered: () => clearTimeout(untilHeaders),
    ended(error) {
      clearTimeout(untilHeaders);
      clearTimeout(untilEnd);
      signal?.removeEventListener("abort", leave);
      controller.abort(error);
      return controller.signal.reason;
    },
  };
}
