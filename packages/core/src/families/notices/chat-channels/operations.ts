import { optionsOf } from "#families/options.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { ById, listOperation, readOperation } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { noticeMailboxes } from "../personal-notices/schema.js";
import { textsOf } from "../personal-notices/texts/catalogue.js";
import { ChannelPatch, ChannelRequest, MOST_CHANNELS } from "./fields.js";
import { postLines } from "./post-messages.js";
import { ChatChannel, chatChannelSecrets, chatChannels } from "./schema.js";
import { sealUrl, storeUrl } from "./seal-url.js";

const PATH = "/api/v1/chat-channels";
const tag = "Notices";
const may = (verb: "read" | "write") => ({ permission: `chat-channel:${verb}` }) as const;
const shared = { tag, path: PATH, collection: chatChannels, schema: ChatChannel, extension: true } as const;

export const listChannels = listOperation({
  ...shared,
  id: "chatChannels.list",
  summary: "List channels of chats that notices are posted to",
  access: may("read"),
});

export const readChannel = readOperation({
  ...shared,
  id: "chatChannels.read",
  summary: "Read one channel of a chat, without its address",
  access: may("read"),
});

export const createChannel = defineOperation({
  id: "chatChannels.create",
  method: "POST",
  path: PATH,
  tag,
  summary: "Make a channel of a chat that notices are posted to",
  description:
    "By an incoming webhook of Slack, Mattermost, or Workflows of Teams. Everybody in the channel reads the names of what waits there.",
  extension: true,
  access: may("write"),
  unkept: ["url"],
  body: ChannelRequest,
  success: { status: 201, schema: ChatChannel },
  errors: ["limit_exceeded"],
  async prepare(ctx, { body }) {
    const id = ctx.newId(chatChannels.prefix ?? "");
    return { id, sealed: await sealUrl(ctx.env, ctx.db.tenantId, id, body.url) };
  },
  async handler(ctx, { body: { url: _url, ...given } }, { id, sealed }) {
    const { count } = await ctx.db.count(chatChannels);
    if (count >= MOST_CHANNELS)
      throw new ReeveError("limit_exceeded", `A tenant has ${MOST_CHANNELS} channels at most.`);
    await storeUrl(ctx, id, sealed);
    return ctx.insert(chatChannels, { id, ...given, addresses: 1, tests: 0 });
  },
});

export const patchChannel = defineOperation({
  id: "chatChannels.patch",
  method: "PATCH",
  path: `${PATH}/{id}`,
  tag,
  summary: "Change the name of a channel of a chat, its address, language or kinds of notices",
  extension: true,
  access: may("write"),
  unkept: ["url"],
  params: ById,
  body: ChannelPatch,
  success: { status: 200, schema: ChatChannel },
  prepare: async (ctx, { params, body: { url } }) =>
    url === undefined ? undefined : sealUrl(ctx.env, ctx.db.tenantId, params.id, url),
  async handler(ctx, { params, body: { url: _url, ...given } }, sealed) {
    const channel = await ctx.getForUpdate(chatChannels, params.id);
    if (sealed !== undefined) await storeUrl(ctx, channel.id, sealed);
    const addresses = channel.addresses + (sealed === undefined ? 0 : 1);
    return ctx.update(chatChannels, channel, { ...given, addresses });
  },
});

export const removeChannel = defineOperation({
  id: "chatChannels.remove",
  method: "DELETE",
  path: `${PATH}/{id}`,
  tag,
  summary: "Remove a channel of a chat, with its address",
  extension: true,
  access: may("write"),
  params: ById,
  success: { status: 204 },
  async handler(ctx, { params }) {
    await drop(ctx, await ctx.getForUpdate(chatChannels, params.id));
    return undefined;
  },
});

/** What was posted there goes by age. */
async function drop(ctx: Context, channel: ChatChannel): Promise<void> {
  const secret = await ctx.db.get(chatChannelSecrets, channel.id);
  if (secret) await ctx.remove(chatChannelSecrets, secret.value);
  const queue = await ctx.db.get(noticeMailboxes, channel.id);
  if (queue) await ctx.remove(noticeMailboxes, queue.value);
  await ctx.remove(chatChannels, channel);
}

const TestedChannel = z
  .object({
    taken: z.boolean().meta({ description: "Whether the message was taken." }),
    answer: z.int().nullable().meta({ description: "Status of the answer; `null` without one." }),
    failure: z.string().nullable().meta({ description: "Code of why it failed." }),
    testedAt: Time.meta({ description: "When the message was posted." }),
  })
  .meta({ id: "TestedChatChannel" });

export const testChannel = defineOperation({
  id: "chatChannels.test",
  method: "POST",
  path: `${PATH}/{id}/test`,
  tag,
  summary: "Test a channel of a chat by a message, and tell what was answered",
  extension: true,
  access: may("write"),
  killSwitches: ["connectors.outbound"],
  expensive: true,
  params: ById,
  success: { status: 200, schema: TestedChannel },
  errors: ["kill_switch_active", "secret_unavailable"],
  async prepare(ctx, { params }) {
    const channel = await ctx.getOrThrow(chatChannels, params.id);
    const text = textsOf(channel.language).tested;
    return postLines(ctx, channel, [{ text, url: optionsOf(ctx.env).consoleUrl }]);
  },
  async handler(ctx, { params }, { outcome, httpStatus, failure }) {
    const channel = await ctx.getForUpdate(chatChannels, params.id);
    await ctx.update(chatChannels, channel, { tests: channel.tests + 1 });
    return { taken: outcome === "delivered", answer: httpStatus, failure, testedAt: ctx.now };
  },
});
