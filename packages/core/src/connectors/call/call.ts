import { CAPABILITIES } from "../capabilities.js";
import type { Connector } from "../connector.js";
import type { ConnectorContext } from "../context.js";
import { ConnectorError } from "../error.js";
import { contextOf } from "./context.js";
import { abandoned, connectorFailure, tookTooLong } from "./failure.js";
import { Mask } from "./mask.js";
import type { CallFacts, InstanceParts } from "./parts.js";
import { logUnexpected } from "./unexpected.js";

const CALL_SECONDS = 10;

/** How long one call of a connector may take, in milliseconds. */
export const callMilliseconds = ({ manifest }: Pick<Connector, "manifest">): number =>
  (manifest.limits?.callSeconds ?? CALL_SECONDS) * 1_000;

/**
 * Calls one method of a connector, and waits for it no longer than its limit. Rejects with `ConnectorError` only. What
 * still runs after that has a context that does nothing any more.
 */
export async function callConnector<T>(
  connector: Connector,
  parts: InstanceParts,
  facts: CallFacts,
  run: (connector: Connector, ctx: ConnectorContext) => Promise<T>,
): Promise<T> {
  const { capability } = facts;
  const { method } = CAPABILITIES[capability];
  if (typeof connector[method] !== "function")
    throw new ConnectorError("unsupported", `The connector has no ${method}.`, { code: capability });
  const mask = new Mask();
  const milliseconds = callMilliseconds(connector);
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(tookTooLong(capability)), milliseconds);
  const leave = () => ended.abort(abandoned(capability));
  facts.signal?.addEventListener("abort", leave, { once: true });
  if (facts.signal?.aborted) leave();
  try {
    const end = performance.now() + milliseconds;
    const timeLeft = () => (ended.signal.aborted ? 0 : Math.max(0, end - performance.now()));
    const ctx = contextOf(parts, facts, { mask, signal: ended.signal, timeLeft });
    ended.signal.throwIfAborted();
    return await Promise.race([rejection(ended.signal), run(connector, ctx)]);
  } catch (error) {
    const logged = logUnexpected(error, { connector, parts, facts, mask }).catch(() => undefined);
    // Reading secrets may take long, and callers wait no longer than the limit.
    if (!ended.signal.aborted) await Promise.race([logged, rejection(ended.signal).catch(() => undefined)]);
    throw connectorFailure(error, capability, mask);
  } finally {
    clearTimeout(timer);
    facts.signal?.removeEventListener("abort", leave);
    ended.abort(abandoned(capability));
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  const rejected = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  rejected.catch(() => undefined);
  return rejected;
}
