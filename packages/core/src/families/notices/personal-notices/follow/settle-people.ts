import { roles, type User, users } from "#families/identity/index.js";
import { reviewsFor } from "#families/reviews/index.js";
import { everyPage } from "#kernel/operation/every-page.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { notices } from "../schema.js";
import { BATCH, settleMatters } from "./settle-matters.js";

/** What of an event about a person changes what the person may be told of. */
const CHANGES: readonly string[] = ["user.created", "user.updated", "user.status.changed", "user.deleted"];

/** Whether people may be to be told of other matters after an event of this type, which has neither prefix nor version. */
export const changesPeople = (type: string): boolean => CHANGES.includes(type);

/**
 * Makes the notices of these people what they are to be now: of what they may decide no more they are over, and of what they
 * may decide now they are made. Those of people who were removed are removed as well.
 */
export async function settlePeople(newContext: () => OutsideContext, ids: readonly string[]): Promise<number> {
  const found = new Map((await newContext().db.getMany(users, ids)).map(({ id, value }) => [id, value] as const));
  let settled = 0;
  for (const id of ids) {
    const user = found.get(id);
    settled += user ? await settlePerson(newContext, user) : await forget(newContext, id);
  }
  return settled;
}

async function settlePerson(newContext: () => OutsideContext, user: User): Promise<number> {
  let settled = 0;
  const ctx = newContext();
  for await (const rows of everyPage(ctx.db, notices, { where: { userId: user.id }, size: BATCH })) {
    const open = rows.filter(({ value }) => value.status === "open").map(({ value }) => value.subject.id);
    settled += await settleMatters(newContext(), [...new Set(open)]);
  }
  if (user.status !== "active") return settled;
  for await (const some of reviewsFor(ctx, user.id, ctx.env.use(roles).permissionsOf(user.roles), BATCH))
    settled += await settleMatters(newContext(), [...new Set(some.map(({ subject }) => subject.id))]);
  return settled;
}

/** Removes the notices of somebody who is no user any more. */
async function forget(newContext: () => OutsideContext, userId: string): Promise<number> {
  for (let removed = 0; ; ) {
    const { rows } = await newContext().db.find(notices, { where: { userId }, size: BATCH });
    if (rows.length === 0) return removed;
    await newContext().write(async (ctx) => {
      const held = await ctx.db.getMany(
        notices,
        rows.map(({ id }) => id),
      );
      for (const { value } of held) await ctx.remove(notices, value, { event: false });
    });
    removed += rows.length;
  }
}
