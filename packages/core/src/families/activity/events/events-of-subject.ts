import type { ReadContext } from "#kernel/operation/read-context.js";
import { sidesOf } from "#kernel/operation/sides.js";
import type { EventPage } from "#store/event-log.js";

/** What has happened to one subject. */
interface Subject {
  /** The streams of its activity: those of the ids of one thing. */
  readonly streams: readonly string[];
  /** The newest events. */
  readonly newest: EventPage;
}

/** A subject by the id of either of its sides, with its newest events. `undefined` where no event tells of it. */
export async function knownSubject(ctx: ReadContext, id: string, size = 1): Promise<Subject | undefined> {
  if (!isSubjectId(id)) return undefined;
  const streams = await sidesOf(ctx, id);
  const newest = await ctx.db.events({ stream: streams, size });
  return newest.events.length > 0 ? { streams, newest } : undefined;
}

/** Whether a text can be the id of a subject. Stream names of histories cannot. */
function isSubjectId(text: string): boolean {
  return /^[A-Za-z][\w.:-]*$/.test(text);
}
