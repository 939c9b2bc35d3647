import { type User, users } from "#families/identity/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import { noticeMailboxes } from "../personal-notices/schema.js";
import { noticePreferences } from "./schema.js";

/** What a removed user wanted to be told of goes with the account, and nothing is mailed any more. */
export const followRemovedUsers = defineFollower<User>(users, async (ctx, { before, after }) => {
  if (!before || after) return;
  const preferences = await ctx.db.get(noticePreferences, before.id);
  if (preferences) await ctx.remove(noticePreferences, preferences.value);
  const mailbox = await ctx.db.get(noticeMailboxes, before.id);
  if (mailbox) await ctx.remove(noticeMailboxes, mailbox.value);
});
