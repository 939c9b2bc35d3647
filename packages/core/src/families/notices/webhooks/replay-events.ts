import { DISORDER, firstOfMoment, headOf } from "#families/activity/index.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { StartTime } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { queueOf } from "./queries.js";
import { type Webhook, type WebhookQueue, webhookQueues, webhooks } from "./schema.js";

/** The most events that wait to be sent once more. */
const MOST_AGAIN = 100;

export const ReplayRequest = z
  .strictObject({
    after: z.int().min(0).optional().meta({ description: "The sequence after which it begins." }),
    since: StartTime.optional().meta({
      description: "The moment from which it begins, or up to an hour earlier: events may be out of order by so much.",
    }),
    reason: GenericBody.shape.reason,
    eventId: z.string().max(200).optional().meta({ description: "The only event that is sent again." }),
  })
  .refine(
    ({ after, since, eventId }) => [after, since, eventId].filter((given) => given !== undefined).length === 1,
    "Exactly one of `after`, `since` and `eventId`.",
  )
  .meta({ id: "WebhookReplay", example: { since: "2026-11-30T00:00:00.000Z" } });
export type ReplayRequest = z.output<typeof ReplayRequest>;

/** Has a webhook send again. 400 for an event that there is not; 403 where too many single ones wait. */
export async function replay(
  ctx: Context,
  webhook: Webhook,
  { after, since, eventId, reason }: ReplayRequest,
): Promise<WebhookQueue> {
  const queue = await queueOf(ctx, webhook.id);
  await ctx.update(webhooks, webhook, { replays: webhook.replays + 1 }, { event: false });
  const tell = (data: object) =>
    ctx.emit({
      type: "webhook.replayed",
      subject: subjectOf(webhooks, webhook.id),
      data: { ...data, reason: reason ?? null },
    });
  if (eventId !== undefined) {
    if (!(await ctx.db.event(eventId)))
      throw invalidProperty("/eventId", "There is no event with this id.", "invalid_reference");
    const again = [...new Set([...queue.again, eventId])];
    if (again.length > MOST_AGAIN)
      throw new ReeveError("limit_exceeded", `At most ${MOST_AGAIN} single events wait to be sent again.`);
    await tell({ eventId });
    return ctx.update(webhookQueues, queue, { again, restsUntil: ctx.now });
  }
  const head = await headOf(ctx.db);
  const position = Math.min(after ?? (await before(ctx, since as string)) ?? head, head);
  await tell({ after: position });
  return ctx.update(webhookQueues, queue, { position, done: [], restsUntil: ctx.now });
}

/** A sequence before the first event of a moment, as events may be out of order; `undefined` where all are older. */
async function before(ctx: Context, moment: string): Promise<number | undefined> {
  const first = await firstOfMoment(ctx.db, Date.parse(moment) - DISORDER);
  return first === undefined ? undefined : first - 1;
}
