import { MCP_LIMITS, type McpFailure } from "@reeve/core";
import { CallFailed, ERROR_ANSWER, failureOf, ofStatus } from "./failure.js";

/** One call of a server: its limits of time and bytes, and its first failure. */
export interface McpCall {
  /** Aborts on timeout or after a failure. */
  readonly signal: AbortSignal;
  /** Milliseconds left. */
  left(): number;
  /** Counts bytes read. Beyond the limit the call fails. */
  read(bytes: number): void;
  /** Records the status of the last relevant answer. */
  answered(status: number): void;
  /** Records that the server says that its lists have changed. */
  changed(): void;
  /** How often the server has said so. */
  changes(): number;
  /** Ends the call. Only the first failure counts, because later ones follow from it. */
  fail(error: unknown): void;
  /** The failure of the call, given what the client threw. */
  outcome(thrown: unknown): McpFailure;
  /** The result of `work`. Rejects as soon as the call ends. */
  during<T>(work: Promise<T>): Promise<T>;
  end(): void;
}

/** Starts a call and its timeout. `leaving` ends it too. */
export function startCall(timeoutMs: number, leaving?: AbortSignal): McpCall {
  const controller = new AbortController();
  const end = performance.now() + timeoutMs;
  let failure: { readonly error: unknown } | undefined;
  let bytes = 0;
  let status = 0;
  let changes = 0;
  const fail = (error: unknown) => {
    failure ??= { error };
    controller.abort(failure.error);
  };
  const timer = setTimeout(() => fail(new CallFailed("timeout", "no_answer")), timeoutMs);
  const leave = () => fail(new CallFailed("timeout", "abandoned"));
  leaving?.addEventListener("abort", leave);
  if (leaving?.aborted) leave();
  return {
    signal: controller.signal,
    left: () => Math.max(1, Math.ceil(end - performance.now())),
    read(count) {
      bytes += count;
      if (bytes > MCP_LIMITS.bytes) fail(new CallFailed("too_large", "total"));
    },
    fail,
    changed: () => {
      changes += 1;
    },
    changes: () => changes,
    answered: (code) => {
      status = code;
    },
    outcome(thrown) {
      if (failure) return failureOf(failure.error);
      const found = failureOf(thrown);
      return status >= 300 && found.code === "protocol_error" && found !== ERROR_ANSWER ? ofStatus(status) : found;
    },
    async during(work) {
      const { signal } = controller;
      let stop = () => {};
      const aborted = new Promise<never>((_, reject) => {
        stop = () => reject(signal.reason);
        if (signal.aborted) stop();
        signal.addEventListener("abort", stop, { once: true });
      });
      try {
        return await Promise.race([work, aborted]);
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    end() {
      clearTimeout(timer);
      leaving?.removeEventListener("abort", leave);
    },
  };
}
