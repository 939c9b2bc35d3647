import type { ApplyResult } from "#connectors/index.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import { type AccessLane, accessLanes } from "../schema.js";
import { heldLane } from "./continue.js";

const LEAST_PAUSE = 1_000;

/** Stores that the target does it later. It is polled until it has. `turnedTo` is what it was asked for instead. */
export async function settleAccepted(
  ctx: Context,
  seen: AccessLane,
  { externalOpRef, pollAfterSeconds }: Extract<ApplyResult, { outcome: "accepted" }>,
  turnedTo?: "revoke",
): Promise<void> {
  const lane = await heldLane(ctx, seen);
  // What is no number is asked about as late as anything.
  const asked = Number.isNaN(Number(pollAfterSeconds)) ? hoursMs(1) : Number(pollAfterSeconds) * 1_000;
  const pause = Math.min(hoursMs(1), Math.max(LEAST_PAUSE, asked));
  const dueAt = timestamp(ctx.request.nowMs + pause);
  const externalSince = lane.externalOpRef === null || turnedTo ? ctx.now : lane.externalSince;
  const turned = turnedTo ? { acting: turnedTo } : {};
  const waiting = { externalOpRef, externalSince, phase: "external", dueAt, ...turned } as const;
  await ctx.update(accessLanes, lane, { ...waiting, attempts: 0, failure: null });
}

/** Waits until what the target shows is not older than the last write. */
export async function wait(ctx: Context, seen: AccessLane): Promise<void> {
  const lane = await heldLane(ctx, seen);
  await ctx.update(accessLanes, lane, { phase: "waiting", dueAt: lane.settledUntil });
}

/** Stores that the target still works on it, where nobody can ask how far. */
export async function stayExternal(ctx: Context, seen: AccessLane): Promise<void> {
  const lane = await heldLane(ctx, seen);
  await ctx.update(accessLanes, lane, { phase: "external", dueAt: timestamp(ctx.request.nowMs + hoursMs(1)) });
}

/** Stores that the target has finished what is not wanted any more, so that the lane goes on with what is. */
export async function settleOther(
  ctx: Context,
  seen: AccessLane,
  { outcome }: Pick<ApplyResult, "outcome">,
): Promise<void> {
  const lane = await heldLane(ctx, seen);
  const done = lane.acting === "grant" ? "present" : "absent";
  const targetState = outcome === "declined" ? "unknown" : done;
  const next = { acting: null, externalOpRef: null, phase: "due", dueAt: ctx.now } as const;
  // What was taken on and is declined in the end was not done.
  const undone = outcome === "declined" && lane.acting === "grant" ? { granted: false } : {};
  await ctx.update(accessLanes, lane, { ...next, ...undone, targetState, observedAt: ctx.now });
}
