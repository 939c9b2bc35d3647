import { type DecisionApproval, decisionApprovals } from "#families/governance/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Raw } from "#kernel/records/outcome.js";
import type { Result, TaskAnswer, TaskStatus } from "./fields.js";
import { LOOK_AGAIN, REQUESTS } from "./say-denied.js";
import type { AuthzenTask } from "./schema.js";

/** A task as the profile tells it, from the approvals that it waits for. */
export async function tellTask(ctx: ReadContext, task: AuthzenTask): Promise<TaskAnswer> {
  if (task.expiresAt <= ctx.now) throw new ReeveError("task_expired");
  const known = await approvalsOf(ctx, task);
  const items = task.items.map(({ resource, action, approvalId }) => {
    const approval = known.get(approvalId);
    const status = statusOf(approval);
    return { resource, action, status, ...(approval && status === "approved" ? { result: resultOf(approval) } : {}) };
  });
  const status = summed(items.map((item) => item.status));
  const address = `${ctx.env.options.baseUrl}${REQUESTS}/${task.id}`;
  const [first] = items;
  return {
    task: {
      id: task.id,
      status,
      status_endpoint: address,
      expires_at: task.expiresAt,
      ...(status === "pending" ? { links: { cancel: `${address}/cancel` } } : {}),
      ...(task.bundled ? { items } : {}),
    },
    ...(!task.bundled && first?.result ? { result: first.result } : {}),
  };
}

/** The same as an answer, which says when to look again while nobody has decided. */
export function taskAnswer(answer: TaskAnswer, status: 200 | 201): Raw {
  const { task } = answer;
  const headers = {
    "cache-control": "no-store",
    ...(task.status === "pending" ? { "retry-after": String(LOOK_AGAIN) } : {}),
  };
  return new Raw(JSON.stringify(answer), "application/json", { status, headers });
}

/** The approvals of a task, as time has made them. */
export async function approvalsOf(ctx: ReadContext, { items }: AuthzenTask): Promise<Map<string, DecisionApproval>> {
  const rows = await ctx.db.getMany(decisionApprovals, [...new Set(items.map(({ approvalId }) => approvalId))]);
  return new Map(rows.map((row) => [row.id, ctx.derived(decisionApprovals, row)]));
}

/** An approval that was given stays one for the task, whatever became of it: the next evaluation tells. */
function statusOf(approval: DecisionApproval | undefined): TaskStatus {
  if (!approval) return "failed";
  const { status, scope } = approval;
  if (status === "requested") return "pending";
  if (status === "rejected") return "denied";
  if (status === "cancelled") return "cancelled";
  return status === "expired" && scope === null ? "expired" : "approved";
}

function resultOf({ id, decidedAt, updatedAt, expiresAt }: DecisionApproval): Result {
  const approval = { id, approved_at: decidedAt ?? updatedAt, approved_until: expiresAt };
  return { mode: "reevaluate", approval };
}

function summed(statuses: readonly TaskStatus[]): TaskStatus {
  if (statuses.includes("pending")) return "pending";
  const [only = "failed", ...others] = new Set(statuses);
  return others.length > 0 ? "partial" : only;
}
