import type { ConnectorError } from "#connectors/index.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { assignmentStatus } from "../../assignments/machine.js";
import { accessAssignments } from "../../assignments/schema.js";
import { hasDoneNothing, isFinal, type ReconciliationFault, spreadOf, verdictOn } from "../rules.js";
import { type AccessReconciliation, accessReconciliations } from "../schema.js";
import { heldReconciliation, restOf } from "./continue.js";
import { holdersOf } from "./holders.js";

export type Fault = ReconciliationFault & Pick<ConnectorError, "message">;

/** Stores a failure, and what follows from it. What was begun and may have happened stays noted. */
export async function settleFailure(ctx: Context, seen: AccessReconciliation, fault: Fault): Promise<void> {
  const reconciliation = await heldReconciliation(ctx, seen);
  const { nowMs } = ctx.request;
  const since = reconciliation.failingSince === null ? nowMs : Date.parse(reconciliation.failingSince);
  const spread = spreadOf(reconciliation);
  const verdict = verdictOn(fault, {
    wanted: seen.wanted,
    attempts: reconciliation.attempts,
    since,
    now: nowMs,
    spread,
  });
  const { errorClass, code = null, message } = fault;
  const failure = { errorClass, code, message };
  const untouched = hasDoneNothing(fault) ? { granted: seen.granted, acting: seen.acting } : {};
  const failed = { attempts: verdict.attempts, failingSince: timestamp(since), failure, ...untouched };
  if (verdict.next === "give_up") return giveUp(ctx, reconciliation, seen, failed);
  const isAskedAgain = reconciliation.asked !== seen.asked;
  await ctx.update(accessReconciliations, reconciliation, {
    ...failed,
    ...(isFinal(fault) ? { externalOpRef: null } : {}),
    phase: verdict.next === "rest" ? "parked" : "waiting",
    dueAt: isAskedAgain ? ctx.now : timestamp(nowMs + verdict.afterMs),
  });
  if (verdict.report) await report(ctx, reconciliation, failure);
}

/** Those who wait for the grant do not get it. The reconciliation then sees to it that the target has none of it. */
async function giveUp(
  ctx: Context,
  reconciliation: AccessReconciliation,
  seen: AccessReconciliation,
  failed: Pick<AccessReconciliation, "attempts" | "failingSince" | "failure"> &
    Partial<Pick<AccessReconciliation, "granted" | "acting">>,
): Promise<void> {
  const { holding, nextAt } = await holdersOf(ctx, reconciliation);
  await ctx.update(accessReconciliations, reconciliation, {
    ...failed,
    ...restOf(ctx, reconciliation, seen, nextAt),
    externalOpRef: null,
  });
  const ended = { endReason: "provision_failed", endedBy: "system", endingSince: ctx.now } as const;
  const { failure } = failed;
  for (const one of holding.filter(({ status, notBefore }) => status === "pending" && notBefore <= ctx.now)) {
    const options = { triggeredBy: "connector", reason: failure?.message, patch: { ...ended, failure } } as const;
    await ctx.transition(accessAssignments, assignmentStatus, one, { event: "give_up" }, options);
  }
}

/** Tells people of a revocation that the target does not confirm. It goes on. */
export async function report(
  ctx: Context,
  reconciliation: Pick<AccessReconciliation, "grantKey">,
  failure: NonNullable<AccessReconciliation["failure"]>,
): Promise<void> {
  const { ending } = await holdersOf(ctx, reconciliation);
  for (const one of ending.filter(({ status }) => status === "revoking")) {
    const stored = await ctx.getOrThrow(accessAssignments, one.id);
    if (stored.status !== "revoking") continue;
    const options = { triggeredBy: "connector", reason: failure.message, patch: { failure } } as const;
    await ctx.transition(accessAssignments, assignmentStatus, stored, { event: "stall" }, options);
  }
}
