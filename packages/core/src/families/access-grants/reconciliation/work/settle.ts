import type { Context } from "#kernel/operation/context.js";
import { activationOf, endStateOf } from "../../assignments/assignment-time.js";
import { assignmentStatus } from "../../assignments/machine.js";
import { endingOf } from "../../assignments/rules.js";
import { type AccessAssignment, accessAssignments } from "../../assignments/schema.js";
import { forgive } from "../note-seen.js";
import { nextLook } from "../rules.js";
import { type AccessReconciliation, accessReconciliations } from "../schema.js";
import { heldReconciliation, restOf } from "./continue.js";
import { holdersOf } from "./holders.js";
import { connectorOf, settledFrom } from "./propagation.js";

const BY_SYSTEM = { triggeredBy: "connector" } as const;

/** What a target has said. */
export interface Seen {
  readonly from: "grant_result" | "verify";
  /** What that comes to; `unknown` where the target does not show what it took. */
  readonly state: AccessReconciliation["targetState"];
  /** The target was seen to have it. It is what a look that finds it says. */
  readonly isShown?: boolean;
  readonly externalGrantId?: string | undefined;
  /** Whether sessions that were open may go on. */
  readonly residualAccess?: "none" | "possible";
}

/** What every outcome leaves behind. */
const SETTLED = { acting: null, externalOpRef: null, attempts: 0, failingSince: null, failure: null } as const;

/** Stores that the target has the grant: those who wait for it are active, and those who are over leave it to them. */
export async function settlePresent(ctx: Context, seen: AccessReconciliation, reported: Seen): Promise<void> {
  const reconciliation = await heldReconciliation(ctx, seen);
  const { holding, ending, nextAt } = await holdersOf(ctx, reconciliation);
  const preExisting = reconciliation.preExisting || (!reconciliation.granted && reported.from === "verify");
  const { state: targetState, isShown = reported.from === "verify" && targetState === "present" } = reported;
  const isHidden = targetState === "unknown";
  const hiddenSince = isHidden ? (reconciliation.hiddenSince ?? ctx.now) : isShown ? null : reconciliation.hiddenSince;
  const settled = await ctx.update(accessReconciliations, reconciliation, {
    ...SETTLED,
    ...restOf(ctx, reconciliation, seen, nextAt),
    ...(isHidden && nextAt === null && reconciliation.asked === seen.asked
      ? nextLook(hiddenSince ?? ctx.now, ctx.request.nowMs)
      : {}),
    ...(await settling(ctx, reconciliation, reported)),
    ...{ targetState, observedAt: ctx.now, hiddenSince },
    shown: reconciliation.shown || isShown,
    preExisting,
    externalGrantId: reported.externalGrantId ?? reconciliation.externalGrantId,
    ...(reported.from === "grant_result" && reconciliation.asked === seen.asked ? { renew: false } : {}),
  });
  if (isShown && !reconciliation.shown) await forgive(ctx, settled);
  const unverified = !(await connectorOf(ctx, reconciliation))?.verify;
  const seenAt = { observedAt: ctx.now, observedBy: reported.from, unseenSince: isHidden ? hiddenSince : null };
  const observed = { targetState, ...seenAt, unverified };
  const isNew = (one: AccessAssignment) =>
    one.targetState !== targetState || (one.unseenSince === null) !== (observed.unseenSince === null);
  for (const one of holding) {
    if (one.status === "pending" && one.notBefore <= ctx.now) {
      const externalGrantId = reported.externalGrantId ?? reconciliation.externalGrantId;
      const patch = {
        ...activationOf(one, ctx.request.nowMs),
        ...observed,
        preExisting,
        externalGrantId,
        failure: null,
      };
      const options = { ...BY_SYSTEM, patch: { ...patch, previousGrantKey: null } };
      await ctx.transition(accessAssignments, assignmentStatus, one, { event: "activate" }, options);
    } else if (one.status === "active" && (isNew(one) || one.previousGrantKey !== null))
      await ctx.update(accessAssignments, one, { ...observed, previousGrantKey: null }, { copy: true });
  }
  const keeps = holding.some(({ notBefore }) => notBefore <= ctx.now);
  if (keeps) for (const one of ending) await finish(ctx, one, { ...observed, sharedGrant: true });
}

/** Stores that the target has taken the grant away, which ends those who wait for that, whether it shows that or not. */
export async function settleAbsent(ctx: Context, seen: AccessReconciliation, reported: Seen): Promise<void> {
  const reconciliation = await heldReconciliation(ctx, seen);
  const { ending, nextAt } = await holdersOf(ctx, reconciliation);
  await ctx.update(accessReconciliations, reconciliation, {
    ...SETTLED,
    ...restOf(ctx, reconciliation, seen, nextAt),
    ...(await settling(ctx, reconciliation, reported)),
    targetState: reported.state,
    observedAt: ctx.now,
    granted: false,
    renew: false,
    preExisting: false,
    externalGrantId: null,
  });
  const { residualAccess = "possible", state: targetState } = reported;
  const unseenSince =
    targetState === "unknown" && reconciliation.granted ? (reconciliation.hiddenSince ?? ctx.now) : null;
  const observed = { targetState, unseenSince, observedAt: ctx.now, observedBy: reported.from };
  for (const one of ending) await finish(ctx, one, { ...observed, residualAccess });
}

/** Ends those who never had the grant. Nothing was asked of the target for them, and what it has is not theirs. */
export async function settleUntouched(ctx: Context, seen: AccessReconciliation): Promise<void> {
  const { ending, nextAt } = await holdersOf(ctx, seen);
  await ctx.update(accessReconciliations, seen, { ...SETTLED, ...restOf(ctx, seen, seen, nextAt) });
  for (const one of ending) await finish(ctx, one, { residualAccess: "none" });
}

async function finish(ctx: Context, one: AccessAssignment, observed: Partial<AccessAssignment>): Promise<void> {
  if (!endingOf(one)) return;
  const stored = await ctx.getOrThrow(accessAssignments, one.id);
  const options = { ...BY_SYSTEM, patch: { ...observed, endedAt: ctx.now, previousGrantKey: null } };
  await ctx.transition(accessAssignments, assignmentStatus, stored, { event: endStateOf(stored) }, options);
}

/** A write counts from its answer. */
async function settling(
  ctx: Context,
  reconciliation: AccessReconciliation,
  { from }: Seen,
): Promise<Pick<AccessReconciliation, "settledUntil">> {
  return from === "grant_result"
    ? { settledUntil: await settledFrom(ctx, reconciliation) }
    : { settledUntil: reconciliation.settledUntil };
}
