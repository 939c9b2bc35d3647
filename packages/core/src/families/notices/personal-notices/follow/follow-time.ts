import { headOf } from "#families/activity/index.js";
import { assets } from "#families/estate/index.js";
import { tenants } from "#families/platform/index.js";
import { reviews } from "#families/reviews/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { everyPage } from "#kernel/operation/every-page.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs, hoursMs } from "#ports/durations.js";
import type { Reader } from "#store/store.js";
import { ENDING } from "../matters/find-own-assets.js";
import { escalatedThrough } from "../matters/find-reviews.js";
import { noticeProgress } from "../schema.js";
import { move, progressOf } from "./follow-chain.js";
import type { Room } from "./room.js";
import { BATCH, settleMatters } from "./settle-matters.js";

/**
 * Tells of what only time brings about: approvals that end soon, and what has waited for long. Ends early where there is no
 * more room.
 */
export async function followTime(newContext: () => OutsideContext, room: Room): Promise<void> {
  const ctx = newContext();
  const progress = await progressOf(ctx);
  const ending = timestamp(ctx.request.nowMs + ENDING);
  const escalated = escalatedThrough(ctx);
  const before = room.settled;
  const range = { from: progress.endingsBefore, before: ending };
  const soon = { order: { by: "expiresAt", direction: "asc" }, range, size: BATCH } as const;
  for await (const rows of everyPage(ctx.db, assets, soon)) {
    if (!room.mayGoOn) return;
    const ids = rows.map(({ id }) => id);
    room.take(await settleMatters(newContext(), ids));
  }
  if (escalated !== undefined && escalated > progress.escalatedBefore) {
    const since = { from: progress.escalatedBefore, through: escalated };
    const long = { order: { by: "createdAt", direction: "asc" }, range: since, size: BATCH } as const;
    for await (const rows of everyPage(ctx.db, reviews, long)) {
      if (!room.mayGoOn) return;
      room.take(await settleMatters(newContext(), [...new Set(rows.map(({ value }) => value.subject.id))]));
    }
  }
  // A look that found nothing is worth a write once in a while.
  const isLong = ending > timestamp(Date.parse(progress.endingsBefore) + hoursMs(1));
  if (room.mayGoOn && (room.settled > before || isLong)) {
    const escalatedBefore = escalated ?? timestamp(ctx.request.nowMs - daysMs(1));
    await move(ctx, progress, { endingsBefore: ending, escalatedBefore });
  }
}

/** When somebody is next to be told of something: now where a run has left events, or by time; `null` for never. */
export async function nextByTime(_env: Environment, reader: Reader, now: string): Promise<string | null> {
  const [held, tenant, head] = await Promise.all([
    reader.get(noticeProgress, reader.tenantId),
    reader.get(tenants, reader.tenantId),
    headOf(reader),
  ]);
  if (!held || held.value.position < head) return now;
  const { endingsBefore, escalatedBefore } = held.value;
  const first = { direction: "asc" } as const;
  const [asset] = (
    await reader.find(assets, { order: { ...first, by: "expiresAt" }, range: { from: endingsBefore }, size: 1 })
  ).rows;
  const endsAt = asset?.value.approvedUntil ?? null;
  const hours = (tenant?.value.settings as { readonly escalationHours?: number | null } | undefined)?.escalationHours;
  const [review] =
    typeof hours === "number"
      ? (
          await reader.find(reviews, {
            order: { ...first, by: "createdAt" },
            range: { from: escalatedBefore },
            size: 1,
          })
        ).rows
      : [];
  const times = [
    ...(endsAt === null ? [] : [timestamp(Date.parse(endsAt) - ENDING)]),
    ...(review ? [timestamp(Date.parse(review.value.createdAt) + hoursMs(hours ?? 0))] : []),
  ];
  return times.sort()[0] ?? null;
}
