import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { z } from "#schema/z.js";
import { MOST_WEBHOOKS, type WebhookRequest } from "./fields.js";
import { Webhook, webhookQueues, webhooks } from "./schema.js";
import { dropSecrets, type SealedWebhookSecret, storeSecret } from "./seal-secret.js";

export const IssuedWebhook = Webhook.extend({
  secret: z.string().meta({ description: "The secret that signs messages. It is shown this once." }),
}).meta({ id: "IssuedWebhook" });

interface Prepared {
  readonly sealed: SealedWebhookSecret;
  /** The last event before it. */
  readonly position: number;
}

/** Makes a webhook that begins after a sequence. 403 where the tenant has as many as it may. */
export async function createWebhook(
  ctx: Context,
  { name, url, types, metadata }: WebhookRequest,
  { sealed, position }: Prepared,
): Promise<z.output<typeof IssuedWebhook>> {
  const { count } = await ctx.db.count(webhooks);
  if (count >= MOST_WEBHOOKS) throw new ReeveError("limit_exceeded", `A tenant has ${MOST_WEBHOOKS} webhooks at most.`);
  const webhook = await ctx.insert(webhooks, {
    ...{ name, status: "active", metadata, url, types },
    ...{ rotations: 0, replays: 0, tests: 0 },
  });
  await storeSecret(ctx, webhook.id, sealed);
  await ctx.insert(webhookQueues, {
    ...{ webhookId: webhook.id, position, done: [], again: [], failures: 0 },
    ...{ failingSince: null, alarmedAt: null, lastFailure: null, lastDeliveredAt: null, restsUntil: null },
  });
  return { ...webhook, secret: sealed.secret };
}

/** Removes a webhook with its secret and its queue. Attempts may be very many, and go by age. */
export async function removeWebhook(ctx: Context, webhook: Webhook): Promise<void> {
  const of = { webhookId: webhook.id };
  await dropSecrets(ctx, webhook.id);
  const queue = await ctx.db.lookup(webhookQueues, "webhook", of);
  if (queue) await ctx.remove(webhookQueues, queue.value);
  await ctx.remove(webhooks, webhook);
}
