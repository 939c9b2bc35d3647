import { assets } from "#families/estate/index.js";
import { foldUsername, users } from "#families/identity/index.js";
import { sessions } from "#families/sessions/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { isSame } from "#kernel/records/is-same.js";
import { isIdOf } from "#store/collection.js";
import { decisionApprovalStatus } from "./machine.js";
import { expiryFrom } from "./new-request.js";
import { type DecisionApproval, decisionApprovals } from "./schema.js";
import { type ApprovalScope, completed, type GivenScope, widerThan } from "./scope.js";

interface Remarks {
  readonly reason?: string | undefined;
}

/** Approves a request, for at most what was asked for. */
export async function grant(
  ctx: Context,
  id: string,
  { reason, scope: given }: Remarks & { readonly scope?: GivenScope | undefined },
): Promise<DecisionApproval> {
  const approval = await ctx.getForUpdate(decisionApprovals, id);
  const scope = completed(given ?? {});
  if (approval.status === "approved" && (given === undefined || isSame(scope, approval.scope))) return approval;
  const latest = await expiryFrom(ctx);
  refuseWider(scope, approval.requestedScope, latest, ctx.now);
  const ends = [latest, scope.until, approval.requestedScope.until].filter((moment) => moment !== null);
  const patch = { ...decidedBy(ctx, reason), scope, expiresAt: ends.sort()[0] as string };
  const options = { reason, patch, involved: await doersOf(ctx, approval) };
  return ctx.transition(decisionApprovals, decisionApprovalStatus, approval, { event: "approve" }, options);
}

/** Rejects a request. */
export async function reject(ctx: Context, id: string, { reason }: Remarks): Promise<DecisionApproval> {
  const approval = await ctx.getForUpdate(decisionApprovals, id);
  if (approval.status === "rejected") return approval;
  const options = { reason, patch: decidedBy(ctx, reason) };
  return ctx.transition(decisionApprovals, decisionApprovalStatus, approval, { event: "reject" }, options);
}

/** Withdraws an approval. The next call that it would have allowed waits anew. */
export async function withdraw(ctx: Context, id: string, { reason }: Remarks): Promise<DecisionApproval> {
  const approval = await ctx.getForUpdate(decisionApprovals, id);
  if (approval.status === "withdrawn") return approval;
  const patch = { withdrawnBy: ctx.principal.userId, withdrawnAt: ctx.now };
  return ctx.transition(decisionApprovals, decisionApprovalStatus, approval, { event: "withdraw" }, { reason, patch });
}

const decidedBy = (ctx: Context, reason: string | undefined) => ({
  decidedBy: ctx.principal.userId,
  decidedAt: ctx.now,
  decisionReason: reason ?? null,
});

/** 400 for a scope that reaches further than was asked for, or beyond the time that approvals last. */
function refuseWider(scope: ApprovalScope, requested: ApprovalScope, latest: string, now: string): void {
  const wider = widerThan(scope, requested).map((part) => [part, "It reaches further than was asked for."] as const);
  const { until } = scope;
  const isBeyond = until !== null && (until <= now || until > latest);
  const beyond = isBeyond ? [["until", `It lies ahead, and not beyond ${latest}.`] as const] : [];
  const errors = [...wider, ...beyond].map(([part, message]) => ({
    pointer: `/scope/${part}`,
    code: "out_of_bounds",
    message,
  }));
  if (errors.length > 0) throw new ReeveError("invalid_request", "The scope is out of bounds.", { errors });
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
