import type { Environment } from "#kernel/config/environment.js";
import { applyDueTimeTransitions } from "#kernel/operation/time-transitions.js";
import { watches } from "./schema.js";

/** Stores which watches are over. Returns how many. */
export function runWatchJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  return applyDueTimeTransitions(env, watches, tenantId, now);
}
