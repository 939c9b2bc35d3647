import { type User, users } from "#families/identity/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import { everyRow } from "#kernel/operation/every-page.js";
import { savedViews } from "./schema.js";

/** The views of a removed user go with the account. Those that are shared stay. */
export const followMakers = defineFollower<User>(users, async (ctx, { before, after }) => {
  if (!before || after) return;
  for (const { value } of await everyRow(ctx.db, savedViews, { where: { readers: before.id } }))
    await ctx.remove(savedViews, value);
});
