import type { Context } from "#kernel/operation/context.js";
import type { Draft } from "#kernel/records/stamps.js";
import { timestamp } from "#ports/clock.js";
import { preferencesOf, type Told } from "../../preferences/queries.js";
import { mailMoment } from "../../preferences/rules.js";
import { callMailboxes } from "../deliver/call-mailboxes.js";
import type { NoticeKind } from "../fields.js";
import type { Matter } from "../matters/matter.js";
import { type Notice, notices } from "../schema.js";

/** A notice that somebody is to have. */
export interface Wanted {
  readonly matter: Matter;
  readonly userId: string;
  /** The one for whom this person stands in. */
  readonly onBehalfOf: string | null;
  /** Whether somebody else who is told stands in for this person. */
  readonly isAway: boolean;
}

/** Stores notices, which are mailed after the commit. Another process may have told some of these people meanwhile. */
export async function tell(ctx: Context, wanted: readonly Wanted[]): Promise<void> {
  const asked = wanted.map(({ matter: { kind, key }, userId }) => ({ userId, kind, key }));
  const held = await ctx.db.lookupMany(notices, "matter", asked);
  const missing = wanted.filter((_, at) => held[at] === undefined);
  const preferences = await preferencesOf(
    ctx,
    missing.map(({ userId }) => userId),
  );
  const drafts = missing.map((one) => draftOf(ctx, one, preferences(one.userId)));
  await ctx.insertMany(notices, drafts, { event: false });
  await callMailboxes(ctx, drafts);
  await report(ctx, missing);
}

function draftOf(ctx: Context, { matter, userId, onBehalfOf, isAway }: Wanted, preferences: Told): Draft<Notice> {
  const { people: _people, whose: _whose, ...told } = matter;
  return {
    ...told,
    ...{ userId, status: "open", onBehalfOf, readAt: null, overAt: null, mailedAt: null },
    mailAt: isAway ? null : mailTime(ctx, preferences, told.kind),
  };
}

/** When a notice that is given now is mailed; `null` for never. */
function mailTime(ctx: Context, preferences: Told, kind: NoticeKind): string | null {
  const moment = ctx.env.mailer ? mailMoment(preferences, kind, ctx.request.nowMs) : undefined;
  return moment === undefined ? null : timestamp(moment);
}

/** The kinds of which each person hears once, whatever happens in between. All others come anew with each episode. */
const ONCE: ReadonlySet<NoticeKind> = new Set<NoticeKind>(["waiting", "overdue", "escalated"]);

/** Opens notices that were over, and tells of them once more where it is a new episode. */
export async function reopen(ctx: Context, over: readonly Notice[]): Promise<void> {
  const preferences = await preferencesOf(
    ctx,
    over.map(({ userId }) => userId),
  );
  const open = { status: "open", overAt: null } as const;
  const anew: Notice[] = [];
  for (const notice of over) {
    const { kind, userId } = notice;
    const told = ONCE.has(kind) ? open : { ...open, readAt: null, mailAt: mailTime(ctx, preferences(userId), kind) };
    anew.push(await ctx.update(notices, notice, told, { event: false }));
  }
  await callMailboxes(ctx, anew);
}

/** One event for each matter, which names everybody who was told. */
async function report(ctx: Context, told: readonly Wanted[]): Promise<void> {
  for (const matter of new Set(told.map((one) => one.matter))) {
    const { kind, subject, assetId, matter: review } = matter;
    const people = told.filter((one) => one.matter === matter).map(({ userId }) => userId);
    await ctx.emit({
      type: "notice.given",
      subject,
      data: { kind, matter: review, people },
      related: assetId === null || assetId === subject.id ? [] : [assetId],
    });
  }
}
