import { mailService, users } from "#families/identity/index.js";
import { NEVER } from "#kernel/operation/dues.js";
import { everyPage } from "#kernel/operation/every-page.js";
import { preferencesOf, type Told } from "../../preferences/queries.js";
import { settleMatters } from "../follow/settle-matters.js";
import { type Notice, notices } from "../schema.js";
import { letOthersRun } from "../take-turns.js";
import type { Delivery } from "./delivery.js";
import { noticeMail } from "./write-mail.js";

/** The most notices that a mail lists. Those beside them are counted. */
const LISTED = 40;

const dueTo = (userId: string, through: string) =>
  ({ where: { userId }, order: { by: "mailAt", direction: "asc" }, range: { through } }) as const;

/** A person who has read it, or has turned its kind off meanwhile, is not mailed. */
const isWanted = ({ readAt, kind }: Notice, { mail }: Pick<Told, "mail">): boolean =>
  readAt === null && mail[kind] !== "off";

/** Mails a person everything that is due, in one mail. */
export const mailDelivery: Delivery = {
  async write(newContext, userId, through) {
    const ctx = newContext();
    const due = dueTo(userId, through);
    const first = await ctx.db.find(notices, { ...due, size: LISTED });
    // What was decided a moment ago is mailed no more.
    await settleMatters(ctx, [...new Set(first.rows.map(({ value }) => value.subject.id))]);
    const [user, preferences] = await Promise.all([ctx.db.get(users, userId), preferencesOf(ctx, [userId])]);
    const isActive = user?.value.status === "active";
    const ids: string[] = [];
    const listed: Notice[] = [];
    let more = 0;
    for await (const rows of everyPage(ctx.db, notices, due)) {
      for (const { id, value } of rows) {
        ids.push(id);
        if (!isActive || !isWanted(value, preferences(userId))) continue;
        if (listed.length < LISTED) listed.push(value);
        else more += 1;
      }
      await letOthersRun(ctx.env);
    }
    if (!isActive || listed.length === 0) return { ids, send: undefined };
    const about = { notices: listed, more };
    const mail = noticeMail(ctx.env, user.value, preferences(userId), ctx.db.tenantId, about);
    return { ids, send: () => ctx.env.use(mailService).send(mail) };
  },

  async note(ctx, some, { id: userId, through, isSent }) {
    const preferences = await preferencesOf(ctx, [userId]);
    for (const { value } of await ctx.db.getMany(notices, some)) {
      // It may have ended meanwhile, or have come anew.
      if (value.mailAt === null || value.mailAt > through) continue;
      const mailedAt = isSent && isWanted(value, preferences(userId)) ? ctx.now : null;
      await ctx.update(notices, value, { mailAt: null, mailedAt }, { event: false });
    }
  },

  async next({ db }, userId) {
    return (await db.find(notices, { ...dueTo(userId, NEVER), size: 1 })).rows[0]?.value.mailAt ?? null;
  },
};
