import { HttpUrl } from "#families/estate/index.js";
import { Metadata, Name } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";

/** The most webhooks of a tenant, and the most types of events of one. */
export const MOST_WEBHOOKS = 100;
const MOST_TYPES = 100;

export const WebhookUrl = HttpUrl.meta({
  description: "Where messages are posted.",
  example: "https://hooks.acme.example/reeve",
});

export const Types = z
  .array(z.string().min(1).max(200))
  .max(MOST_TYPES)
  .meta({
    description: "Types of events that are sent, without prefix and version; all of them when empty.",
    example: ["installation.status.changed", "finding.status.changed"],
  });

/** What a caller says of a new webhook. */
export const WebhookRequest = z
  .strictObject({ name: Name, url: WebhookUrl, types: Types.default([]), metadata: Metadata.default({}) })
  .meta({
    id: "WebhookRequest",
    example: { name: "Security operations", url: "https://hooks.acme.example/reeve", types: ["finding.created"] },
  });
export type WebhookRequest = z.output<typeof WebhookRequest>;

export const WebhookPatch = z
  .strictObject({
    name: Name.optional(),
    url: WebhookUrl.optional(),
    types: Types.optional(),
    metadata: Metadata.optional(),
  })
  .meta({ id: "WebhookPatch", example: { types: [] } });
