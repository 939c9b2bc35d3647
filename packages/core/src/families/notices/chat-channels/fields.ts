import { HttpUrl } from "#families/estate/index.js";
import { Metadata, Name } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { KINDS } from "../personal-notices/fields.js";
import { LANGUAGES } from "../preferences/fields.js";

/** The most channels of a tenant. */
export const MOST_CHANNELS = 50;

/** Programs whose incoming webhooks are posted to, each in its own form. */
export const CHAT_APPS = ["slack", "teams", "mattermost"] as const;
export type ChatApp = (typeof CHAT_APPS)[number];

const Url = HttpUrl.meta({
  description: "Address of the incoming webhook. It is sealed, and not shown again.",
  example: "https://hooks.slack.example/services/T000/B000/secret",
});

const Kinds = z
  .array(z.enum(KINDS))
  .min(1)
  .max(KINDS.length)
  .meta({ description: "Kinds of notices that are posted there.", example: ["waiting", "halt"] });

export const ChannelFields = {
  app: z.enum(CHAT_APPS).meta({ description: "The program that it is a channel of." }),
  kinds: Kinds,
  language: z.enum(LANGUAGES).meta({ description: "The language of messages." }),
};

/** What a caller says of a new channel. */
export const ChannelRequest = z
  .strictObject({
    name: Name,
    app: ChannelFields.app,
    url: Url,
    kinds: Kinds.default(["waiting", "overdue", "critical_finding", "halt"]),
    language: ChannelFields.language.default("en"),
    metadata: Metadata.default({}),
  })
  .meta({
    id: "ChatChannelRequest",
    example: { name: "Governance", app: "slack", url: "https://hooks.slack.example/services/T000/B000/secret" },
  });

export const ChannelPatch = z
  .strictObject({
    name: Name.optional(),
    url: Url.optional(),
    kinds: Kinds.optional(),
    language: ChannelFields.language.optional(),
    metadata: Metadata.optional(),
  })
  .meta({ id: "ChatChannelPatch", example: { kinds: ["halt"] } });
