import { eventText } from "../../../../kernel/events/events.js";
import { MAX_SIZE, type PageQuery } from "../../../../kernel/operation/page.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { Page } from "../../../../kernel/records/outcome.js";
import { foldText } from "../../../../store/collection.js";

/** How many of a stream's newest events a text search looks through. */
export const SEARCHED_EVENTS = 1_000;

/** A page of the events of a stream whose text contains `search`, among the newest thousand. */
export async function filterEvents(ctx: ReadContext, query: PageQuery, stream: string, search: string): Promise<Page> {
  const { events, next } = await ctx.db.events({ stream, size: SEARCHED_EVENTS });
  const wanted = foldText(search);
  const texts = events.map(eventText).filter((text) => foldText(text).includes(wanted));
  const page = query.page ?? 0;
  const size = Math.min(query.size ?? 25, MAX_SIZE);
  const items = texts.slice(page * size, (page + 1) * size);
  return new Page(`[${items.join(",")}]`, page, size, { count: texts.length, exact: next === undefined }, null);
}
