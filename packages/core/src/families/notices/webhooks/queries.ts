import { notFound } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { waitingIn } from "./delivery/send-page.js";
import { type Webhook, type WebhookQueue, webhookQueues } from "./schema.js";

/** How far a webhook is. */
export const WebhookDelivery = z
  .object({
    position: z.int().min(0).meta({ description: "Every event up to this sequence was taken or is not wanted." }),
    waiting: z.int().min(0).meta({ description: "How many of the next hundred events it waits for." }),
    more: z.boolean().meta({ description: "Whether there are more events than those hundred." }),
    failingSince: Time.nullable().meta({ description: "Since when no message was taken; `null` where it works." }),
    failures: z.int().min(0).meta({ description: "Failed attempts since then." }),
    lastFailure: z.string().nullable().meta({ description: "Code of the last failure since then." }),
    nextAttemptAt: Time.nullable().meta({ description: "When it is tried again, where it fails." }),
    lastDeliveredAt: Time.nullable().meta({ description: "When a message was last taken." }),
  })
  .meta({ id: "WebhookDelivery" });

/** The queue of a webhook. 404 where it was removed. */
export async function queueOf({ db }: ReadContext, webhookId: string): Promise<WebhookQueue> {
  const row = await db.lookup(webhookQueues, "webhook", { webhookId });
  if (!row) throw notFound();
  return row.value;
}

/** A queue as callers see it. */
export async function deliveryOf(
  ctx: ReadContext,
  webhook: Webhook,
  queue: WebhookQueue,
): Promise<z.output<typeof WebhookDelivery>> {
  const { position, failingSince, failures, lastFailure, restsUntil, lastDeliveredAt } = queue;
  const { waiting, isFull } = await waitingIn(ctx.env, ctx.db, webhook, queue);
  return {
    ...{ position, waiting, more: isFull },
    ...{ failingSince, failures, lastFailure, lastDeliveredAt },
    nextAttemptAt: failingSince === null ? null : restsUntil,
  };
}
