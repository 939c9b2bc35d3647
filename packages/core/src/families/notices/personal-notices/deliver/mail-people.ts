import { mailService, users } from "#families/identity/index.js";
import { inParallel } from "#kernel/async/in-parallel.js";
import { NEVER } from "#kernel/operation/dues.js";
import { everyPage } from "#kernel/operation/every-page.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs, minutesMs } from "#ports/durations.js";
import { preferencesOf, type Told } from "../../preferences/queries.js";
import { settleMatters } from "../follow/settle-matters.js";
import { type Notice, type NoticeMailbox, noticeMailboxes, notices } from "../schema.js";
import { noticeMail } from "./write-mail.js";

/** People who are mailed at the same time, and who are looked for together. */
const AT_ONCE = 4;
const PAGE = 100;
/** The most notices that a mail lists. Those beside them are counted. */
const LISTED = 40;
/** How long a process reserves a person: longer than writing and handing over one mail may take. */
const LEASE = minutesMs(3);
/** Notices of one transaction that are noted as mailed. */
const BATCH = 50;
/** The pause after the first failure. Each further one is twice as long, up to the longest. */
const FIRST_PAUSE = minutesMs(1);
const LONGEST_PAUSE = hoursMs(1);

type NewContext = () => OutsideContext;

/**
 * Mails to people of a tenant what is due, each mail with all that is due to one person. It never gives up. Returns how many
 * mails were taken.
 */
export async function mailPeople(newContext: NewContext, isOpen: () => boolean): Promise<number> {
  const { env } = newContext();
  if (!env.mailer) return 0;
  let sent = 0;
  const due = duePeople(newContext());
  await inParallel(due, AT_ONCE, async ({ id }) => {
    if (isOpen() && (await mailPerson(newContext, id))) sent += 1;
  });
  return sent;
}

/** People to whom something is due and who are not reserved. */
async function* duePeople(ctx: OutsideContext): AsyncGenerator<NoticeMailbox> {
  const query = { order: { by: "dueAt", direction: "asc" }, range: { through: ctx.now }, size: PAGE } as const;
  for await (const rows of everyPage(ctx.db, noticeMailboxes, query))
    for (const { value } of rows) if ((value.leasedUntil ?? "") <= ctx.now) yield value;
}

async function mailPerson(newContext: NewContext, userId: string): Promise<boolean> {
  const ctx = newContext();
  const through = ctx.now;
  if (!(await lease(ctx, userId))) return false;
  try {
    const told = await writeMail(newContext, userId, through);
    if (told) await ctx.env.use(mailService).send(told);
    await noteMailed(newContext, userId, through, told !== undefined);
    return told !== undefined;
  } catch (error) {
    ctx.env.logger.warn({ userId, tenantId: ctx.db.tenantId, error: String(error) }, "notices could not be mailed");
    await noteFailure(newContext(), userId);
    return false;
  }
}

/** The mail with what is due to a person; `undefined` where nothing is, once what has ended meanwhile is left out. */
async function writeMail(newContext: NewContext, userId: string, through: string) {
  const ctx = newContext();
  const due = dueTo(userId, through);
  const first = await ctx.db.find(notices, { ...due, size: LISTED });
  // What was decided a moment ago is mailed no more.
  await settleMatters(ctx, [...new Set(first.rows.map(({ value }) => value.subject.id))]);
  const [user, preferences] = await Promise.all([ctx.db.get(users, userId), preferencesOf(ctx, [userId])]);
  if (user?.value.status !== "active") return undefined;
  const listed: Notice[] = [];
  let more = 0;
  for await (const rows of everyPage(ctx.db, notices, due))
    for (const { value } of rows) {
      if (!isWanted(value, preferences(userId))) continue;
      if (listed.length < LISTED) listed.push(value);
      else more += 1;
    }
  if (listed.length === 0) return undefined;
  return noticeMail(ctx.env, user.value, preferences(userId), ctx.db.tenantId, { notices: listed, more });
}

const dueTo = (userId: string, through: string) =>
  ({ where: { userId }, order: { by: "mailAt", direction: "asc" }, range: { through } }) as const;

/** A person who has read it, or has turned its kind off meanwhile, is not mailed. */
const isWanted = ({ readAt, kind }: Notice, { mail }: Told): boolean => readAt === null && mail[kind] !== "off";

/** Reserves a person for this process. `false` when another one has been faster. */
function lease(ctx: OutsideContext, userId: string): Promise<boolean> {
  return ctx.write(async (inner) => {
    const box = (await inner.db.get(noticeMailboxes, userId))?.value;
    if (!box || (box.dueAt ?? "~") > inner.now || (box.leasedUntil ?? "") > inner.now) return false;
    const until = timestamp(inner.request.nowMs + LEASE);
    await inner.update(noticeMailboxes, box, { leasedUntil: until, dueAt: until });
    return true;
  });
}

/** Notes what was due up to a moment as mailed, in small steps, and when the next is due. */
async function noteMailed(newContext: NewContext, userId: string, through: string, isMailed: boolean): Promise<void> {
  for (let goesOn = true; goesOn; ) {
    goesOn = await newContext().write(async (ctx) => {
      const { rows } = await ctx.db.find(notices, { ...dueTo(userId, through), size: BATCH });
      const { mail } = (await preferencesOf(ctx, [userId]))(userId);
      for (const { value } of rows) {
        const mailedAt = isMailed && isWanted(value, { mail } as Told) ? ctx.now : null;
        await ctx.update(notices, value, { mailAt: null, mailedAt }, { event: false });
      }
      if (rows.length === BATCH) return true;
      const [next] = (await ctx.db.find(notices, { ...dueTo(userId, NEVER), size: 1 })).rows;
      const box = (await ctx.db.get(noticeMailboxes, userId))?.value;
      const dueAt = next?.value.mailAt ?? null;
      if (box) await ctx.update(noticeMailboxes, box, { dueAt, leasedUntil: null, failures: 0, failingSince: null });
      return false;
    });
  }
}

async function noteFailure(ctx: OutsideContext, userId: string): Promise<void> {
  await ctx.write(async (inner) => {
    const box = (await inner.db.get(noticeMailboxes, userId))?.value;
    if (!box) return;
    const failures = box.failures + 1;
    const pause = Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE);
    const dueAt = timestamp(inner.request.nowMs + pause);
    const failingSince = box.failingSince ?? inner.now;
    await inner.update(noticeMailboxes, box, { failures, failingSince, dueAt, leasedUntil: null });
  });
}
