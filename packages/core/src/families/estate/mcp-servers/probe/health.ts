import { hoursMs } from "#ports/durations.js";
import type { McpFailureCode } from "#ports/mcp.js";
import type { mcpConnection } from "../machine.js";

type Connection = keyof typeof mcpConnection.states;

/** The connection state after a probe, and the failures in a row. */
export interface Health {
  readonly connection: Connection;
  readonly consecutiveFailures: number;
}

/**
 * The health after one more probe. One success resets it. Only missing or invalid answers count towards the threshold:
 * a server that refuses credentials is running, and one that is misconfigured here is not at fault.
 */
export function healthAfter(before: Health, failure: McpFailureCode | undefined, threshold: number): Health {
  if (failure === undefined) return { connection: "reachable", consecutiveFailures: 0 };
  const consecutiveFailures = before.consecutiveFailures + 1;
  if (failure === "auth_required") return { connection: "auth_required", consecutiveFailures };
  if (failure === "misconfigured" || failure === "target_not_allowed" || failure === "forbidden")
    return { connection: "misconfigured", consecutiveFailures };
  const silent =
    before.connection === "auth_required" || before.connection === "misconfigured" ? 1 : consecutiveFailures;
  const gone = silent >= threshold || before.connection === "unreachable";
  return { connection: gone ? "unreachable" : "degraded", consecutiveFailures: silent };
}

/** The longest pause between probes of a server that does not answer, in milliseconds. */
const LONGEST = hoursMs(1);

/**
 * Milliseconds until the next probe. It is the interval while the server answers, and doubles with each failure, up to
 * an hour or the interval, whichever is longer. `chance`, 0 to 1, varies the last tenth, so that servers registered
 * together are not probed together.
 */
export function pauseAfter(intervalSec: number, consecutiveFailures: number, chance: number): number {
  const interval = intervalSec * 1_000;
  const longer = interval * 2 ** Math.min(consecutiveFailures, 16);
  const pause = Math.min(longer, Math.max(interval, LONGEST));
  return Math.round(pause * (0.9 + 0.1 * chance));
}
