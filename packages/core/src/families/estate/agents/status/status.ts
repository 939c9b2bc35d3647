import type { Asset } from "../../assets/schema.js";

/** Whether an agent may be used, in one word: what its asset says of it. */
export const AGENT_STATUSES = ["active", "suspended", "disabled", "retired"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** `retired` is the lifecycle's, `suspended` and `disabled` (rejected) are governance's, all else is `active`. */
export function agentStatus({ status, governanceState }: Pick<Asset, "status" | "governanceState">): AgentStatus {
  if (status === "retired") return "retired";
  if (governanceState === "suspended") return "suspended";
  return governanceState === "rejected" ? "disabled" : "active";
}
