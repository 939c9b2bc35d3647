import type { Context } from "#kernel/operation/context.js";
import { type AccessAssignment, accessAssignments } from "../assignments/schema.js";
import { type AccessReconciliation, accessReconciliations } from "./schema.js";
import { holdersOf } from "./work/holders.js";

/** Reconciliations that are over and did not show, which one that shows speaks for. */
const MOST = 200;

type From = NonNullable<AccessAssignment["observedBy"]>;

/** Keeps that a target shows a grant. Those who hold it are seen from then on, whatever was not shown before. */
export async function noteShown(
  ctx: Context,
  reconciliation: AccessReconciliation,
  from: From,
): Promise<AccessReconciliation> {
  if (reconciliation.shown && reconciliation.hiddenSince === null) return reconciliation;
  const isHeld = reconciliation.wanted === "present" && reconciliation.phase === "idle";
  const seen = isHeld ? ({ targetState: "present", observedAt: ctx.now, dueAt: null } as const) : {};
  const shown = await ctx.update(accessReconciliations, reconciliation, { shown: true, hiddenSince: null, ...seen });
  await forgive(ctx, shown);
  if (isHeld) await notifyHolders(ctx, shown, from);
  return shown;
}

/** Keeps that a target does not show a grant of Reeve's that it took. Nobody says that it lacks it until it has shown it. */
export async function noteHidden(
  ctx: Context,
  reconciliation: AccessReconciliation,
  from: From,
): Promise<AccessReconciliation> {
  if (!reconciliation.granted) return reconciliation;
  const seen = {
    hiddenSince: reconciliation.hiddenSince ?? ctx.now,
    targetState: "unknown",
    observedAt: ctx.now,
  } as const;
  const hidden = await ctx.update(accessReconciliations, reconciliation, seen);
  await notifyHolders(ctx, hidden, from);
  return hidden;
}

async function notifyHolders(ctx: Context, reconciliation: AccessReconciliation, observedBy: From): Promise<void> {
  const { targetState, hiddenSince: unseenSince } = reconciliation;
  const observed = { targetState, unseenSince, observedAt: ctx.now, observedBy };
  for (const one of (await holdersOf(ctx, reconciliation)).holding)
    if (one.status === "active" && one.grantKey === reconciliation.grantKey && one.targetState !== targetState)
      await ctx.update(accessAssignments, one, observed, { copy: true });
}

/**
 * A target that shows a grant of a kind shows that kind. What it did not show of it before, and was taken away since,
 * came too late to be seen.
 */
export async function forgive(ctx: Context, { connectorInstanceId, resource }: AccessReconciliation): Promise<void> {
  const { rows } = await ctx.db.find(accessReconciliations, { where: { hiddenOf: connectorInstanceId }, size: MOST });
  for (const { value } of rows)
    if (!value.granted && value.resource.type === resource.type)
      await ctx.update(accessReconciliations, value, { hiddenSince: null });
}
