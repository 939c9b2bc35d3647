import type { DecisionReason } from "#families/governance/index.js";

/** Reasons of policy and of lists. Others are stops, or tell that somebody may not act at all, and deny always. */
const WATCHED: ReadonlySet<DecisionReason["code"]> = new Set([
  "not_related",
  "policy_error",
  "policy_deny",
  "policy_approval",
  "tool_approval",
  "obligation_unsupported",
  "default",
]);

/**
 * Whether a watch lets a call pass that these reasons deny or let wait. An unknown name is let pass where it is the
 * tool's; what is unknown of the agent or its session is a stop.
 */
export function letsPass(reasons: readonly Pick<DecisionReason, "code">[], isToolUnknown: boolean): boolean {
  const others = reasons.filter(({ code }) => !WATCHED.has(code));
  return others.length === 0 || (isToolUnknown && others.length === 1 && others[0]?.code === "asset_unknown");
}
