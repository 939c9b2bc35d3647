import { assets } from "#families/estate/index.js";
import { foldUsername, users } from "#families/identity/index.js";
import { sessions } from "#families/sessions/index.js";
import type { Context } from "#kernel/operation/context.js";
import { ById, readOperation } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { actionBody } from "#kernel/records/open-body.js";
import { isIdOf } from "#store/collection.js";
import { expiryFrom } from "./approval-store.js";
import { decisionApprovalStatus } from "./machine.js";
import { DecisionApproval, decisionApprovals } from "./schema.js";

const PATH = "/api/v1/ai-governance/approvals";
const shared = { tag: "AI Governance", extension: true } as const;
const may = (verb: "read" | "decide") => ({ permission: `ai-approval:${verb}`, capability: "ai_governance" }) as const;

export const listApprovals = defineOperation({
  ...shared,
  id: "aiApprovals.list",
  method: "GET",
  path: PATH,
  summary: "List requests for approval of single actions",
  access: may("read"),
  query: listQuery(decisionApprovals),
  // Agents wait for these.
  replica: false,
  success: { status: 200, schema: pageOf(DecisionApproval) },
  handler: (ctx, { query }) => ctx.page(decisionApprovals, query),
});

export const readApproval = readOperation({
  ...shared,
  id: "aiApprovals.read",
  path: PATH,
  summary: "Read one request for approval",
  access: may("read"),
  collection: decisionApprovals,
  schema: DecisionApproval,
});

const decision = {
  ...shared,
  method: "PATCH",
  access: may("decide"),
  params: ById,
  body: actionBody({ id: "ApprovalDecision", example: { reason: "Asked for by the customer." } }).optional(),
  success: { status: 200, schema: DecisionApproval },
} as const;

export const approveAction = defineOperation({
  ...decision,
  id: "aiApprovals.approve",
  path: `${PATH}/{id}/approve`,
  summary: "Approve one action, once",
  description:
    "For people only, and never for who asked for it, would do it, or is the person on whose behalf its session runs. All else is checked again when it is used.",
  errors: ["invalid_transition", "self_approval_forbidden"],
  handler: (ctx, { params, body = {} }) => decide(ctx, params.id, "approve", body),
});

export const rejectAction = defineOperation({
  ...decision,
  id: "aiApprovals.reject",
  path: `${PATH}/{id}/reject`,
  summary: "Reject one action",
  description: "For people only. Asking for it again makes a new request.",
  errors: ["invalid_transition", "missing_reason"],
  handler: (ctx, { params, body = {} }) => decide(ctx, params.id, "reject", body),
});

async function decide(
  ctx: Context,
  id: string,
  event: "approve" | "reject",
  body: { readonly reason?: string | undefined },
) {
  const approval = await ctx.getForUpdate(decisionApprovals, id);
  if (approval.status === (event === "approve" ? "approved" : "rejected")) return approval;
  const involved = event === "approve" ? await doersOf(ctx, approval) : [];
  const patch = {
    decidedBy: ctx.principal.userId,
    decidedAt: ctx.now,
    decisionReason: body.reason ?? null,
    ...(event === "approve" ? { expiresAt: await expiryFrom(ctx) } : {}),
  };
  return ctx.transition(
    decisionApprovals,
    decisionApprovalStatus,
    approval,
    { event },
    { reason: body.reason, patch, involved },
  );
}

/**
 * Who would do it: the subject, who made or owns it where it is an asset, and on whose behalf the session of the request
 * runs. A session stands for its agent.
 */
async function doersOf(ctx: Context, { subject, assetIds, sessionId }: DecisionApproval): Promise<string[]> {
  const named = [subject.id, sessionId].filter((id) => id !== null && isIdOf(sessions, id)) as string[];
  const running = (await ctx.db.getMany(sessions, [...new Set(named)])).map(({ value }) => value);
  const names = [subject.id, running.find(({ id }) => id === subject.id)?.agentId];
  const rows = await ctx.db.getMany(assets, assetIds);
  const doing = rows
    .map(({ value }) => value)
    .filter(({ id, record }) => names.includes(id) || names.includes(record?.id));
  const people = await Promise.all(running.map(({ userId }) => personOf(ctx, userId)));
  return [
    subject.id,
    ...people.flat(),
    ...doing.flatMap(({ createdBy, owner }) => [createdBy, ...(owner ? [owner.id] : [])]),
  ];
}

/** A person as sessions name them: by id, or by the address of an account here. */
async function personOf(ctx: Context, named: string | null): Promise<string[]> {
  if (named === null) return [];
  const row = named.includes("@") && (await ctx.db.lookup(users, "username", { username: foldUsername(named) }));
  return row ? [named, row.id] : [named];
}
