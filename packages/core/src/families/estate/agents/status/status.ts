import type { Asset } from "../../assets/schema.js";

/** The status of an agent, derived from its asset. */
export const AGENT_STATUSES = ["active", "suspended", "disabled", "retired"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/**
 * `retired` comes from the lifecycle, `suspended` and `disabled` (rejected) from the governance state. Anything else is
 * `active`.
 */
export function agentStatus({ status, governanceState }: Pick<Asset, "status" | "governanceState">): AgentStatus {
  if (status === "retired") return "retired";
  if (governanceState === "suspended") return "suspended";
  return governanceState === "rejected" ? "disabled" : "active";
}
