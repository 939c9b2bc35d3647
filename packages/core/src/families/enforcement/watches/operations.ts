import { Label } from "#families/estate/index.js";
import { ById, listOperation, readOperation } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { actionBody } from "#kernel/records/open-body.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { decideWatch, enforceAfter, MOST_DAYS, requestWatch } from "./move-watch.js";
import { summaryOf, WatchSummary } from "./queries.js";
import { Watch, WatchedCall, watchedCalls, watches } from "./schema.js";

const PATH = "/api/v1/ai/watches";
const tag = "AI Enforcement";
const may = (verb: "read" | "request" | "approve" | "enforce") =>
  ({ permission: `enforcement-watch:${verb}`, capability: "ai_governance" }) as const;
const shared = { tag, path: PATH, collection: watches, schema: Watch, extension: true } as const;

export const listWatches = listOperation({
  ...shared,
  id: "watches.list",
  summary: "List watches: times in which decisions are recorded and not enforced",
  access: may("read"),
});

export const readWatch = readOperation({
  ...shared,
  id: "watches.read",
  summary: "Read one watch",
  access: may("read"),
});

export const createWatch = defineOperation({
  id: "watches.create",
  method: "POST",
  path: PATH,
  tag,
  summary: "Ask to watch the calls of a team, or of all, without denying them",
  description:
    "Decisions are enforced until somebody else approves it. It ends by itself. Halts, kill switches, suspensions, ended sessions and revoked installations deny in a watch too.",
  extension: true,
  access: may("request"),
  body: z
    .strictObject({
      team: Label.nullable().optional().meta({ description: "The team whose installations it is about; absent: all." }),
      reason: z.string().trim().min(10).max(2_000).meta({ description: "Why, for the audit trail." }),
      expiresAt: Time.optional().meta({
        description: `When it ends: after 30 days unless said, at most ${MOST_DAYS}.`,
      }),
    })
    .meta({ id: "EnforcementWatchRequest", example: { team: "Payments", reason: "To see what would break there." } }),
  success: { status: 201, schema: Watch },
  errors: ["already_exists"],
  handler: (ctx, { body: { team = null, reason, expiresAt } }) => requestWatch(ctx, { team, reason, expiresAt }),
});

const decision = {
  method: "POST",
  tag,
  extension: true,
  params: ById,
  success: { status: 200, schema: Watch },
} as const;

export const approveWatch = defineOperation({
  ...decision,
  id: "watches.approve",
  path: `${PATH}/{id}/approve`,
  summary: "Approve a watch that somebody else asks for",
  description: "From now on calls pass that policies deny or let wait, until it ends or is turned to enforcing.",
  access: may("approve"),
  body: actionBody({ id: "EnforcementWatchApproval", example: { reason: "Agreed with the team." } }).optional(),
  errors: ["invalid_transition", "transition_guard_failed", "self_approval_forbidden"],
  handler: (ctx, { params, body }) => decideWatch(ctx, params.id, "approve", body?.reason),
});

export const rejectWatch = defineOperation({
  ...decision,
  id: "watches.reject",
  path: `${PATH}/{id}/reject`,
  summary: "Reject a request to watch",
  access: may("approve"),
  body: actionBody({ id: "EnforcementWatchRejection", example: { reason: "They handle cards." } }).optional(),
  errors: ["invalid_transition", "missing_reason"],
  handler: (ctx, { params, body }) => decideWatch(ctx, params.id, "reject", body?.reason),
});

export const summariseWatch = defineOperation({
  id: "watches.summary",
  method: "GET",
  path: `${PATH}/{id}/summary`,
  tag,
  summary: "Sum up what would have been denied in a watch",
  description: "Its digest changes with the first call of another kind, and not with further ones of the same kind.",
  extension: true,
  access: may("read"),
  params: ById,
  success: { status: 200, schema: WatchSummary },
  handler: async (ctx, { params }) => summaryOf(ctx, (await ctx.getOrThrow(watches, params.id)).id),
});

export const listWatchedCalls = defineOperation({
  id: "watches.wouldBeDenied",
  method: "GET",
  path: `${PATH}/{id}/would-be-denied`,
  tag,
  summary: "List what would have been denied or would have waited in a watch, by tool and rule",
  description: "Each with how often, when last, and by which agents and teams. Arguments are not kept.",
  extension: true,
  access: may("read"),
  params: ById,
  query: listQuery(watchedCalls),
  success: { status: 200, schema: pageOf(WatchedCall) },
  async handler(ctx, { params, query }) {
    const { id } = await ctx.getOrThrow(watches, params.id);
    return ctx.page(watchedCalls, query, { where: { watchId: id } });
  },
});

export const enforceWatch = defineOperation({
  ...decision,
  id: "watches.enforce",
  path: `${PATH}/{id}/enforce`,
  summary: "Turn a watch to enforcing, having seen what would have been denied",
  description:
    "`digest` is that of the summary. Where other kinds of calls have been seen since, it is refused with the `current` one. One person may.",
  access: may("enforce"),
  body: z
    .strictObject({
      digest: z.string().max(64).meta({ description: "`digest` of the summary that was seen." }),
      reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
    })
    .meta({ id: "EnforcementWatchEnd", example: { digest: "0".repeat(64), reason: "All of it should be denied." } }),
  errors: ["invalid_transition", "precondition_failed"],
  handler: (ctx, { params, body: { digest, reason } }) => enforceAfter(ctx, params.id, { digest, reason }),
});
