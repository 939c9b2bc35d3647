import { defineCollection } from "#kernel/records/collection.js";
import { Metadata, Name } from "#kernel/records/generic-body.js";
import { recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Kind } from "../personal-notices/fields.js";
import { ChannelFields } from "./fields.js";

/** A channel of a chat that notices are posted to. */
export const ChatChannel = z
  .object({
    ...recordFields,
    name: Name,
    metadata: Metadata,
    ...ChannelFields,
    addresses: z.int().min(1).meta({ description: "How many addresses it has had; the last one counts." }),
    tests: z.int().min(0).meta({ description: "How often it was tested." }),
  })
  .meta({ id: "ChatChannel" });
export type ChatChannel = z.output<typeof ChatChannel>;

/** Channels of a tenant. */
export const chatChannels = defineCollection<ChatChannel>({
  name: "chat_channels",
  prefix: "chc",
  schema: ChatChannel,
  resource: { type: "chat_channel", event: "chat_channel", path: "/api/v1/chat-channels" },
  fields: {},
});

const ChatChannelSecret = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  sealedUrl: z.string(),
});
export type ChatChannelSecret = z.output<typeof ChatChannelSecret>;

/** Addresses of channels, which are secrets, apart from the records that the API serves. The id is the channel's. */
export const chatChannelSecrets = defineCollection<ChatChannelSecret>({
  name: "chat_channel_secrets",
  prefix: null,
  schema: ChatChannelSecret,
  fields: {},
  sealed: ["sealedUrl"],
  secrets: [],
});

const ChatPost = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  channelId: z.string(),
  kind: Kind,
  key: z.string(),
  subjectId: z.string(),
  name: z.string(),
  matter: z.string().nullable(),
  page: z.string(),
  /** When it is to be posted; `null` once it was, or has ended before. */
  postAt: Time.nullable(),
});
export type ChatPost = z.output<typeof ChatPost>;

/** What was posted to channels or is to be, once for each matter. */
export const chatPosts = defineCollection<ChatPost>({
  name: "chat_posts",
  prefix: "chp",
  schema: ChatPost,
  fields: {
    channelId: { type: "text", compare: "exact" },
    kind: { type: "text", compare: "exact" },
    key: { type: "text", compare: "exact" },
    subjectId: { type: "text", compare: "exact" },
    postAt: { type: "time" },
  },
  unique: { matter: ["channelId", "kind", "key"] },
  indexes: [{ where: ["subjectId"] }, { where: ["channelId"] }, { where: ["channelId"], by: "postAt", partial: true }],
  secrets: [],
});
