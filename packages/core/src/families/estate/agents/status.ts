import { requirePermission } from "../../../kernel/access.js";
import type { Context } from "../../../kernel/context.js";
import { ReeveError } from "../../../kernel/errors.js";
import { moveGovernance, moveLifecycle } from "../assets/moves.js";
import type { Asset } from "../assets/schema.js";
import type { StatusMirror } from "../records/kind.js";

/** Whether an agent may be used, in one word: what its asset says of it. */
export const AGENT_STATUSES = ["active", "suspended", "disabled", "retired"] as const;
type AgentStatus = (typeof AGENT_STATUSES)[number];

const TARGETS: Readonly<Record<AgentStatus, readonly AgentStatus[]>> = {
  active: ["suspended", "disabled", "retired"],
  suspended: ["active", "retired"],
  disabled: ["active", "retired"],
  retired: ["active"],
};

function agentStatus({ status, governanceState }: Pick<Asset, "status" | "governanceState">): AgentStatus {
  if (status === "retired") return "retired";
  if (governanceState === "suspended") return "suspended";
  return governanceState === "rejected" ? "disabled" : "active";
}

/** `retired` is the lifecycle's, `suspended` and `disabled` (rejected) are governance's, all else is `active`. */
export const agentMirror: StatusMirror = {
  of: agentStatus,
  async move(ctx, asset, status, reason) {
    const current = agentStatus(asset);
    const allowed = TARGETS[current];
    if (!allowed.some((target) => target === status)) {
      throw new ReeveError("invalid_transition", `"${status}" is not possible from "${current}".`, {
        members: { machine: "agentStatus", current, allowed: [...allowed] },
      });
    }
    if (status === "retired") await moveLifecycle(ctx, asset, "retired", reason);
    else if (status === "active") await bringBack(ctx, asset, reason);
    else await govern(ctx, asset, status === "suspended" ? "suspended" : "rejected", reason);
  },
};

async function bringBack(ctx: Context, asset: Asset, reason: string | undefined): Promise<void> {
  const living = asset.status === "retired" ? await moveLifecycle(ctx, asset, "registered", reason) : asset;
  if (living.governanceState === "suspended")
    await govern(ctx, living, living.priorGovernanceState ?? "under_review", reason);
  if (living.governanceState === "rejected") await govern(ctx, living, "under_review", reason);
}

/** Asks for what the operation that moves the governance state asks for, beside what the machine does. */
async function govern(ctx: Context, asset: Asset, to: string, reason: string | undefined): Promise<void> {
  requirePermission(ctx.env, ctx.principal, "ai-governance:review");
  await moveGovernance(ctx, asset, to, reason);
}
