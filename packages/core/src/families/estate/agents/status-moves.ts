import type { Context } from "#kernel/operation/context.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { moveGovernance } from "../assets/governance-moves.js";
import { moveLifecycle } from "../assets/lifecycle/moves.js";
import type { Remarks } from "../assets/lifecycle/remarks.js";
import type { Asset } from "../assets/schema.js";
import { type AgentStatus, agentStatus } from "./agent-status.js";

const TARGETS: Readonly<Record<AgentStatus, readonly AgentStatus[]>> = {
  active: ["suspended", "disabled", "retired"],
  suspended: ["active", "retired"],
  disabled: ["active", "retired"],
  retired: ["active"],
};

/**
 * Moves the asset of an agent so that the agent gets this status. 409 `invalid_transition` when no transition leads to
 * it.
 */
export async function moveAgent(
  ctx: Context,
  asset: Asset,
  status: string,
  { reason }: Pick<Remarks, "reason">,
): Promise<Asset> {
  const current = agentStatus(asset);
  const allowed = TARGETS[current];
  if (!allowed.some((target) => target === status)) {
    throw transitionRefused(`"${status}" is not possible from "${current}".`, {
      machine: { name: "agentStatus" },
      current,
      allowed,
    });
  }
  if (status === "retired") return moveLifecycle(ctx, asset, "retired", { reason });
  if (status === "active") return bringBack(ctx, asset, reason);
  return govern(ctx, asset, status === "suspended" ? "suspended" : "rejected", reason);
}

async function bringBack(ctx: Context, asset: Asset, reason: string | undefined): Promise<Asset> {
  const living = asset.status === "retired" ? await moveLifecycle(ctx, asset, "registered", { reason }) : asset;
  if (living.governanceState === "suspended")
    return govern(ctx, living, living.priorGovernanceState ?? "under_review", reason);
  return living.governanceState === "rejected" ? govern(ctx, living, "under_review", reason) : living;
}

/** Checks the permission of the operation that moves the governance state. The machine checks the rest. */
function govern(ctx: Context, asset: Asset, to: string, reason: string | undefined): Promise<Asset> {
  requirePermission(ctx.env, ctx.principal, "ai-governance:review");
  return moveGovernance(ctx, asset, to, { reason });
}
