import { roles, type User, users } from "#families/identity/index.js";
import { reviewsFor } from "#families/reviews/index.js";
import { everyPage } from "#kernel/operation/every-page.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { notices } from "../schema.js";
import { letOthersRun } from "../take-turns.js";
import type { Room } from "./room.js";
import { BATCH, settleMatters } from "./settle-matters.js";

/** What of an event about a person changes what the person may be told of. */
const CHANGES: readonly string[] = ["user.created", "user.updated", "user.status.changed", "user.deleted"];

/** Whether people may be to be told of other matters after an event of this type, which has neither prefix nor version. */
export const changesPeople = (type: string): boolean => CHANGES.includes(type);

/**
 * Makes the notices of these people what they are to be now: of what they may decide no more they are over, and of what they
 * may decide now they are made. Those of people who were removed are removed as well. Ends early where there is no more room.
 */
export async function settlePeople(
  newContext: () => OutsideContext,
  ids: readonly string[],
  room: Room,
): Promise<void> {
  const found = new Map((await newContext().db.getMany(users, ids)).map(({ id, value }) => [id, value] as const));
  for (const id of ids) {
    const user = found.get(id);
    if (user) await settlePerson(newContext, user, room);
    else await forget(newContext, id, room);
  }
}

async function settlePerson(newContext: () => OutsideContext, user: User, room: Room): Promise<void> {
  const ctx = newContext();
  for await (const rows of everyPage(ctx.db, notices, { where: { userId: user.id }, size: BATCH })) {
    if (!room.mayGoOn) return;
    const open = rows.filter(({ value }) => value.status === "open").map(({ value }) => value.subject.id);
    room.take(await settleMatters(newContext(), [...new Set(open)]));
  }
  if (user.status !== "active") return;
  for await (const some of reviewsFor(ctx, user.id, ctx.env.use(roles).permissionsOf(user.roles), BATCH)) {
    if (!room.mayGoOn) return;
    room.take(await settleMatters(newContext(), [...new Set(some.map(({ subject }) => subject.id))]));
  }
}

/** Removes the notices of somebody who is no user any more. */
async function forget(newContext: () => OutsideContext, userId: string, room: Room): Promise<void> {
  while (room.mayGoOn) {
    const { rows } = await newContext().db.find(notices, { where: { userId }, size: BATCH });
    if (rows.length === 0) return;
    await newContext().write(async (ctx) => {
      const held = await ctx.db.getMany(
        notices,
        rows.map(({ id }) => id),
      );
      for (const { value } of held) await ctx.remove(notices, value, { event: false });
    });
    room.take(rows.length);
    await letOthersRun(newContext().env);
  }
}
