import { stopOf } from "../assets/machine.js";
import type { Asset } from "../assets/schema.js";

/** The status of an agent, derived from its asset. */
export const AGENT_STATUSES = ["active", "suspended", "disabled", "retired"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/**
 * `retired` comes from the lifecycle, `suspended` and `disabled` (rejected) from what stops the asset. Anything else is
 * `active`.
 */
export function agentStatus(asset: Pick<Asset, "status" | "governanceState" | "priorGovernanceState">): AgentStatus {
  if (asset.status === "retired") return "retired";
  const stop = stopOf(asset);
  if (stop === "suspended") return "suspended";
  return stop === "rejected" ? "disabled" : "active";
}
