import { ById, readOperation } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { actionBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { grant, reject, withdraw } from "./decide-approval.js";
import { DecisionApproval, decisionApprovals } from "./schema.js";
import { GivenScope } from "./scope.js";

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
  success: { status: 200, schema: DecisionApproval },
} as const;

export const approveAction = defineOperation({
  ...decision,
  id: "aiApprovals.approve",
  path: `${PATH}/{id}/approve`,
  summary: "Approve one action, once or as far as was asked for",
  description:
    "For people only, and never for who asked for it, would do it, or is the person on whose behalf its session runs. Without a `scope` it is for one call; with one it is for at most what was asked for. All else is checked again with each use.",
  body: z
    .strictObject({
      reason: GenericBody.shape.reason,
      scope: GivenScope.optional().meta({ description: "How far it reaches; one call when absent." }),
    })
    .meta({ id: "ApprovalGrant", example: { reason: "Asked for by the customer." } })
    .optional(),
  errors: ["already_exists", "invalid_transition", "self_approval_forbidden"],
  handler: (ctx, { params, body = {} }) => grant(ctx, params.id, body),
});

export const rejectAction = defineOperation({
  ...decision,
  id: "aiApprovals.reject",
  path: `${PATH}/{id}/reject`,
  summary: "Reject one action",
  description: "For people only. Asking for it again makes a new request.",
  body: actionBody({ id: "ApprovalDecision", example: { reason: "Nobody has asked for it." } }).optional(),
  errors: ["invalid_transition", "missing_reason"],
  handler: (ctx, { params, body = {} }) => reject(ctx, params.id, body),
});

export const withdrawApproval = defineOperation({
  ...decision,
  id: "aiApprovals.withdraw",
  stops: true,
  path: `${PATH}/{id}/withdraw`,
  summary: "Withdraw an approval that was given",
  description: "For people only. It allows no call from the next decision on.",
  body: actionBody({ id: "ApprovalWithdrawal", example: { reason: "The change is made." } }).optional(),
  errors: ["invalid_transition"],
  handler: (ctx, { params, body = {} }) => withdraw(ctx, params.id, body),
});
