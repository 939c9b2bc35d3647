import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import type { Due } from "#kernel/operation/dues.js";
import { dropAged, dueByAge } from "#kernel/operation/retention.js";
import { findings } from "../findings/index.js";
import { decisionApprovals } from "./decisions/approvals/schema.js";
import { findingReviews, type Review } from "./reviews/schema.js";

const DONE = { outcome: "done" } as const;
const MOST_WAITING = 100;

/** When what people decided is to be dropped. */
export const decidedDues: readonly Due[] = [
  dueByAge("approvals", decisionApprovals, "overSince"),
  dueByAge("findingReviews", findingReviews, "createdAt", DONE),
];

/** Drops old approvals that are over, and old reviews of findings. Returns how many. */
export async function dropDecided(env: Environment, tenantId: string): Promise<number> {
  const approvals = { kind: "approvals", collection: decisionApprovals, by: "overSince" } as const;
  const done = { kind: "findingReviews", collection: findingReviews, by: "createdAt", where: DONE } as const;
  return (
    (await dropAged(env, tenantId, approvals)) +
    (await dropAged(env, tenantId, { ...done, also: dropAnsweredRequests }))
  );
}

/** Drops earlier requests for a four-eyes approver, unless the finding still waits for one. */
async function dropAnsweredRequests(ctx: Context, { findingId, createdAt }: Review): Promise<void> {
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
