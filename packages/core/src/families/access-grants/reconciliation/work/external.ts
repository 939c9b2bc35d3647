import type { ApplyResult } from "#connectors/index.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import { type AccessReconciliation, accessReconciliations } from "../schema.js";
import { heldReconciliation } from "./continue.js";

const LEAST_PAUSE = 1_000;

/** Stores that the target does it later. It is polled until it has. `turnedTo` is what it was asked for instead. */
export async function settleAccepted(
  ctx: Context,
  seen: AccessReconciliation,
  { externalOpRef, pollAfterSeconds }: Extract<ApplyResult, { outcome: "accepted" }>,
  turnedTo?: "revoke",
): Promise<void> {
  const reconciliation = await heldReconciliation(ctx, seen);
  // What is no number is asked about as late as anything.
  const asked = Number.isNaN(Number(pollAfterSeconds)) ? hoursMs(1) : Number(pollAfterSeconds) * 1_000;
  const pause = Math.min(hoursMs(1), Math.max(LEAST_PAUSE, asked));
  const dueAt = timestamp(ctx.request.nowMs + pause);
  const externalSince = reconciliation.externalOpRef === null || turnedTo ? ctx.now : reconciliation.externalSince;
  const turned = turnedTo ? { acting: turnedTo } : {};
  const waiting = { externalOpRef, externalSince, phase: "external", dueAt, ...turned } as const;
  await ctx.update(accessReconciliations, reconciliation, { ...waiting, attempts: 0, failure: null });
}

/** Waits until what the target shows is not older than the last write. */
export async function wait(ctx: Context, seen: AccessReconciliation): Promise<void> {
  const reconciliation = await heldReconciliation(ctx, seen);
  await ctx.update(accessReconciliations, reconciliation, { phase: "waiting", dueAt: reconciliation.settledUntil });
}

/** Stores that the target still works on it, where nobody can ask how far. */
export async function stayExternal(ctx: Context, seen: AccessReconciliation): Promise<void> {
  const reconciliation = await heldReconciliation(ctx, seen);
  await ctx.update(accessReconciliations, reconciliation, {
    phase: "external",
    dueAt: timestamp(ctx.request.nowMs + hoursMs(1)),
  });
}

/** Stores that the target has finished what is not wanted any more, so that the reconciliation goes on with what is. */
export async function settleOther(
  ctx: Context,
  seen: AccessReconciliation,
  { outcome }: Pick<ApplyResult, "outcome">,
): Promise<void> {
  const reconciliation = await heldReconciliation(ctx, seen);
  const done = reconciliation.acting === "grant" ? "present" : "absent";
  const targetState = outcome === "declined" ? "unknown" : done;
  const next = { acting: null, externalOpRef: null, phase: "due", dueAt: ctx.now } as const;
  // What was taken on and is declined in the end was not done.
  const undone = outcome === "declined" && reconciliation.acting === "grant" ? { granted: false } : {};
  await ctx.update(accessReconciliations, reconciliation, { ...next, ...undone, targetState, observedAt: ctx.now });
}
