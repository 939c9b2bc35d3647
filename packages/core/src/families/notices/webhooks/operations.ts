import { headOf, requireEventTypes } from "#families/activity/index.js";
import { ById, listOperation, readOperation } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { moveBody } from "#kernel/records/open-body.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { WebhookPatch, WebhookRequest } from "./fields.js";
import { webhookStatus } from "./machine.js";
import { createWebhook, IssuedWebhook, removeWebhook } from "./make-webhook.js";
import { deliveryOf, queueOf, WebhookDelivery } from "./queries.js";
import { ReplayRequest, replay } from "./replay-events.js";
import { Webhook, WebhookAttempt, webhookAttempts, webhookQueues, webhooks } from "./schema.js";
import { newSecret, storeSecret } from "./seal-secret.js";
import { TestedWebhook, testWebhook } from "./test-webhook.js";

const PATH = "/api/v1/webhooks";
const tag = "Notices";
const may = (verb: "read" | "write") => ({ permission: `webhook:${verb}` }) as const;
const shared = { tag, path: PATH, collection: webhooks, schema: Webhook, extension: true } as const;

export const list = listOperation({ ...shared, id: "webhooks.list", summary: "List webhooks", access: may("read") });

export const create = defineOperation({
  id: "webhooks.create",
  method: "POST",
  path: PATH,
  tag,
  summary: "Make a webhook: an address that events are posted to, signed",
  description:
    "By the Standard Webhooks specification. It begins with the next event. The secret that signs is shown this once. A message holds the whole event, so the receiver sees what whoever reads all records sees.",
  extension: true,
  access: may("write"),
  secret: true,
  body: WebhookRequest,
  success: { status: 201, schema: IssuedWebhook },
  errors: ["limit_exceeded"],
  async prepare(ctx, { body }) {
    requireEventTypes(ctx, body.types);
    return { sealed: await newSecret(ctx), position: await headOf(ctx.db) };
  },
  handler: (ctx, { body }, prepared) => createWebhook(ctx, body, prepared),
});

export const read = readOperation({
  ...shared,
  id: "webhooks.read",
  summary: "Read one webhook, without its secret",
  access: may("read"),
});

export const patch = defineOperation({
  id: "webhooks.patch",
  method: "PATCH",
  path: `${PATH}/{id}`,
  tag,
  summary: "Change the name of a webhook, its address, or the types of events",
  extension: true,
  access: may("write"),
  params: ById,
  body: WebhookPatch,
  success: { status: 200, schema: Webhook },
  async handler(ctx, { params, body }) {
    requireEventTypes(ctx, body.types ?? []);
    return ctx.update(webhooks, await ctx.getForUpdate(webhooks, params.id), body);
  },
});

export const remove = defineOperation({
  id: "webhooks.remove",
  method: "DELETE",
  path: `${PATH}/{id}`,
  tag,
  summary: "Remove a webhook, with its secret",
  extension: true,
  access: may("write"),
  params: ById,
  success: { status: 204 },
  async handler(ctx, { params }) {
    await removeWebhook(ctx, await ctx.getForUpdate(webhooks, params.id));
    return undefined;
  },
});

export const disable = defineOperation({
  id: "webhooks.disable",
  stops: true,
  method: "POST",
  path: `${PATH}/{id}/disable`,
  tag,
  summary: "Send no more events to a webhook",
  extension: true,
  access: may("write"),
  params: ById,
  body: moveBody({ id: "WebhookDisabling", to: "disabled", example: { reason: "The receiver is being moved." } }),
  success: { status: 200, schema: Webhook },
  errors: ["invalid_transition"],
  async handler(ctx, { params, body: { reason } }) {
    const webhook = await ctx.getForUpdate(webhooks, params.id);
    if (webhook.status === "disabled") return webhook;
    await ctx.update(webhookQueues, await queueOf(ctx, webhook.id), { restsUntil: null });
    return ctx.transition(webhooks, webhookStatus, webhook, { event: "disable" }, { reason });
  },
});

export const enable = defineOperation({
  id: "webhooks.enable",
  method: "POST",
  path: `${PATH}/{id}/enable`,
  tag,
  summary: "Send events to a webhook again, from where it stopped",
  extension: true,
  access: may("write"),
  params: ById,
  body: moveBody({ id: "WebhookEnabling", to: "active", example: { reason: "The receiver is back." } }),
  success: { status: 200, schema: Webhook },
  errors: ["invalid_transition"],
  async handler(ctx, { params, body: { reason } }) {
    const webhook = await ctx.getForUpdate(webhooks, params.id);
    if (webhook.status === "active") return webhook;
    const queue = await queueOf(ctx, webhook.id);
    await ctx.update(webhookQueues, queue, { failures: 0, failingSince: null, alarmedAt: null, restsUntil: ctx.now });
    return ctx.transition(webhooks, webhookStatus, webhook, { event: "enable" }, { reason });
  },
});

export const rotateSecret = defineOperation({
  id: "webhooks.rotateSecret",
  method: "POST",
  path: `${PATH}/{id}/secret`,
  tag,
  summary: "Give a webhook a new secret, and show it this once",
  description: "For a day, messages are signed by the new secret and by the one before.",
  extension: true,
  access: may("write"),
  secret: true,
  params: ById,
  success: {
    status: 201,
    schema: z
      .object({
        secret: z.string().meta({ description: "The new secret. It is shown this once." }),
        overlapEndsAt: Time.meta({ description: "Until when the one before signs too." }),
      })
      .meta({ id: "RotatedWebhookSecret" }),
  },
  errors: ["concurrent_modification"],
  prepare: async (ctx, { params }) => newSecret(ctx, (await ctx.getOrThrow(webhooks, params.id)).id),
  async handler(ctx, { params }, sealed) {
    const webhook = await ctx.getForUpdate(webhooks, params.id);
    const patch = { rotations: webhook.rotations + 1 };
    const { id, rotations } = await ctx.update(webhooks, webhook, patch, { event: false });
    const overlapEndsAt = await storeSecret(ctx, id, sealed);
    await ctx.emit({
      type: "webhook.secret.rotated",
      subject: { id, type: "webhook", path: `${PATH}/${id}` },
      data: { rotations, overlapEndsAt },
    });
    return { secret: sealed.secret, overlapEndsAt };
  },
});

export const test = defineOperation({
  id: "webhooks.test",
  method: "POST",
  path: `${PATH}/{id}/test`,
  tag,
  summary: "Test a webhook by a signed message, and tell what it answered",
  description: "The message is of type `webhook.test`, stands for no event, and is posted once.",
  extension: true,
  access: may("write"),
  killSwitches: ["connectors.outbound"],
  expensive: true,
  params: ById,
  success: { status: 200, schema: TestedWebhook },
  errors: ["kill_switch_active", "secret_unavailable", "concurrent_modification"],
  prepare: async (ctx, { params }) => testWebhook(ctx, await ctx.getOrThrow(webhooks, params.id)),
  async handler(ctx, { params }, tested) {
    const webhook = await ctx.getForUpdate(webhooks, params.id);
    await ctx.update(webhooks, webhook, { tests: webhook.tests + 1 });
    return tested;
  },
});

export const replayEvents = defineOperation({
  id: "webhooks.replay",
  method: "POST",
  path: `${PATH}/{id}/replay`,
  tag,
  summary: "Send events to a webhook again: all since a moment or after a sequence, or one by id",
  description: "Messages keep their ids, by which a receiver knows what it has got already.",
  extension: true,
  access: may("write"),
  params: ById,
  body: ReplayRequest,
  success: { status: 200, schema: WebhookDelivery },
  errors: ["invalid_reference", "limit_exceeded"],
  async handler(ctx, { params, body }) {
    const webhook = await ctx.getForUpdate(webhooks, params.id);
    return deliveryOf(ctx, webhook, await replay(ctx, webhook, body));
  },
});

export const readDelivery = defineOperation({
  id: "webhooks.readDelivery",
  method: "GET",
  path: `${PATH}/{id}/delivery`,
  tag,
  summary: "Tell how far a webhook is, and since when it fails",
  extension: true,
  access: may("read"),
  params: ById,
  success: { status: 200, schema: WebhookDelivery },
  async handler(ctx, { params }) {
    const webhook = await ctx.getOrThrow(webhooks, params.id);
    return deliveryOf(ctx, webhook, await queueOf(ctx, webhook.id));
  },
});

export const listAttempts = defineOperation({
  id: "webhooks.listAttempts",
  method: "GET",
  path: `${PATH}/{id}/attempts`,
  tag,
  summary: "List attempts to deliver events to a webhook, newest first",
  extension: true,
  access: may("read"),
  params: ById,
  query: listQuery(webhookAttempts),
  success: { status: 200, schema: pageOf(WebhookAttempt) },
  async handler(ctx, { params, query }) {
    const { id } = await ctx.getOrThrow(webhooks, params.id);
    return ctx.page(webhookAttempts, query, { where: { webhookId: id } });
  },
});
