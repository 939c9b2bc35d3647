import type { ReadContext } from "#kernel/operation/read-context.js";
import { Time } from "#kernel/records/record.js";
import type { z } from "#schema/z.js";
import { postMessage } from "./delivery/post-message.js";
import { signed } from "./delivery/sign-message.js";
import { type Webhook, WebhookAttempt } from "./schema.js";
import { signingKeys } from "./seal-secret.js";

export const TestedWebhook = WebhookAttempt.pick({
  outcome: true,
  httpStatus: true,
  failure: true,
  durationMs: true,
})
  .extend({ postedAt: Time.meta({ description: "When the message was posted." }) })
  .meta({ id: "TestedWebhook" });

/** Posts a message that stands for no event. */
export async function testWebhook(ctx: ReadContext, { id, url }: Webhook): Promise<z.output<typeof TestedWebhook>> {
  const keys = await signingKeys(ctx.env, ctx.db.tenantId, id);
  const type = `${ctx.env.options.eventTypePrefix}.webhook.test.v1`;
  const body = JSON.stringify({ type, timestamp: ctx.now, data: { webhookId: id } });
  const posted = await postMessage(ctx.env, url, signed(ctx.newId("wht"), body, keys, ctx.request.nowMs));
  return { ...posted, postedAt: ctx.now };
}
