import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { callMailboxes } from "../personal-notices/deliver/call-mailboxes.js";
import type { Matter } from "../personal-notices/matters/matter.js";
import { rowsAbout } from "../personal-notices/matters/rows-about.js";
import { MOST_CHANNELS } from "./fields.js";
import { type ChatPost, chatChannels, chatPosts } from "./schema.js";

/** The most posts of one transaction. */
const BATCH = 50;

/** Puts matters about these records into the queues of the channels that want them, once each, and takes out what has ended. */
export async function offerMatters(
  ctx: OutsideContext,
  ids: readonly string[],
  matters: readonly Matter[],
): Promise<void> {
  const { rows } = await ctx.db.find(chatChannels, { size: MOST_CHANNELS });
  if (rows.length === 0) return;
  const held = await rowsAbout(ctx.db, chatPosts, ids);
  const standing = new Set(matters.map(({ kind, key }) => `${kind} ${key}`));
  const ended = held.filter(({ postAt, kind, key }) => postAt !== null && !standing.has(`${kind} ${key}`));
  const known = new Set(held.map(({ channelId, kind, key }) => `${channelId} ${kind} ${key}`));
  const missing = rows.flatMap(({ value: { id, kinds } }) =>
    matters
      .filter(({ kind, key }) => kinds.includes(kind) && !known.has(`${id} ${kind} ${key}`))
      .map((matter) => ({ channelId: id, matter })),
  );
  for (let at = 0; at < ended.length; at += BATCH) await ctx.write((inner) => drop(inner, ended.slice(at, at + BATCH)));
  for (let at = 0; at < missing.length; at += BATCH)
    await ctx.write((inner) => queue(inner, missing.slice(at, at + BATCH)));
}

async function drop(ctx: Context, posts: readonly ChatPost[]): Promise<void> {
  const held = await ctx.db.getMany(
    chatPosts,
    posts.map(({ id }) => id),
  );
  for (const { value } of held) if (value.postAt !== null) await ctx.update(chatPosts, value, { postAt: null });
}

interface Missing {
  readonly channelId: string;
  readonly matter: Matter;
}

/** Another process may have queued some of them meanwhile. */
async function queue(ctx: Context, missing: readonly Missing[]): Promise<void> {
  const asked = missing.map(({ channelId, matter: { kind, key } }) => ({ channelId, kind, key }));
  const held = await ctx.db.lookupMany(chatPosts, "matter", asked);
  const drafts = missing
    .filter((_, at) => held[at] === undefined)
    .map(({ channelId, matter: { kind, key, subject, name, matter, page } }) => ({
      ...{ channelId, kind, key, subjectId: subject.id, name, matter, page, postAt: ctx.now },
    }));
  await ctx.insertMany(chatPosts, drafts);
  await callMailboxes(
    ctx,
    drafts.map(({ channelId, postAt }) => ({ userId: channelId, mailAt: postAt })),
  );
}
