import type { McpFailureCode } from "../../../../ports/mcp.js";
import type { mcpConnection } from "../machine.js";

type Connection = keyof typeof mcpConnection.states;

/** Where a probe leaves a connection, and how many have failed in a row. */
export interface Health {
  readonly connection: Connection;
  readonly consecutiveFailures: number;
}

/**
 * The health after one more probe. An answer puts everything right at once. A server that wants other credentials lives, and one that
 * cannot be called as it is registered is not at fault: only silence and nonsense count towards the threshold.
 */
export function healthAfter(before: Health, failure: McpFailureCode | undefined, threshold: number): Health {
  if (failure === undefined) return { connection: "reachable", consecutiveFailures: 0 };
  const consecutiveFailures = before.consecutiveFailures + 1;
  if (failure === "auth_required") return { connection: "auth_required", consecutiveFailures };
  if (failure === "misconfigured" || failure === "target_not_allowed")
    return { connection: "misconfigured", consecutiveFailures };
  const silent =
    before.connection === "auth_required" || before.connection === "misconfigured" ? 1 : consecutiveFailures;
  const gone = silent >= threshold || before.connection === "unreachable";
  return { connection: gone ? "unreachable" : "degraded", consecutiveFailures: silent };
}

/** Longest pause between two probes of a server that does not answer, in ms. */
const LONGEST = 3_600_000;

/**
 * Milliseconds until the next probe: the interval while it answers, twice as long with every failure, and never more than an hour beyond
 * the interval. `chance`, 0 to 1, spreads probes over the last tenth, so that servers registered together are not asked together.
 */
export function pauseAfter(intervalSec: number, consecutiveFailures: number, chance: number): number {
  const interval = intervalSec * 1_000;
  const longer = interval * 2 ** Math.min(consecutiveFailures, 16);
  const pause = Math.min(longer, Math.max(interval, LONGEST));
  return Math.round(pause * (0.9 + 0.1 * chance));
}
