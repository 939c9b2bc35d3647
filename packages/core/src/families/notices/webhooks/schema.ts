import { defineCollection } from "#kernel/records/collection.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordFields, recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Types, WebhookUrl } from "./fields.js";
import { webhookStatus } from "./machine.js";

/** An address of another system that events are posted to. */
export const Webhook = z
  .object({
    ...recordShape(z.enum(statesOf(webhookStatus))),
    url: WebhookUrl,
    types: Types,
    rotations: z.int().min(0).meta({ description: "How often its secret was changed." }),
    replays: z.int().min(0).meta({ description: "How often it was asked to send again." }),
    tests: z.int().min(0).meta({ description: "How often it was tested." }),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.output<typeof Webhook>;

/** Webhooks of a tenant. Caches know by them which tenants have any. */
export const webhooks = defineCollection<Webhook>({
  name: "webhooks",
  prefix: "whk",
  schema: Webhook,
  resource: { type: "webhook", event: "webhook", path: "/api/v1/webhooks" },
  machines: { status: webhookStatus },
  fields: { status: { type: "text" } },
  indexes: [{ where: ["status"] }],
  filters: { status: { values: statesOf(webhookStatus) } },
  broadcast: true,
});

const WebhookQueue = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  webhookId: z.string(),
  /** Every event up to this sequence was delivered or is not wanted. */
  position: z.int().min(0),
  /** Sequences after it that were delivered already. */
  done: z.array(z.int()),
  /** Ids of events that are sent once more. */
  again: z.array(z.string()),
  /** Failed attempts since the last delivery, and since when. */
  failures: z.int().min(0),
  failingSince: Time.nullable(),
  /** When it was told that this goes on for long; `null` where it was not. */
  alarmedAt: Time.nullable(),
  lastFailure: z.string().nullable(),
  lastDeliveredAt: Time.nullable(),
  /** Until when a process sends, or until when a failure lets it rest. */
  restsUntil: Time.nullable(),
});
export type WebhookQueue = z.output<typeof WebhookQueue>;

/** How far each webhook is, apart from the records that people change. */
export const webhookQueues = defineCollection<WebhookQueue>({
  name: "webhook_queues",
  prefix: "whq",
  schema: WebhookQueue,
  fields: { webhookId: { type: "text", compare: "exact" }, restsUntil: { type: "time" } },
  unique: { webhook: ["webhookId"] },
  indexes: [{ where: [], by: "restsUntil", partial: true }],
});

/** One attempt to deliver an event. */
export const WebhookAttempt = z
  .object({
    id: recordFields.id,
    version: recordFields.version,
    createdAt: Time.meta({ description: "When the attempt ended." }),
    webhookId: z.string().meta({ description: "Id of the webhook." }),
    eventId: z.string().meta({ description: "The event; the `webhook-id` of the message." }),
    sequence: z.int().min(1).meta({ description: "The place of the event in the chain." }),
    type: z.string().meta({ description: "Type of the event, with prefix and version." }),
    outcome: z.enum(["delivered", "failed"]).meta({ description: "Whether the receiver took it." }),
    httpStatus: z.int().nullable().meta({ description: "Status of the answer; `null` without one." }),
    failure: z.string().nullable().meta({ description: "Code of why it failed." }),
    durationMs: z.int().min(0).meta({ description: "Milliseconds that it took." }),
  })
  .meta({ id: "WebhookAttempt" });
export type WebhookAttempt = z.output<typeof WebhookAttempt>;

/** Attempts to deliver events, kept for some days. */
export const webhookAttempts = defineCollection<WebhookAttempt>({
  name: "webhook_attempts",
  prefix: "wha",
  schema: WebhookAttempt,
  fields: {
    webhookId: { type: "text", compare: "exact" },
    outcome: { type: "text" },
    eventId: { type: "text", compare: "exact" },
  },
  indexes: [{ where: ["webhookId"] }, { where: ["webhookId", "outcome"] }, { where: ["eventId"] }],
  filters: {
    outcome: { values: ["delivered", "failed"] },
    eventId: { description: "Only attempts to deliver this event." },
  },
});

const WebhookSecret = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  webhookId: z.string(),
  /** The secrets that sign, the newest first, as a JSON list. */
  sealedSecrets: z.string(),
  /** Until when those after the first sign as well. */
  overlapEndsAt: Time.nullable(),
});
export type WebhookSecret = z.output<typeof WebhookSecret>;

/** Secrets that sign messages, apart from the records that the API serves. */
export const webhookSecrets = defineCollection<WebhookSecret>({
  name: "webhook_secrets",
  prefix: "whs",
  schema: WebhookSecret,
  fields: { webhookId: { type: "text", compare: "exact" } },
  unique: { webhook: ["webhookId"] },
  sealed: ["sealedSecrets"],
  secrets: [],
});
