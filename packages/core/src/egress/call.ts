import type { EgressStreamRequest } from "../ports/egress.js";
import { timedOut } from "./failure.js";

const TIMEOUT = 10_000;
/** The longest delay of a timer, in ms. */
const LONGEST = 2 ** 31 - 1;

/** The time limits of one call over all its hops, and the caller's signal. */
export interface Call {
  /** Aborts when the call ends for any reason. Every socket of the call closes with it. */
  readonly signal: AbortSignal;
  /** Call when the headers have arrived. From then on only the lifetime limits the call. */
  answered(): void;
  /** Ends the call and returns why: `connector_timeout`, the reason of the caller's signal, or else `error`. */
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
