import type { Capability } from "#connectors/capabilities.js";
import { ConnectorError, MISCONFIGURED } from "#connectors/error.js";
import type { Health } from "./machine.js";

/** Failures in a row until an instance is down, and successes in a row until it is well again. */
export const HYSTERESIS = { failures: 5, successes: 3 } as const;

/**
 * What one call says about an instance. `partial`: a test of which some part failed. `refuses`: the target has answered,
 * and not whether it would do anything else.
 */
export type Verdict = "works" | "partial" | "refuses" | "fails" | "misfits";

/** Codes of failures that are this side's own. */
const OWN = new Set([
  "abandoned",
  "circuit_open",
  "connector_missing",
  "instance_not_active",
  "kill_switch_active",
  "overloaded",
  "refresh_busy",
  "secrets_changed",
  "storage_unavailable",
]);
/** Classes by which the target has answered. */
const ANSWERED = new Set(["not_found", "conflict", "invalid", "unsupported"]);

/** Capabilities of which a call is about one grant or one agent. A right that is missing there says nothing of others. */
const OF_ONE: ReadonlySet<Capability> = new Set(["grant", "revoke", "modify", "verify", "tools", "sessions"]);

/** What the failure of a call says; `undefined` for failures that are not the target's. */
export function verdictOf(failure: unknown, capability: Capability): Verdict | undefined {
  if (!ConnectorError.is(failure)) return undefined;
  if (failure.code !== undefined && OWN.has(failure.code)) return undefined;
  if (failure.errorClass === "permission" && OF_ONE.has(capability)) return "refuses";
  if (MISCONFIGURED.has(failure.errorClass)) return "misfits";
  return ANSWERED.has(failure.errorClass) ? "works" : "fails";
}

export interface Streak {
  readonly failures: number;
  readonly successes: number;
}

export const NO_STREAK: Streak = { failures: 0, successes: 0 };

/** The streak and the health after a verdict. Only a test says that a degraded instance is well again. */
export function after(
  health: Health,
  { failures, successes }: Streak,
  verdict: Verdict,
  isTest: boolean,
): { readonly health: Health; readonly streak: Streak } {
  if (verdict === "misfits") return { health: "misconfigured", streak: NO_STREAK };
  if (verdict === "fails") {
    const streak = { failures: Math.min(failures + 1, HYSTERESIS.failures), successes: 0 };
    const isDown = streak.failures === HYSTERESIS.failures && health !== "misconfigured";
    return { health: isDown ? "down" : health, streak };
  }
  if (verdict === "refuses" && health !== "down") return { health, streak: { failures: 0, successes } };
  const well = verdict === "partial" ? "degraded" : "healthy";
  if (health === well) return { health, streak: NO_STREAK };
  if (health === "unknown" || verdict === "partial") return { health: well, streak: NO_STREAK };
  if (health === "degraded" && !isTest) return { health, streak: NO_STREAK };
  const streak = { failures: 0, successes: successes + 1 };
  return streak.successes < HYSTERESIS.successes ? { health, streak } : { health: well, streak: NO_STREAK };
}
