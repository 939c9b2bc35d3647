import { optionsOf } from "#families/options.js";
import { platformGates, switchOfTenant } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { NEVER } from "#kernel/operation/dues.js";
import { everyPage } from "#kernel/operation/every-page.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { Delivery } from "../personal-notices/deliver/delivery.js";
import { settleMatters } from "../personal-notices/follow/settle-matters.js";
import { textsOf } from "../personal-notices/texts/catalogue.js";
import { type Posted, postMessage } from "../webhooks/delivery/post-message.js";
import { type ChatChannel, type ChatPost, chatChannels, chatPosts } from "./schema.js";
import { openUrl } from "./seal-url.js";
import { chatMessage, type MessageLine } from "./write-message.js";

/** The most matters that a message lists. Those beside them are counted. */
const LISTED = 10;

const dueIn = (channelId: string, through: string) =>
  ({ where: { channelId }, order: { by: "postAt", direction: "asc" }, range: { through } }) as const;

/** Posts to a channel everything that waits for it, in one message. */
export const chatDelivery: Delivery = {
  async write(newContext, channelId, through) {
    const ctx = newContext();
    const keys = ["connectors.outbound", switchOfTenant(ctx.db.tenantId)];
    if ((await ctx.env.use(platformGates).engagedSwitch(keys)) !== undefined)
      throw new ReeveError("kill_switch_active");
    const due = dueIn(channelId, through);
    const first = await ctx.db.find(chatPosts, { ...due, size: LISTED });
    // What was decided a moment ago is posted no more.
    await settleMatters(ctx, [...new Set(first.rows.map(({ value }) => value.subjectId))]);
    const channel = (await ctx.db.get(chatChannels, channelId))?.value;
    const posts: ChatPost[] = [];
    const ids: string[] = [];
    for await (const rows of everyPage(ctx.db, chatPosts, due)) {
      posts.push(...rows.slice(0, LISTED - posts.length).map(({ value }) => value));
      ids.push(...rows.map(({ id }) => id));
    }
    if (!channel || posts.length === 0) return { ids, send: undefined };
    const send = async () => {
      const lines = linesOf(ctx.env, channel, posts);
      const { failure } = await postLines(ctx, channel, lines, ids.length - posts.length);
      if (failure !== null) throw new Error(failure);
    };
    return { ids, send };
  },

  async note(ctx, some, { through }) {
    for (const { value } of await ctx.db.getMany(chatPosts, some))
      if (value.postAt !== null && value.postAt <= through) await ctx.update(chatPosts, value, { postAt: null });
  },

  async next({ db }, channelId) {
    return (await db.find(chatPosts, { ...dueIn(channelId, NEVER), size: 1 })).rows[0]?.value.postAt ?? null;
  },
};

function linesOf(env: Environment, { language }: ChatChannel, posts: readonly ChatPost[]): MessageLine[] {
  const { consoleUrl } = optionsOf(env);
  const texts = textsOf(language);
  return posts.map(({ kind, matter, name, page }) => {
    const what = matter === null ? "" : ` (${texts.matters[matter] ?? matter})`;
    return { text: `${texts.kinds[kind]}: ${name}${what}`, url: `${consoleUrl}/${page}` };
  });
}

/** Posts lines to a channel, in the form of its program. */
export async function postLines(
  { env, db }: Pick<OutsideContext, "env" | "db">,
  { id, app, language }: ChatChannel,
  lines: readonly MessageLine[],
  more = 0,
): Promise<Posted> {
  const body = JSON.stringify(chatMessage(app, lines, more > 0 ? textsOf(language).more(more) : undefined));
  return postMessage(env, await openUrl(env, db.tenantId, id), {
    body,
    headers: { "content-type": "application/json" },
  });
}
