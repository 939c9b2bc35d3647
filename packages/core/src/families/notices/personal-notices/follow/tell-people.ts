import type { Context } from "#kernel/operation/context.js";
import type { Draft } from "#kernel/records/stamps.js";
import { timestamp } from "#ports/clock.js";
import { preferencesOf, type Told } from "../../preferences/queries.js";
import { mailMoment } from "../../preferences/rules.js";
import { callMailboxes } from "../deliver/call-mailboxes.js";
import type { Matter } from "../matters/matter.js";
import { type Notice, notices } from "../schema.js";

/** A notice that somebody is to have. */
export interface Wanted {
  readonly matter: Matter;
  readonly userId: string;
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

function draftOf(ctx: Context, { matter, userId }: Wanted, preferences: Told): Draft<Notice> {
  const { people: _people, ...told } = matter;
  const moment = ctx.env.mailer ? mailMoment(preferences, told.kind, ctx.request.nowMs) : undefined;
  return {
    ...told,
    ...{ userId, status: "open", onBehalfOf: null, readAt: null, overAt: null, mailedAt: null },
    mailAt: moment === undefined ? null : timestamp(moment),
  };
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
