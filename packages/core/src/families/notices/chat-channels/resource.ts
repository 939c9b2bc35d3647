import { defineResource } from "#families/resource.js";
import { createChannel, listChannels, patchChannel, readChannel, removeChannel, testChannel } from "./operations.js";
import { chatChannelSecrets, chatChannels, chatPosts } from "./schema.js";

/** Channels of chats that notices are posted to. */
export const chatChannelsResource = defineResource({
  collections: [chatChannels, chatChannelSecrets, chatPosts],
  operations: [listChannels, createChannel, readChannel, patchChannel, removeChannel, testChannel],
  permissions: {
    "chat-channel:read": { lets: "See which channels of chats notices are posted to", heldBy: ["auditor"] },
    "chat-channel:write": { lets: "Have notices posted to channels of chats", heldBy: [], peopleOnly: true },
  },
  aged: [{ kind: "notices", collection: chatPosts, by: "createdAt" }],
});
