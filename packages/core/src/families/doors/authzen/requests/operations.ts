import { cancelApproval, decisionApprovals } from "#families/governance/index.js";
import { notFound } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { z } from "#schema/z.js";
import { shared } from "../fields.js";
import { Submission, TaskAnswer } from "./fields.js";
import { REQUESTS } from "./say-denied.js";
import { type AuthzenTask, authzenTasks } from "./schema.js";
import { submit } from "./submit.js";
import { taskAnswer, tellTask } from "./tell-task.js";

const URN = "urn:openid:authzen:access-request:error:";
const common = {
  ...shared,
  access: { permission: "ai-decision:evaluate", capability: "ai_governance" },
  openBody: true,
  problems: {
    denial_not_requestable: { type: `${URN}not_requestable` },
    expired_denial: { type: `${URN}expired_denial` },
    invalid_denial_binding: { type: `${URN}invalid_denial_binding` },
    idempotency_key_reused: { type: `${URN}duplicate_request`, code: "idempotency_key_taken" },
    not_found: { type: `${URN}unknown_task` },
    task_expired: { type: `${URN}task_expired` },
    invalid_transition: { type: `${URN}invalid_task_state` },
  },
} as const;
const description =
  "The access request and approval profile of AuthZEN, draft 1. The request is that for approval which the denial has made; an approval permits nothing until the question is evaluated again with it.";

export const submitRequest = defineOperation({
  ...common,
  id: "authzenRequests.submit",
  method: "POST",
  path: REQUESTS,
  summary: "Ask for what was denied, as AuthZEN's profile has it",
  description,
  unkept: Object.keys(Submission.shape),
  body: Submission,
  success: { status: 201, schema: TaskAnswer },
  errors: ["denial_not_requestable", "expired_denial", "invalid_denial_binding", "idempotency_key_taken"],
  handler: async (ctx, { body }) => taskAnswer(await tellTask(ctx, await submit(ctx, body)), 201),
});

export const readRequestTask = defineOperation({
  ...common,
  id: "authzenRequests.read",
  method: "GET",
  path: `${REQUESTS}/{id}`,
  summary: "Read how an access request stands, as AuthZEN's profile has it",
  description: "For whoever has sent it. It can be read for twelve hours after the request has expired.",
  params: ById,
  success: { status: 200, schema: TaskAnswer },
  errors: ["task_expired"],
  handler: async (ctx, { params }) => taskAnswer(await tellTask(ctx, await ownTask(ctx, params.id)), 200),
});

export const cancelRequest = defineOperation({
  ...common,
  id: "authzenRequests.cancel",
  method: "POST",
  path: `${REQUESTS}/{id}/cancel`,
  summary: "Take an access request back, as AuthZEN's profile has it",
  description: "All that still waits is cancelled. What was decided stays so.",
  params: ById,
  body: z
    .object({
      reason: z.string().max(200).optional().meta({ description: "A reason as a code." }),
      comment: z.string().max(2_000).optional().meta({ description: "The reason in words." }),
    })
    .meta({ id: "AuthzenCancellation", example: { comment: "The work is done another way." } })
    .optional(),
  success: { status: 200, schema: TaskAnswer },
  errors: ["invalid_transition", "task_expired", "idempotency_key_taken"],
  async handler(ctx, { params, body }) {
    const task = await ownTask(ctx, params.id);
    await cancelWaiting(ctx, task, body?.comment ?? body?.reason);
    return taskAnswer(await tellTask(ctx, task), 200);
  },
});

/** A task of the caller. One of others is as unknown as none. */
async function ownTask(ctx: ReadContext, id: string): Promise<AuthzenTask> {
  const task = await ctx.getOrThrow(authzenTasks, id);
  if (task.requestedBy !== ctx.principal.userId) throw notFound();
  return task;
}

async function cancelWaiting(ctx: Context, task: AuthzenTask, reason: string | undefined): Promise<void> {
  const { task: before } = await tellTask(ctx, task);
  if (before.status !== "pending")
    throw transitionRefused("Nothing of it waits any more.", {
      machine: { name: "authzenTask" },
      current: before.status,
    });
  const ids = [...new Set(task.items.map(({ approvalId }) => approvalId))];
  for (const row of await ctx.db.getMany(decisionApprovals, ids)) {
    const approval = await ctx.current(decisionApprovals, row);
    if (approval.status === "requested") await cancelApproval(ctx, approval, reason);
  }
}
