import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

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
