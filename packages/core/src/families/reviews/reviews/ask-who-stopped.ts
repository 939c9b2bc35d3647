import { assets } from "#families/estate/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { Stop } from "#kernel/operation/stops.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { reviews } from "./schema.js";
import { stopTitle } from "./stop-words.js";

/** Puts into the inbox of whoever stopped something that a reason is wanted. Each asks for one at a time. */
export async function askWhoStopped(ctx: Context, { act, subject, name }: Stop): Promise<void> {
  // The provider's people have their inbox in their own tenant, wherever they act.
  const own = ctx.on(ctx.principal.tenantId);
  const { userId } = ctx.principal;
  const matter = { kind: "stop_reason", subjectId: subject.id, key: `${act} ${userId}` } as const;
  if (await own.db.lookup(reviews, "matter", matter)) return;
  await own.insert(
    reviews,
    {
      ...own.stamp(reviews),
      name: nameOf(stopTitle(act, name)),
      status: "waiting",
      metadata: {},
      kind: matter.kind,
      subject,
      key: matter.key,
      assetId: subject.type === assets.resource?.type ? subject.id : null,
      permission: "review:read",
      requestedBy: null,
      assignee: userId,
      dueAt: timestamp(ctx.request.nowMs + daysMs(1)),
      endsAt: null,
      escalatedAt: null,
      comments: [],
    },
    { event: false },
  );
}
