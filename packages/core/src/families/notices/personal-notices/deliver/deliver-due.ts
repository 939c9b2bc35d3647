import { inParallel } from "#kernel/async/in-parallel.js";
import { everyPage } from "#kernel/operation/every-page.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs, minutesMs } from "#ports/durations.js";
import { isIdOf } from "#store/collection.js";
import { chatDelivery } from "../../chat-channels/post-messages.js";
import { chatChannels } from "../../chat-channels/schema.js";
import { type NoticeMailbox, noticeMailboxes } from "../schema.js";
import { letOthersRun } from "../take-turns.js";
import type { Delivery, Sent } from "./delivery.js";
import { mailDelivery } from "./mail-delivery.js";

/** Those who are sent something at the same time, and who are looked for together. */
const AT_ONCE = 4;
const PAGE = 100;
/** What is noted in one transaction. */
const BATCH = 50;
/** How long a process reserves one: longer than writing and handing over one message may take. */
const LEASE = minutesMs(3);
/** The pause after the first failure. Each further one is twice as long, up to the longest. */
const FIRST_PAUSE = minutesMs(1);
const LONGEST_PAUSE = hoursMs(1);

type NewContext = () => OutsideContext;

/**
 * Sends people and channels of a tenant what is due by a moment, each apart from the others. It never gives up. Returns how
 * many messages were taken.
 */
export async function deliverDue(newContext: NewContext, through: string, isOpen: () => boolean): Promise<number> {
  let sent = 0;
  await inParallel(dueBoxes(newContext(), through), AT_ONCE, async ({ id }) => {
    if (isOpen() && (await deliver(newContext, id))) sent += 1;
  });
  return sent;
}

/** Those to whom something is due and who are not reserved. */
async function* dueBoxes(ctx: OutsideContext, through: string): AsyncGenerator<NoticeMailbox> {
  const query = { order: { by: "dueAt", direction: "asc" }, range: { through }, size: PAGE } as const;
  for await (const rows of everyPage(ctx.db, noticeMailboxes, query))
    for (const { value } of rows) if ((value.leasedUntil ?? "") <= ctx.now) yield value;
}

async function deliver(newContext: NewContext, id: string): Promise<boolean> {
  const ctx = newContext();
  const through = ctx.now;
  const delivery = isIdOf(chatChannels, id) ? chatDelivery : mailDelivery;
  if (delivery === mailDelivery && !ctx.env.mailer) return false;
  if (!(await lease(ctx, id))) return false;
  try {
    const { ids, send } = await delivery.write(newContext, id, through);
    await send?.();
    await noteSent(newContext, delivery, ids, { id, through, isSent: send !== undefined });
    return send !== undefined;
  } catch (error) {
    ctx.env.logger.warn({ to: id, tenantId: ctx.db.tenantId, error: String(error) }, "notices could not be sent");
    await noteFailure(newContext(), id);
    return false;
  }
}

/** Reserves one for this process. `false` when another one has been faster. */
function lease(ctx: OutsideContext, id: string): Promise<boolean> {
  return ctx.write(async (inner) => {
    const box = (await inner.db.get(noticeMailboxes, id))?.value;
    if (!box || (box.dueAt ?? "~") > inner.now || (box.leasedUntil ?? "") > inner.now) return false;
    const until = timestamp(inner.request.nowMs + LEASE);
    await inner.update(noticeMailboxes, box, { leasedUntil: until, dueAt: until });
    return true;
  });
}

/** Notes in small steps what was sent, and then when the next is due. */
async function noteSent(newContext: NewContext, delivery: Delivery, ids: readonly string[], sent: Sent): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH) {
    await newContext().write((ctx) => delivery.note(ctx, ids.slice(at, at + BATCH), sent));
    await letOthersRun(newContext().env);
  }
  await newContext().write(async (ctx) => {
    const dueAt = await delivery.next(ctx, sent.id);
    const box = (await ctx.db.get(noticeMailboxes, sent.id))?.value;
    if (box) await ctx.update(noticeMailboxes, box, { dueAt, leasedUntil: null, failures: 0, failingSince: null });
  });
}

async function noteFailure(ctx: OutsideContext, id: string): Promise<void> {
  await ctx.write(async (inner) => {
    const box = (await inner.db.get(noticeMailboxes, id))?.value;
    if (!box) return;
    const failures = box.failures + 1;
    const pause = Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE);
    const dueAt = timestamp(inner.request.nowMs + pause);
    const failingSince = box.failingSince ?? inner.now;
    await inner.update(noticeMailboxes, box, { failures, failingSince, dueAt, leasedUntil: null });
  });
}
