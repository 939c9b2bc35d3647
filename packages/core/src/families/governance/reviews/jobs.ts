import { findings } from "#families/findings/index.js";
import type { Context } from "#kernel/operation/context.js";
import { findingReviews, type Review } from "./schema.js";

/** Reviews that took effect. Those that wait go with the next one that does. */
export const DONE = { outcome: "done" } as const;
const MOST_WAITING = 100;

/** Drops earlier requests for a four-eyes approver, unless the finding still waits for one. */
export async function dropAnsweredRequests(ctx: Context, { findingId, createdAt }: Review): Promise<void> {
  const finding = (await ctx.db.get(findings, findingId))?.value;
  if (finding?.dismissalRequest || finding?.severityRequest) return;
  // Done ones go oldest first, so what is left before this one had waited.
  const { rows } = await ctx.db.find(findingReviews, {
    where: { findingId },
    order: { direction: "asc" },
    range: { before: createdAt },
    size: MOST_WAITING,
  });
  for (const { value } of rows)
    if (value.outcome !== "done") await ctx.remove(findingReviews, value, { event: false, forGood: true });
}
