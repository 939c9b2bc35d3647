import type { AccessPolicy, ApprovalStage } from "#families/access/index.js";
import type { RequestItem, RequestStage } from "../schema.js";

/** Who approves what no policy is about. */
const USUAL: ApprovalStage = {
  name: "Approval",
  approvers: [
    { kind: "role", id: "approver" },
    { kind: "role", id: "governance_officer" },
  ],
  fallback: [
    { kind: "role", id: "owner" },
    { kind: "role", id: "admin" },
  ],
};

/** An item with the policy that decides about it. */
export interface Routed {
  readonly item: RequestItem;
  readonly policy: AccessPolicy | undefined;
}

/** The rounds of approval of some items: those of each policy among theirs, for the items that it decides about. */
export function stagesFor(routed: readonly Routed[]): RequestStage[] {
  const policies = [...new Set(routed.map(({ policy }) => policy))];
  return policies.flatMap((policy) => {
    const items = routed.filter((one) => one.policy === policy).map(({ item }) => item.key);
    const stages = policy && policy.stages.length > 0 ? policy.stages : [USUAL];
    return stages.map((stage, at) => stageOf(stage, at, policy?.id ?? null, items));
  });
}

function stageOf(stage: ApprovalStage, at: number, policyId: string | null, items: string[]): RequestStage {
  return {
    name: stage.name ?? `Round ${at + 1}`,
    policyId,
    items,
    mode: stage.mode ?? "any",
    approveThreshold: stage.approveThreshold ?? null,
    denyThreshold: stage.denyThreshold ?? 1,
    approvers: stage.approvers,
    fallback: stage.fallback ?? [],
    timeout: stage.timeout ?? null,
    onTimeout: stage.onTimeout ?? "expire",
    escalateTo: stage.escalateTo ?? [],
    ...{ candidates: [], excluded: [], status: "pending", startedAt: null, dueAt: null, escalated: false },
  };
}
