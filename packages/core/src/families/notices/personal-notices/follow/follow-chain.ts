import { DISORDER, firstOfMoment, headOf } from "#families/activity/index.js";
import { users } from "#families/identity/index.js";
import { reviews } from "#families/reviews/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import type { StoredEvent } from "#store/event-log.js";
import { delegations } from "../../delegations/schema.js";
import { type NoticeProgress, noticeProgress } from "../schema.js";
import { concernsNobody } from "./concerns-nobody.js";
import type { Room } from "./room.js";
import { BATCH, settleMatters } from "./settle-matters.js";
import { changesPeople, settlePeople } from "./settle-people.js";

/** The events that are read together, and those after which a run notes how far it is. One that stops between begins there again. */
const PAGE = 200;
const NOTED = 5 * PAGE;
/** How far back a tenant is looked at that has not been yet. What has waited for longer is in the inbox. */
const FIRST_LOOK = daysMs(1);

/** What people were told of already is no news. */
const GIVEN = "notice.given";

/** What an event is about, by its attributes. The type has neither prefix nor version. */
interface About {
  readonly subject: string;
  readonly subjecttype: string;
  readonly type: string;
}

/**
 * Tells people of what has happened in a tenant since the last time, by the record of events, so that no request waits for
 * it. Another process may do the same at the same time: nobody is told twice. Ends early where there is no more room.
 */
export async function followChain(newContext: () => OutsideContext, room: Room): Promise<void> {
  let progress = await progressOf(newContext());
  for (let noted = progress.position; ; ) {
    const ctx = newContext();
    const events = await ctx.db.scanEvents({ after: progress.position, size: PAGE });
    const about = events.flatMap((event) => {
      const found = aboutOf(ctx, event);
      return concernsNobody(found.type, event.data) ? [] : [found];
    });
    const before = room.settled;
    const ids = await recordsIn(ctx, about);
    for (let at = 0; at < ids.length && room.mayGoOn; at += BATCH)
      room.take(await settleMatters(newContext(), ids.slice(at, at + BATCH)));
    await settlePeople(newContext, await peopleIn(ctx, about), room);
    const last = events.at(-1)?.sequence;
    const isThrough = last !== undefined && room.mayGoOn;
    if (isThrough) progress = { ...progress, position: last };
    // What is committed meanwhile begins a run of its own, which waits for more. To chase a busy tenant would be a run for each commit.
    const isEnd = !isThrough || events.length < PAGE;
    // Pages that told nobody of anything are not worth a write each.
    const isDue = isEnd || room.settled > before || progress.position - noted >= NOTED;
    if (isDue && progress.position > noted) {
      await move(ctx, progress, { position: progress.position });
      noted = progress.position;
    }
    if (isEnd) return;
  }
}

function aboutOf({ env }: OutsideContext, { attributes }: StoredEvent): About {
  const { subject, subjecttype, type } = JSON.parse(attributes) as About;
  return { subject, subjecttype, type: type.slice(env.options.eventTypePrefix.length + 1, -VERSION.length) };
}

/** What the type of each event ends with. */
const VERSION = ".v1";
const PERSON = users.resource?.type;
const REVIEW = reviews.resource?.type;
const DELEGATION = delegations.resource?.type;

/** The people whose account has changed, or for whom somebody stands in or does so no more, each once. */
async function peopleIn(ctx: OutsideContext, about: readonly About[]): Promise<string[]> {
  const changed = about.filter(({ subjecttype, type }) => subjecttype === PERSON && changesPeople(type));
  const delegated = about.filter(({ subjecttype }) => subjecttype === DELEGATION).map(({ subject }) => subject);
  const rows = await ctx.db.getMany(delegations, [...new Set(delegated)]);
  const away = rows.flatMap(({ value }) => [value.fromId, value.toId]);
  return [...new Set([...changed.map(({ subject }) => subject), ...away])];
}

/** The records that events are about, each once. Events of what waits stand for what it is about. */
async function recordsIn(ctx: OutsideContext, about: readonly About[]): Promise<string[]> {
  const concerning = about.filter(({ type, subjecttype }) => type !== GIVEN && subjecttype !== PERSON);
  const waiting = concerning.filter(({ subjecttype }) => subjecttype === REVIEW).map(({ subject }) => subject);
  const rows = await ctx.db.getMany(reviews, [...new Set(waiting)]);
  const others = concerning.filter(({ subjecttype }) => subjecttype !== REVIEW).map(({ subject }) => subject);
  return [...new Set([...others, ...rows.map(({ value }) => value.subject.id)])];
}

/** How far the tenant is. It is stored at the first look. */
export async function progressOf(ctx: OutsideContext): Promise<Progress> {
  const held = (await ctx.db.get(noticeProgress, ctx.db.tenantId))?.value;
  if (held) return held;
  const first = await firstOfMoment(ctx.db, ctx.request.nowMs - FIRST_LOOK - DISORDER);
  return {
    position: first === undefined ? await headOf(ctx.db) : first - 1,
    ...{ endingsBefore: ctx.now, escalatedBefore: timestamp(ctx.request.nowMs - FIRST_LOOK) },
  };
}

/** How far a tenant is. */
type Progress = Pick<NoticeProgress, "position" | "endingsBefore" | "escalatedBefore">;

/** Notes how far the tenant is. Another process may be further. */
export async function move(ctx: OutsideContext, before: Progress, to: Partial<Progress>): Promise<void> {
  const work = async (inner: Context) => {
    const held = (await inner.db.get(noticeProgress, inner.db.tenantId))?.value;
    const { position, endingsBefore, escalatedBefore } = held ?? before;
    const later = (one: string, other: string | undefined) => (other !== undefined && other > one ? other : one);
    const next = {
      position: Math.max(position, to.position ?? 0),
      endingsBefore: later(endingsBefore, to.endingsBefore),
      escalatedBefore: later(escalatedBefore, to.escalatedBefore),
    };
    if (held) await inner.update(noticeProgress, held, next);
    else await inner.insert(noticeProgress, { id: inner.db.tenantId, ...next });
  };
  await ctx.write(work, ctx.principal, "notices.progress");
}
